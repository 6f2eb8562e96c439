package workflows

import "fmt"

// summarize writes Markdown to the workflow run's page, if there is one. Strangers' text in it is escaped as in a
// comment.
func (controller *Controller) summarize(format string, values ...any) error {
	if controller.Summary == nil {
		return nil
	}
	_, err := fmt.Fprintf(controller.Summary, format, values...)
	return err
}

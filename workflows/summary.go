package workflows

import "fmt"

// summarize writes Markdown to the page of the workflow run, where there is one. Strangers' words in it are escaped as
// in a comment.
func (controller *Controller) summarize(format string, values ...any) error {
	if controller.Summary == nil {
		return nil
	}
	_, err := fmt.Fprintf(controller.Summary, format, values...)
	return err
}

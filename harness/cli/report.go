package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
)

func (a *app) report() *cobra.Command {
	var out output
	workload := ""
	c := &cobra.Command{
		Use: textReportUse, Short: textReportShort, Long: textReportLong, Args: oneArgument(textRunArgument),
		RunE: func(_ *cobra.Command, args []string) error {
			render, err := out.renderer()
			if err != nil {
				return a.fail(nil, err)
			}
			dir, err := journal.Find(journal.RunsFolder(a.directory), args[0])
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			report, err := harness.LoadReport(dir)
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			if workload != "" {
				if report.Workloads, err = only(report, workload); err != nil {
					return a.fail(nil, err)
				}
			}
			if err := render(a.stdout, report); err != nil {
				return a.fail(nil, err)
			}
			return nil
		},
	}
	out.register(c.Flags())
	c.Flags().StringVarP(&workload, "workload", "w", "",
		"show only workload `NAME` (required for csv if there are several)")
	return c
}

// only returns the workload of that name.
func only(r *harness.Report, name string) ([]harness.Workload, error) {
	var names []string
	for _, w := range r.Workloads {
		if w.Name == name {
			return []harness.Workload{w}, nil
		}
		names = append(names, w.Name)
	}
	return nil, &failure.UsageError{Err: fmt.Errorf("--workload %s: the run has %s", name, strings.Join(names, ", "))}
}

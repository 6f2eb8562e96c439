package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/journal"
)

func (a *app) report() *cobra.Command {
	format := formatTerminal
	c := &cobra.Command{
		Use: textReportUse, Short: textReportShort, Long: textReportLong, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			render, err := formatNamed(format)
			if err != nil {
				return a.fail(nil, err)
			}
			dir, err := journal.Find(harness.RunsFolder(a.directory), args[0])
			if err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			report, err := harness.LoadReport(dir)
			if err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			if err := render(a.stdout, report); err != nil {
				return a.fail(nil, err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", format, strings.Join(formatNames(), ", "))
	return c
}

package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/journal"
)

func (a *app) resume() *cobra.Command {
	format, noWait := formatTerminal, false
	c := &cobra.Command{
		Use: textResumeUse, Short: textResumeShort, Long: textResumeLong, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := formatNamed(format); err != nil {
				return a.fail(nil, err)
			}
			dir, err := journal.Find(harness.RunsFolder(a.directory), args[0])
			if err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			controls, end := a.controls(noWait)
			report, err := harness.Resume(c.Context(), dir, controls)
			end()
			return a.conclude(report, err, format)
		},
	}
	c.Flags().StringVar(&format, "format", format, "report on standard output: "+strings.Join(formatNames(), ", "))
	c.Flags().BoolVar(&noWait, "no-wait", false, "fail with exit code 4 where another measurement runs on this host")
	return c
}

package cli

import (
	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/journal"
)

func (a *app) resume() *cobra.Command {
	format, noWait, profile := formatTerminal, false, ""
	c := &cobra.Command{
		Use: textResumeUse, Short: textResumeShort, Long: textResumeLong, Args: oneArgument(textRunArgument),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := formatNamed(format); err != nil {
				return a.fail(nil, err)
			}
			dir, err := journal.Find(harness.RunsFolder(a.directory), args[0])
			if err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			if err := checkProfile(profile); err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			controls, end := a.controls(noWait)
			controls.OneWorkload, controls.Profile = oneWorkload(format), profile
			report, err := harness.Resume(c.Context(), dir, controls)
			end()
			return a.conclude(report, err, format)
		},
	}
	c.Flags().StringVar(&format, "format", format, textFormat())
	registerProfile(c, &profile)
	c.Flags().BoolVar(&noWait, "no-wait", false, textNoWait)
	return c
}

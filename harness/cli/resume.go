package cli

import (
	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
)

func (a *app) resume() *cobra.Command {
	var out output
	noWait, profile := false, ""
	c := &cobra.Command{
		Use: textResumeUse, Short: textResumeShort, Long: textResumeLong, Args: oneArgument(textRunArgument),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return a.fail(nil, err)
			}
			dir, err := journal.Find(journal.RunsFolder(a.directory), args[0])
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			if err := checkProfile(profile); err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			controls, end := a.controls(noWait)
			controls.OneWorkload, controls.Profile = out.oneWorkload(), profile
			report, err := harness.Resume(c.Context(), dir, controls)
			end()
			return a.conclude(report, err, out)
		},
	}
	out.register(c.Flags())
	registerProfile(c, &profile)
	c.Flags().BoolVar(&noWait, "no-wait", false, textNoWait)
	return c
}

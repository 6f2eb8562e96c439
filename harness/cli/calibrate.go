package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

func (a *app) calibrate() *cobra.Command {
	var options harness.Options
	var isolated isolation
	runs, noWait, markdown := 1, false, false
	c := &cobra.Command{
		Use: textCalibrateUse, Short: textCalibrateShort, Long: textCalibrateLong, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			revision := "HEAD"
			if len(args) == 1 {
				revision = args[0]
			}
			if strings.Contains(revision, "..") {
				return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("%q: want one revision, which is measured against "+
					"itself; compare takes BASE..HEAD", revision)})
			}
			if runs < 1 || len(options.Workloads) != 1 {
				return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("want one --workload and --runs of at least 1")})
			}
			file, err := a.loadConfig(options.Config)
			if err != nil {
				return a.fail(nil, err)
			}
			if options.Workloads[0], err = selectOne(file, options.Workloads[0]); err != nil {
				return a.fail(nil, err)
			}
			if err := isolated.decide(c.Context(), &options); err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			controls, end := a.controls(noWait)
			defer end()
			options.RandomSeed = options.Seed == 0
			options.Directory, options.Range, options.Kind, options.Controls = a.directory, revision+".."+revision,
				plan.KindCalibrate, controls
			return a.runCalibration(c.Context(), options, runs, markdown)
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.Config, "config", "", textConfig)
	flags.StringSliceVarP(&options.Workloads, "workload", "w", nil, "the workload `NAME` (required)")
	flags.IntVar(&runs, "runs", runs, "make `N` A/A runs")
	flags.IntVar(&options.Pairs, "pairs", 0, "measure `N` pairs in each, an even number (default: plan.pairs)")
	flags.SetNormalizeFunc(formerFlags)
	flags.IntVar(&options.Processes, "processes", 0, "measure with `N` processes of each arm (default: plan.processes)")
	flags.IntVar(&options.BuildsPerArm, "builds", 0,
		"measure `N` builds of each arm with random layouts, see build.layout (default: plan.builds)")
	flags.Uint64Var(&options.Seed, "seed", 0,
		"seed `N` of the first run, increased by 1 for each further run; 0 chooses random seeds")
	flags.BoolVar(&options.RequireQuiet, "require-quiet", false, textRequireQuiet)
	flags.BoolVar(&markdown, "markdown", false, "print the result as Markdown")
	flags.BoolVar(&noWait, "no-wait", false, textNoWait)
	isolated.register(flags)
	return c
}

// runCalibration makes the runs. It adds each run to the profile once the run is complete.
func (a *app) runCalibration(ctx context.Context, options harness.Options, runs int, markdown bool) error {
	var profile *harness.Profile
	var last *harness.Report
	for i := range runs {
		report, err := harness.Compare(ctx, options)
		if err != nil {
			return a.fail(report, err)
		}
		if profile, err = harness.AddToProfile(a.directory, report, options.Workloads[0]); err != nil {
			return a.fail(report, err)
		}
		a.logf("harness: run %d of %d: %s", i+1, runs, report.Workloads[0].Stats.Verdict)
		last = report
		if options.Seed != 0 {
			options.Seed++
		}
	}
	stages, err := last.Workloads[0].StageScatters()
	if err != nil {
		return err
	}
	if markdown {
		return errors.Join(writeProfileMarkdown(a.stdout, profile, last.Plan), writeStagesMarkdown(a.stdout, stages))
	}
	return errors.Join(writeProfile(a.stdout, profile, last.Plan), writeStages(a.stdout, stages))
}

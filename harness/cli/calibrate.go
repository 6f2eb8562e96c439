package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

func (a *app) calibrate() *cobra.Command {
	var options harness.Options
	runs, noWait := 1, false
	c := &cobra.Command{
		Use: textCalibrateUse, Short: textCalibrateShort, Long: textCalibrateLong, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			revision := "HEAD"
			if len(args) == 1 {
				revision = args[0]
			}
			if strings.Contains(revision, "..") {
				return a.fail(nil, &harness.UsageError{Err: fmt.Errorf("%q: one revision is measured against itself; compare takes BASE..HEAD", revision)})
			}
			if runs < 1 || len(options.Workloads) != 1 {
				return a.fail(nil, &harness.UsageError{Err: fmt.Errorf("want one --workload and --runs of at least 1")})
			}
			controls, end := a.controls(noWait)
			defer end()
			options.DrawSeed = options.Seed == 0
			options.Directory, options.Range, options.Kind, options.Controls = a.directory, revision+".."+revision, harness.KindCalibrate, controls
			return a.runCalibration(c.Context(), options, runs)
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.Config, "config", "", textConfig)
	flags.StringSliceVarP(&options.Workloads, "workload", "w", nil, "the workload `NAME` (required)")
	flags.IntVar(&runs, "runs", runs, "make `N` A/A runs")
	flags.IntVar(&options.Pairs, "pairs", 0, "measure `N` pairs in each, an even number (default: plan.pairs)")
	flags.IntVar(&options.Launches, "launches", 0, "draw `N` processes of either arm (default: plan.launches)")
	flags.IntVar(&options.DrawnBuilds, "builds", 0, "draw `N` builds of either arm, by build.layout (default: plan.builds)")
	flags.Uint64Var(&options.Seed, "seed", 0, "seed `N` of the first run, from which the next ones count on; 0 draws them all")
	flags.BoolVar(&options.RequireQuiet, "require-quiet", false, textRequireQuiet)
	flags.BoolVar(&noWait, "no-wait", false, textNoWait)
	return c
}

// runCalibration makes the runs. Each is in the profile as soon as it is complete.
func (a *app) runCalibration(ctx context.Context, options harness.Options, runs int) error {
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
		fmt.Fprintf(a.stderr, "harness: run %d of %d: %s\n", i+1, runs, report.Workloads[0].Stats.Verdict)
		last = report
		if options.Seed != 0 {
			options.Seed++
		}
	}
	return a.printProfile(profile, last.Plan)
}

// sizes are the numbers of pairs that a calibration shows.
var sizes = []int{12, 14, 20, 30, 48, 100, 200}

// effects are those for which a calibration says the cheapest plan.
var effects = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.10}

func (a *app) printProfile(p *harness.Profile, plan harness.Plan) error {
	out := a.stdout
	fmt.Fprintf(out, "%s, %s on %s, %d A/A runs\n\n", p.Workload, p.Metric, p.Host.Hostname, len(p.Runs))
	fmt.Fprintf(out, "sd of a pair          %.3g %%\n", p.Percent(p.SD()))
	for _, c := range p.Components() {
		what := map[stats.Unit]string{stats.UnitPair: "  within a process", stats.UnitLaunch: "  between processes", stats.UnitBuild: "  between builds"}[c.Level]
		fmt.Fprintf(out, "%-20s  %.3g %%, 95 %% CI %.3g to %.3g %% (%d df)\n", what, p.Percent(c.SD.Float()), p.Percent(c.CI.Low), p.Percent(c.CI.High), c.DF)
	}
	if len(p.Components()) < 2 {
		fmt.Fprintln(out, "  (what processes differ by takes --launches of 6 or more)")
	}
	fmt.Fprintf(out, "false positives       %d of %d runs (at most %.3g %% expected)\n", p.FalsePositives(), len(p.Runs), 100*plan.Alpha)
	fmt.Fprintf(out, "seconds a proof       %.3g\n\n", p.ProofSeconds())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "pairs\tsees (80 % power)\tminutes\t")
	for _, n := range sizes {
		draw := stats.Draw{Pairs: n, Launches: n / 2, Builds: max(1, plan.Builds)}
		if percent := p.DetectablePercent(draw, plan.Alpha); !math.IsNaN(percent) {
			fmt.Fprintf(table, "%d\t%.2g %%\t%.1f\t\n", n, percent, p.Price().Of(draw)/60)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	table = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "effect\tpower\tpairs\tprocesses\tbuilds\tminutes\t")
	for _, e := range effects {
		for _, power := range []float64{0.8, 0.9} {
			if draw, ok := p.Cheapest(e, power, plan.Alpha); ok {
				fmt.Fprintf(table, "%g %%\t%g %%\t%d\t%d\t%d\t%.1f\t\n", 100*e, 100*power, draw.Pairs, draw.Launches, draw.Builds, p.Price().Of(draw)/60)
			} else {
				fmt.Fprintf(table, "%g %%\t%g %%\tbeyond any plan\t\t\t\t\n", 100*e, 100*power)
			}
		}
	}
	return table.Flush()
}

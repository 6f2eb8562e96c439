package cli

import (
	"context"
	"fmt"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

func (a *app) calibrate() *cobra.Command {
	var options harness.Options
	runs, noWait := 1, false
	c := &cobra.Command{
		Use: textCalibrateUse, Short: textCalibrateShort, Long: textCalibrateLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if runs < 1 || len(options.Workloads) != 1 {
				return a.fail(nil, &harness.UsageError{Err: fmt.Errorf("want one --workload and --runs of at least 1")})
			}
			controls, end := a.controls(noWait)
			defer end()
			options.DrawSeed = options.Seed == 0
			options.Directory, options.Range, options.Kind, options.Controls = a.directory, "HEAD..HEAD", harness.KindCalibrate, controls
			return a.runCalibration(c.Context(), options, runs)
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.Config, "config", "", textConfig)
	flags.StringSliceVarP(&options.Workloads, "workload", "w", nil, "the workload `NAME` (required)")
	flags.IntVar(&runs, "runs", runs, "make `N` A/A runs")
	flags.IntVar(&options.Pairs, "pairs", 0, "measure `N` pairs in each, an even number (default: plan.pairs)")
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
var sizes = []int{6, 10, 14, 20, 30, 48, 100, 200}

// effects are those that a calibration says the pairs for.
var effects = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.10}

func (a *app) printProfile(p *harness.Profile, plan harness.Plan) error {
	out := a.stdout
	sd := stats.Result{Scale: p.Scale, MeanA: stats.Number(p.MeanA())}.Percent(p.SD())
	fmt.Fprintf(out, "%s, %s on %s, %d A/A runs\n\n", p.Workload, p.Metric, p.Host.Hostname, len(p.Runs))
	fmt.Fprintf(out, "sd of a pair          %.3g %%\n", sd)
	fmt.Fprintf(out, "false positives       %d of %d runs (at most %.3g %% expected)\n", p.FalsePositives(), len(p.Runs), 100*plan.Alpha)
	fmt.Fprintf(out, "seconds a proof       %.3g\n\n", p.ProofSeconds())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "pairs\tsees (80 % power)\tminutes\t")
	for _, n := range sizes {
		if percent := p.DetectablePercent(n, plan.Alpha); !math.IsNaN(percent) {
			// Two proofs a pair, and one more in every other block.
			fmt.Fprintf(table, "%d\t%.2g %%\t%.1f\t\n", n, percent, (2*float64(plan.Warmup)+2.25*float64(n))*p.ProofSeconds()/60)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	table = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "effect\tpairs it takes\t")
	for _, e := range effects {
		pairs := "over a million"
		if n := p.PairsFor(e, plan.Alpha); n.Exists() {
			pairs = fmt.Sprintf("%.0f", n.Float())
		}
		fmt.Fprintf(table, "%g %%\t%s\t\n", 100*e, pairs)
	}
	return table.Flush()
}

package cli

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/harness"
)

// dryRun prints the plan and how long it will take.
func (a *app) dryRun(ctx context.Context, options harness.Options) error {
	forecast, err := harness.Foresee(ctx, options)
	if err != nil {
		return a.fail(nil, err)
	}
	d, out := forecast.Decision, a.stdout
	for _, arm := range d.Arms() {
		rev := d.Arm(arm)
		fmt.Fprintf(out, "%s  %s  %s  %s\n", arm, rev.SHA, rev.Ref, oneLine(rev.Subject))
	}
	if d.AA {
		fmt.Fprintln(out, textAA)
	}
	p := d.Plan
	drawn := ""
	if p.SeedDrawn {
		drawn = fmt.Sprintf(" (drawn: the run draws its own, unless --seed %d)", p.Seed)
	}
	fmt.Fprintf(out, "plan  %d pairs, %s, %s, warm-up %d, seed %d%s, alpha %g, equivalence %g %%\n",
		p.Pairs, p.Design, analyses(p.Analyses), p.Warmup, p.Seed, drawn, p.Alpha, 100*p.Equivalence)
	for _, w := range d.Warnings {
		fmt.Fprintf(out, "warning  %s\n", w.Text)
	}
	for _, w := range forecast.Workloads {
		fmt.Fprintln(out, w.Text())
	}
	return nil
}

// analyses counts the analyses of a plan: the final one, and the interim ones before it.
func analyses(n int) string {
	if n == 1 {
		return "1 analysis"
	}
	return fmt.Sprintf("%d analyses, %d of them interim", n, n-1)
}

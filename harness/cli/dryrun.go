package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/internal/columns"
)

// dryRun prints the plan and its predicted duration.
func (a *app) dryRun(ctx context.Context, options harness.Options) error {
	forecast, err := harness.Predict(ctx, options)
	if err != nil {
		return a.fail(nil, err)
	}
	writeForecast(a.stdout, forecast)
	return nil
}

// writeForecast prints a forecast within 80 columns.
func writeForecast(w io.Writer, forecast *plan.Forecast) {
	d := forecast.Decision
	say := func(format string, values ...any) { fmt.Fprintln(w, columns.Hang(fmt.Sprintf(format, values...))) }
	for _, arm := range d.Arms() {
		rev := d.Arm(arm)
		say("%s  %s  %s  %s", arm, rev.SHA, rev.Ref, oneLine(rev.Subject))
	}
	if d.AA {
		say("%s", textAA)
	}
	p := d.Plan
	drawn := ""
	if p.SeedDrawn {
		drawn = fmt.Sprintf(" (random: the run chooses another, unless --seed %d is given)", p.Seed)
	}
	say("plan  %d pairs, %s, %s, warm-up %d, seed %d%s, alpha %g, equivalence %g %%",
		p.Pairs, p.Design, analyses(p.Analyses), p.Warmup, p.Seed, drawn, p.Alpha, 100*p.Equivalence)
	for _, w := range d.Warnings {
		say("warning  %s", w.Text)
	}
	for _, w := range forecast.Workloads {
		say("%s", w.Text())
	}
}

// analyses describes the number of analyses of a plan.
func analyses(n int) string {
	if n == 1 {
		return "1 analysis"
	}
	return fmt.Sprintf("%d analyses, %d of them interim", n, n-1)
}

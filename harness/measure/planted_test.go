package measure_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// A change planted in one stage and one in a counter end a comparison with the exit code of a regression. They are
// reported through builds, sessions, journal and report, although the total time shows nothing. The same prover twice
// reports no change.
func TestPlantedChanges(t *testing.T) {
	rules := "  stages: {margin: 0.3%}\n  exact: {cells: {max: 0%}}\n"
	w := newWorld(t, strings.NewReplacer("  report: [proof_bytes]\n", rules, "pairs: 8", "pairs: 14").Replace(worldConfig))
	const host = "seconds=0.004 noise=0.05 "
	w.commit("base", host+"device=0.001 cells=1000")
	w.commit("planted", host+"device=0.001025 cells=1001") // 0.5 % of the total time, and one cell
	for head, code := range map[string]int{"base": failure.ExitOK, "planted": failure.ExitRegression} {
		spec := "base.." + head
		planted := code == failure.ExitRegression
		r := w.compare(w.options(spec), code)
		kept, err := report.Load(journal.Directory(r.Paths.Directory))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*report.Report{r, kept} {
			one := &r.Workloads[0]
			s := slices.IndexFunc(one.Secondary, func(s report.Secondary) bool { return s.Metric == "device_commit_seconds" })
			e := slices.IndexFunc(one.Exact, func(e report.Exact) bool { return e.Name == "cells" })
			if s < 0 || e < 0 {
				t.Fatalf("no test of the stage or the cells: %+v, %+v", one.Secondary, one.Exact)
			}
			stage, cells := one.Secondary[s].Contribution, one.Exact[e]
			if r.ExitCode != code || (one.Verdict() == stats.Regression) != planted || one.Stats.Verdict == stats.Regression {
				t.Errorf("%s: exit code %d, %s, the whole %s", spec, r.ExitCode, one.Verdict(), one.Stats.Verdict)
			}
			if stage.Changed != planted || stage.Regression != planted || cells.Exceeded() != planted ||
				cells.Changed != planted {
				t.Errorf("%s: the stage %+v, the cells %+v", spec, stage, cells)
			}
		}
	}
}

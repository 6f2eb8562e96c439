package harness_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/stats"
)

// A change that is planted in one stage and one in a counter end a comparison with the exit code of a regression and
// are named, through builds, sessions, journal and report, where the whole tells nothing; the same prover twice does
// not.
func TestPlantedChanges(t *testing.T) {
	rules := "  stages: {margin: 0.3%}\n  exact: {cells: {max: 0%}}\n"
	w := newWorld(t, strings.NewReplacer("  report: [proof_bytes]\n", rules, "pairs: 8", "pairs: 14").Replace(worldConfig))
	const host = "seconds=0.004 noise=0.05 "
	w.commit("base", host+"device=0.001 cells=1000")
	w.commit("planted", host+"device=0.001025 cells=1001") // 0.5 % of the whole, and a cell
	for head, code := range map[string]int{"base": harness.ExitOK, "planted": harness.ExitRegression} {
		spec := "base.." + head
		planted := code == harness.ExitRegression
		r := w.compare(w.options(spec), code)
		kept, err := harness.LoadReport(journal.Directory(r.Paths.Directory))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*harness.Report{r, kept} {
			one := &r.Workloads[0]
			stage, cells := secondary(t, one, "device_commit_seconds").Contribution, exact(t, one, "cells")
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

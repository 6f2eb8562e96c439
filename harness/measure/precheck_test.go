package measure_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// A tiered world has a baseline of the tag base, by one run, and a history of it.
type tiered struct {
	*world
	baselines string
}

const tierPlan = "{settle: 0, pairs: 12, seed: 7, launches: 6, equivalence: 5%}"

// newTiered measures base against itself and spreads copies of its baseline over the days before.
func newPreChecked(t *testing.T, config string) *tiered {
	w := &tiered{world: newWorld(t, config), baselines: t.TempDir()}
	const host = "seconds=0.002 noise=0.002 cells=1000 "
	w.commit("base", host)
	w.commit("same", host)
	w.commit("slow", "seconds=0.004 noise=0.002 cells=1000")
	w.commit("cells", host+"cells=1001")
	w.compare(w.pairs("base..base"), failure.ExitOK)
	for days := range 6 {
		w.copied(func(b *baseline.Baseline) {
			for i := range b.Means {
				b.Means[i] += 0.0005 * float64(days%3-1)
			}
			b.Time, b.Run = b.Time.AddDate(0, 0, -days-1), b.Run+"-"+string(rune('a'+days))
		})
	}
	return w
}

// pairs are the options of a run without a pre-check, and gate the options with one.
func (w *tiered) pairs(spec string) harness.Options {
	o := w.options(spec)
	o.Baselines = w.baselines
	return o
}

func (w *tiered) gate(spec string) harness.Options {
	o := w.pairs(spec)
	o.PreCheck = 1
	return o
}

// carried are the options of a pull request's run that receives the baselines.
func (w *tiered) carried(spec string) harness.Options {
	o := w.options(spec)
	o.PreCheck, o.PullRequest = 1, true
	paths, err := filepath.Glob(filepath.Join(w.baselines, "*.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		var b baseline.Baseline
		if err := json.Unmarshal(text, &b); err != nil {
			w.t.Fatal(err)
		}
		o.Carried = append(o.Carried, b)
	}
	return o
}

// newest returns the file of the newest baseline. The names of copies contain a letter.
func (w *tiered) newest() string {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.baselines, "quick-*.json"))
	if err != nil || len(paths) == 0 {
		w.t.Fatal(paths, err)
	}
	for _, path := range paths {
		if !strings.Contains(filepath.Base(path), "copy") {
			return path
		}
	}
	w.t.Fatal("no baseline")
	return ""
}

// copied writes a changed copy of the newest baseline.
func (w *tiered) copied(how func(*baseline.Baseline)) {
	w.t.Helper()
	path := w.newest()
	text, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	var b baseline.Baseline
	if err := json.Unmarshal(text, &b); err != nil {
		w.t.Fatal(err)
	}
	how(&b)
	measure.SealBaseline(&b)
	if text, err = json.Marshal(b); err != nil {
		w.t.Fatal(err)
	}
	path = strings.Replace(path, "quick-", "quick-copy-"+b.Run, 1)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// A change without effect ends with the pre-check, in fewer proofs, all of them verified. A change beyond ten margins
// does too, with its exit code. The report, read back, names the step that decided.
func TestPreCheckDecides(t *testing.T) {
	w := newPreChecked(t, strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}", tierPlan, 1))
	for head, want := range map[string]struct {
		options func(spec string) harness.Options
		verdict stats.Verdict
		code    int
	}{"same": {w.carried, stats.Equivalent, failure.ExitOK}, "slow": {w.gate, stats.Regression, failure.ExitRegression}} {
		r := w.compare(want.options("base.."+head), want.code)
		kept, err := report.Load(journal.Directory(r.Paths.Directory))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*report.Report{r, kept} {
			load := &r.Workloads[0]
			verdict := load.Verdict()
			if verdict == stats.Negligible {
				verdict = stats.Equivalent
			}
			if verdict != want.verdict || load.Stats.Phase != 1 || load.PreCheck.Decided != 1 || load.PreCheck.Processes < 3 ||
				len(load.Pairs) != 0 {
				t.Fatalf("%s: %s, %+v", head, load.Verdict(), load.PreCheck)
			}
			if load.Verified.Base+load.Verified.Head != load.ProofsMade || load.ProofsMade != load.ProofsPlanned ||
				2*load.ProofsMade > 48 {
				t.Errorf("%s: %d proofs, %+v verified", head, load.ProofsMade, load.Verified)
			}
			if !strings.Contains(load.PreCheck.Text, "decided by the baseline pre-check") || r.ExitCode != want.code {
				t.Errorf("%s: %s, exit code %d", head, load.PreCheck.Text, r.ExitCode)
			}
		}
		if head == "same" {
			judgePreCheck(t, kept)
		}
		for _, s := range r.Workloads[0].Samples {
			if s.Kind == evidence.Measured || s.Kind == evidence.PreCheck && s.Arm != schedule.Head {
				t.Errorf("%s: a proof %+v", head, s)
			}
		}
	}
}

// judgePreCheck judges a received report again: the verdict is computed from its contents, and inadmissible evidence is
// refused.
func judgePreCheck(t *testing.T, r *report.Report) {
	t.Helper()
	file, err := config.Parse("bench.yaml",
		[]byte(strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}", tierPlan, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(w *report.Workload, p *plan.Plan){
		"":                                   func(*report.Workload, *plan.Plan) {},
		"no intact baseline of its workload": func(w *report.Workload, _ *plan.Plan) { w.PreCheck.Baseline.Means[0]++ },
		"has no intact baseline":             func(w *report.Workload, _ *plan.Plan) { w.PreCheck.Baseline = nil },
		"its plan has none":                  func(_ *report.Workload, p *plan.Plan) { p.PreCheck = 0 },
		"pre-check decided it, and its p":    func(_ *report.Workload, p *plan.Plan) { p.StageMargin = 0.01 },
		"hours old: want 0 to 168":           func(w *report.Workload, _ *plan.Plan) { w.PreCheck.AgeHours = 169 },
		"is shorter than its baseline":       func(w *report.Workload, _ *plan.Plan) { w.PreCheck.AgeHours = 30 },
		"or overlaps the one before":         func(w *report.Workload, _ *plan.Plan) { w.PreCheck.Moves[1].From -= 1 },
		"decide nothing": func(w *report.Workload,
			_ *plan.Plan) {
			w.PreCheck.Moves = w.PreCheck.Moves[:3]
		},
		"processes of head alone, and claims": func(w *report.Workload, _ *plan.Plan) { w.PreCheck.Processes++ },
		"has no prove_seconds above 0": func(w *report.Workload, _ *plan.Plan) {
			for _, s := range w.Samples {
				if s.Kind == evidence.PreCheck {
					s.Metrics["prove_seconds"] = 0
					return
				}
			}
		},
		"and has 1 pairs": func(w *report.Workload, _ *plan.Plan) { w.Pairs = make([]evidence.Pair, 1) },
	} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var copied report.Report
		if err := json.Unmarshal(text, &copied); err != nil {
			t.Fatal(err)
		}
		w := &copied.Workloads[0]
		change(w, &copied.Plan)
		verdict := w.Stats.Verdict
		w.Stats.Verdict = stats.Improvement // the report claims it, and it is computed again
		err = report.Judge(file, copied.Plan, 1, w)
		if want == "" && (err != nil || w.Stats.Verdict != verdict || w.Stats.Phase != 1) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// If a condition excludes the pre-check, pairs decide and the report names the condition. Examples: counters that
// break a bound, and a pull request's run, which trusts no cache.
func TestPreCheckEndsNothing(t *testing.T) {
	longtest.Only(t)
	bench := strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}", tierPlan, 1)
	w := newPreChecked(t, strings.Replace(bench, "report: [proof_bytes]", "exact: {cells: {max: 0%}}", 1))
	for head, test := range map[string]struct {
		pullRequest bool
		code        int
		want        string
	}{
		"cells": {false, failure.ExitRegression, "only pairs can show whether cells keeps its bound of metrics.exact"},
		"same":  {true, failure.ExitOK, "the run of a pull request trusts no baseline in a cache"},
	} {
		o := w.gate("base.." + head)
		o.PullRequest = test.pullRequest
		r := w.compare(o, test.code)
		load := &r.Workloads[0]
		if load.PreCheck == nil || load.PreCheck.Decided != 2 || load.Stats.Phase != 2 ||
			!strings.Contains(load.PreCheck.Text, test.want) || len(load.Pairs) != 12 {
			t.Errorf("%s: %+v, %d pairs, want %q", head, load.PreCheck, len(load.Pairs), test.want)
		}
		if load.ProofsMade != load.ProofsPlanned || load.Verified.Base+load.Verified.Head != load.ProofsMade {
			t.Errorf("%s: %d proofs, %d planned, %+v verified", head, load.ProofsMade, load.ProofsPlanned, load.Verified)
		}
	}
}

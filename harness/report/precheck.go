package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// PreCheckOptions returns the options of the baseline pre-check's test.
func PreCheckOptions(d *plan.Decision) stats.Options {
	options := d.StatsOptions(d.File.Metrics.Primary)
	options.Alpha, _ = d.Plan.PreCheckAlphas()
	return options
}

// JudgePreCheck fills in the verdict of the baseline pre-check. why is the reason if the pre-check decides nothing,
// else empty.
func JudgePreCheck(d *plan.Decision, w *Workload, preCheck *baseline.PreCheck) (why string) {
	var proofs []evidence.Sample
	for _, s := range w.Samples {
		if s.Kind == evidence.PreCheck {
			proofs = append(proofs, s)
		}
	}
	means, _ := baseline.ProcessMeans(proofs, w.Metric.Name)
	head := stats.Unpaired{Means: means}
	result := stats.JudgePreCheck(preCheck.Baseline.Unpaired(), head, preCheck.Moves, PreCheckOptions(d))
	if result.Verdict == stats.Inconclusive {
		return fmt.Sprintf("the mean %s of %d head processes is neither within the margin nor beyond ten margins",
			w.Metric.Name, len(means))
	}
	w.Stats, w.Processes = &result, len(means)
	if w.Exact, why = exactAgainstBaseline(d, proofs, preCheck.Baseline); why != "" {
		return why
	}
	return ""
}

// exactAgainstBaseline compares exact quantities with the baseline. The pre-check decides only if all bounds are held.
func exactAgainstBaseline(d *plan.Decision, proofs []evidence.Sample,
	base *baseline.Baseline) (list []Exact, why string) {
	pair := func(name string) *Workload { // pairs in which base always has the baseline's value
		w := &Workload{}
		for i, s := range proofs {
			w.Samples = append(w.Samples, s, evidence.Sample{Counters: map[string]float64{name: base.Exact[name]}})
			w.Pairs = append(w.Pairs, evidence.Pair{Head: 2 * i, Base: 2*i + 1})
		}
		return w
	}
	names := map[string]bool{}
	for name := range base.Exact {
		names[name] = true
	}
	list = []Exact{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w := pair(name)
		e := compareExactly(w, name)
		if most, bound := d.File.Metrics.Exact[name]; bound {
			e.Max, e.Bound = &most, e.bound(w, most)
		}
		list = append(list, e)
	}
	for _, name := range slices.Sorted(maps.Keys(d.File.Metrics.Exact)) {
		at := slices.IndexFunc(list, func(e Exact) bool { return e.Name == name })
		if at < 0 || list[at].Bound != BoundHeld {
			return nil, fmt.Sprintf("only pairs can show whether %s keeps its bound of metrics.exact", name)
		}
	}
	return list, ""
}

// alone counts the proofs of the baseline pre-check.
func (w *Workload) alone() int {
	if w.PreCheck == nil || w.PreCheck.Processes == 0 {
		return 0
	}
	last := 0
	for i, s := range w.Samples {
		if s.Kind == evidence.PreCheck {
			last = i + 1
		}
	}
	for last < len(w.Samples) && w.Samples[last].Kind == evidence.Unmeasured && w.Samples[last].Arm == schedule.Base {
		last++
	}
	return last
}

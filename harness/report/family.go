package report

import (
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// A Family is the verdict of one workload within the family of all workloads of its run. Without adjustment, each
// workload alone calls a false change with probability alpha, and ten together with 40 %. With several workloads,
// p-values are Holm-adjusted: the probability of any false call in the run is at most alpha, whatever the dependence
// between workloads.
type Family struct {
	Workloads int `json:"workloads"`
	// Heads is the number of heads of the run. OfHead is the result adjusted only for that number, with the simultaneous
	// interval. Both are absent in a run with one head.
	Heads  int           `json:"heads,omitempty"`
	OfHead *stats.OfHead `json:"of_head,omitempty"`
	P      stats.Number  `json:"p"` // adjusted over heads and workloads
	// Upheld means that the change found in this workload also holds within the family.
	Upheld bool `json:"upheld"`
}

// JudgeFamily adjusts the verdicts of a complete run of several workloads. It does nothing while a workload has no
// verdict.
func JudgeFamily(plan plan.Plan, workloads []Workload) error {
	p := make([]stats.Number, len(workloads))
	for i := range workloads {
		w := &workloads[i]
		w.Family = nil
		if w.Stats == nil || w.Stats.Verdict == "" {
			return nil // the run did not end
		}
		var err error
		if p[i], err = wholeP(plan, w); err != nil {
			return err
		}
	}
	if len(workloads) < 2 {
		return nil
	}
	if workloads[0].Of != "" {
		return judgeHeads(plan, workloads)
	}
	for i, adjusted := range stats.Holm(p) {
		workloads[i].Family = &Family{Workloads: len(workloads), P: adjusted,
			Upheld: adjusted.Exists() && adjusted.Float() <= plan.WholeAlpha()}
	}
	return nil
}

// wholeP returns the p-value of a workload's primary metric: the smallest alpha at which the run would have called a
// change. With one analysis, it is the larger p-value of both tests. With interim analyses, it is the repeated p-value
// at the last analysis: see [stats.Design.RepeatedP]. If no change was called it exceeds alpha; 1 then suffices.
func wholeP(plan plan.Plan, w *Workload) (stats.Number, error) {
	p := w.Stats.BothP()
	switch {
	case w.Stats.Phase == 1 && !called(w.Stats.Verdict):
		return 1, nil
	case w.Stats.Phase == 1: // the pre-check has another share of alpha than pairs, to whose level p is compared
		first, pairs := plan.PreCheckAlphas()
		return min(1, p*stats.Number(pairs/first)), nil
	case w.Sequential == nil:
		return p, nil
	case !called(w.Stats.Verdict):
		return 1, nil
	}
	design, err := plan.Sequence(w.Processes)
	if err != nil {
		return p, err
	}
	return design.RepeatedP(len(w.Pairs), p), nil
}

// called reports whether a verdict calls a change.
func called(v stats.Verdict) bool { return v == stats.Improvement || v == stats.Regression }

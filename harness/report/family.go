package report

import (
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// A Family is the verdict of one workload among those of all workloads of its run. Each by itself calls a change
// falsely with the run's alpha; ten of them together would with 40 %. So a change counts where its p, adjusted by
// Holm's procedure over the workloads, is at or under alpha: then the run calls any change falsely with alpha at most,
// whatever the workloads share.
type Family struct {
	Workloads int          `json:"workloads"`
	P         stats.Number `json:"p"` // adjusted
	// Upheld says that a change found in this workload alone is one of the family too.
	Upheld bool `json:"upheld"`
}

// JudgeFamily adjusts the verdicts of a complete run of several workloads. One that is not judged yet is no member.
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
	for i, adjusted := range stats.Holm(p) {
		workloads[i].Family = &Family{len(workloads), adjusted, adjusted.Exists() && adjusted.Float() <= plan.WholeAlpha()}
	}
	return nil
}

// wholeP is the p-value of a workload's primary metric: the smallest alpha at which the run would have called a change.
// With one look it is the larger of those of both tests. With several it is the repeated p-value of that, at the last
// look taken: see [stats.Design.RepeatedP]. Where no change was called it is above alpha, and 1 will do.
func wholeP(plan plan.Plan, w *Workload) (stats.Number, error) {
	p := w.Stats.BothP()
	switch {
	case w.Stats.Tier == 1 && !called(w.Stats.Verdict):
		return 1, nil
	case w.Stats.Tier == 1: // its level is another part of alpha than that of pairs, to which p is compared
		first, pairs := plan.TierAlphas()
		return min(1, p*stats.Number(pairs/first)), nil
	case w.Sequential == nil:
		return p, nil
	case !called(w.Stats.Verdict):
		return 1, nil
	}
	design, err := plan.Sequence(w.Launches)
	if err != nil {
		return p, err
	}
	return design.RepeatedP(len(w.Pairs), p), nil
}

// called says whether a verdict calls a change.
func called(v stats.Verdict) bool { return v == stats.Improvement || v == stats.Regression }

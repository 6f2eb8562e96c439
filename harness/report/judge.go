package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// Judge recomputes the conclusions of a workload from its counted pairs, by the metrics of a bench.yaml and a plan for
// n workloads: the statistics and verdict of the primary metric and, if the samples are there, the secondary metrics,
// stages and exact quantities. It replaces the claimed conclusions. Judge is for reports from an untrusted source: it
// trusts only the values of the pairs.
func Judge(file *config.File, by plan.Plan, workloads int, w *Workload) error {
	d := &plan.Decision{Plan: by, Workloads: make([]string, workloads), File: file}
	if w.PreCheck != nil && w.PreCheck.Decided == 1 {
		return judgePreCheck(d, w)
	}
	s, err := schedule.New(by.Pairs, schedule.Design(by.Design), by.Seed)
	if err != nil {
		return err
	}
	if err := by.MayHave(w.Processes); err != nil {
		return err
	}
	s = s.WithReplicates(w.Processes, by.Builds)
	seen := map[int]bool{}
	for i, p := range w.Pairs {
		if p.Number < 1 || p.Number > by.Pairs || seen[p.Number] {
			return fmt.Errorf("it has a second or invalid pair %d: want each from 1 to %d once", p.Number, by.Pairs)
		}
		seen[p.Number] = true
		planned := s.Pair(p.Number) // the sampling units follow from the plan
		w.Pairs[i].Block, w.Pairs[i].Process, w.Pairs[i].Build = planned.Block, planned.Process, planned.Build
	}
	if err := clocked(d, w); err != nil {
		return err
	}
	if err := sampled(w, w.Metric.Name); err != nil {
		return err
	}
	w.Warnings = slices.DeleteFunc(slices.Clone(w.Warnings), func(warning plan.Warning) bool {
		return warning.Kind == string(stats.WarnControl) || warning.Kind == warnStages ||
			warning.Kind == warnUnits
	})
	w.Stats, w.Sequential, w.Secondary, w.Exact, w.Throughput = nil, nil, nil, nil, nil
	if len(w.Samples) == 0 {
		// Without samples the secondary metrics have no values.
		if by.StageMargin > 0 || len(file.Metrics.Exact) > 0 {
			return errors.New("it has no samples, which metrics.stages and metrics.exact of bench.yaml need")
		}
		primary, sequential, err := judgePrimary(d, w)
		w.Stats, w.Sequential = primary, sequential
		if err != nil {
			return err
		}
	} else if err := analyzePairs(d, w); err != nil {
		return err
	}
	w.pairsDecided(by)
	if w.Sequential == nil && len(w.Pairs) != by.Pairs || w.Sequential != nil && !w.Sequential.Done() {
		return fmt.Errorf("it has %d pairs, and no analysis of a plan of %d pairs ends there", len(w.Pairs), by.Pairs)
	}
	return nil
}

// clocked checks that a workload is judged by the clock that its samples require. Without samples it trusts the
// workload, as Judge trusts the values of its pairs.
func clocked(d *plan.Decision, w *Workload) error {
	planned := d.File.Metrics.Primary.Name
	if w.Suite != "" {
		planned = suitePrimary(d.File.Metrics.Primary).Name
	}
	if !metrics.JudgedBy(planned, w.Metric.Name) {
		return fmt.Errorf("it was judged by %q, bench.yaml says %s", w.Metric.Name, planned)
	}
	clock := w.clock(planned, d.Plan.Equivalence)
	if clock == nil {
		return nil
	}
	if clock.Used != w.Metric.Name {
		return fmt.Errorf("it was judged by %s, and by its samples %s decides: the clocks of its proofs differ by up to "+
			"%.2g %% on base and %.2g %% on head, and %.2g %% are allowed", w.Metric.Name, clock.Used, 100*clock.BaseApart,
			100*clock.HeadApart, 100*clock.Allowed)
	}
	w.Clock = clock
	return nil
}

// pairsDecided records that pairs decided, if the plan has a baseline pre-check.
func (w *Workload) pairsDecided(plan plan.Plan) {
	if plan.PreCheck == 0 {
		w.PreCheck = nil
		return
	}
	w.Stats.Phase = 2
	if w.PreCheck != nil {
		w.PreCheck.Decided, w.PreCheck.Baseline, w.PreCheck.Moves = 2, nil, nil
	}
}

// judgePreCheck recomputes the verdict of a baseline pre-check from its baseline, its moves and the proofs of head. It
// trusts them like the values of pairs, and checks whether they can support the verdict.
func judgePreCheck(d *plan.Decision, w *Workload) error {
	preCheck, base := w.PreCheck, w.PreCheck.Baseline
	w.Stats, w.Sequential, w.Secondary, w.Exact, w.Throughput = nil, nil, []Secondary{}, []Exact{}, nil
	proofs := 0
	var alone []*evidence.Sample
	for i, s := range w.Samples {
		if s.Kind != evidence.PreCheck {
			continue
		}
		alone = append(alone, &w.Samples[i])
		if value, ok := s.Metrics[w.Metric.Name]; s.Arm != schedule.Head || !ok || !(value > 0) {
			return fmt.Errorf("a proof of head alone has no %s above 0", w.Metric.Name)
		}
		proofs++
	}
	switch {
	case d.Plan.PreCheck == 0 || d.Plan.StageMargin > 0 || w.Metric.Scale != stats.ScaleLog:
		return errors.New("it says that a baseline pre-check decided it, and its plan has none")
	case len(w.Pairs) > 0:
		return fmt.Errorf("it says that a baseline pre-check decided it, and has %d pairs", len(w.Pairs))
	case base == nil || base.SHA256 == "" || base.SHA256 != base.Sum() || base.Workload != w.Name:
		return errors.New("it says that a baseline pre-check decided it, and has no intact baseline of its workload")
	case !metrics.JudgedBy(d.File.Metrics.Primary.Name, base.Metric) || w.Metric.Name != base.Metric:
		return fmt.Errorf("it was judged by %q and its baseline by %q, bench.yaml says %s", w.Metric.Name, base.Metric,
			d.File.Metrics.Primary.Name)
	case !(preCheck.AgeHours >= 0 && preCheck.AgeHours <= baseline.MaxAge.Hours()):
		return fmt.Errorf("its baseline is %g hours old: want 0 to %g", preCheck.AgeHours, baseline.MaxAge.Hours())
	}
	if ClockOf(base.Metric, d.Plan.Equivalence, alone, alone).Disagrees() {
		return fmt.Errorf("its baseline uses %s, which differs from %s in head's proofs", base.Metric, metrics.WallSeconds)
	}
	for i, move := range preCheck.Moves {
		if !(move.To-move.From >= preCheck.AgeHours) || i > 0 && !(move.From >= preCheck.Moves[i-1].To) {
			return fmt.Errorf("move %d of its host is shorter than its baseline is old, or overlaps the one before", i+1)
		}
	}
	if why := JudgePreCheck(d, w, preCheck); why != "" {
		return fmt.Errorf("%d proofs of head alone decide nothing: %s", proofs, why)
	}
	if w.Processes != preCheck.Processes {
		return fmt.Errorf("it has %d processes of head alone, and claims %d", w.Processes, preCheck.Processes)
	}
	return nil
}

// sampled checks that the values of pairs are equal to the values of their samples.
func sampled(w *Workload, primary string) error {
	if len(w.Samples) == 0 {
		return nil
	}
	for _, p := range w.Pairs {
		for _, side := range []struct {
			at    int
			value float64
		}{{p.Base, p.A}, {p.Head, p.B}} {
			if side.at < 0 || side.at >= len(w.Samples) {
				return fmt.Errorf("pair %d has no sample %d", p.Number, side.at)
			}
			if value, ok := w.Samples[side.at].Metrics[primary]; !ok || value != side.value {
				return fmt.Errorf("pair %d has a %s of %g, and its sample %g", p.Number, primary, side.value, value)
			}
		}
	}
	return nil
}

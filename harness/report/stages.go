package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// reader returns a function that reads a metric of a proof. Unstaged is computed from the stages that all counted
// proofs have.
func (w *Workload) reader(metric string) func(*evidence.Sample) (float64, bool) {
	if metric != metrics.Unstaged {
		return func(s *evidence.Sample) (float64, bool) { return s.Value(metric) }
	}
	var common []string
	for i, p := range w.Pairs {
		for _, at := range []int{p.Base, p.Head} {
			names := w.Samples[at].StageNames()
			if i == 0 && at == p.Base {
				common = names
			}
			common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(names, name) })
		}
	}
	return func(s *evidence.Sample) (float64, bool) { return s.Unstaged(common) }
}

// stages lists the parts of a proof's time: the stages of any counted proof, and the rest. If all proofs have the
// device's time of a stage, that stage has one row for the device and one for the host's remainder, which varies a
// hundred times as much. The primary metric is left out. If it is the wall time, there is a row for its excess over
// prove_seconds. The rows add up to the mean of prove_seconds, or of the wall time.
func stages(w *Workload) []string {
	proofs, count := 0, map[string]int{}
	for _, p := range w.Pairs {
		for _, at := range []int{p.Base, p.Head} {
			proofs++
			for name := range w.Samples[at].Metrics {
				count[name]++
			}
		}
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		stage, part, ok := metrics.StageOf(name)
		if !ok || part != metrics.StageTime || name == w.Metric.Name {
			continue
		}
		if device := metrics.DeviceStage(stage); count[device] == proofs && device != w.Metric.Name {
			found = append(found, device, metrics.HostPart(stage))
			continue
		}
		found = append(found, name)
	}
	if len(found) == 0 {
		return nil
	}
	found = append(found, metrics.Unstaged)
	if w.Metric.Name == metrics.WallSeconds {
		found = append(found, metrics.Outside)
	}
	return found
}

// warnStages is the kind of warning about stages that do not add up.
const warnStages = "stages"

// stageSums warns if the stages of an arm do not add up to its proofs. They may never exceed the proof. If there is a
// stage named other, which takes the rest, they must also not fall short of it by more than the allowed error.
func (w *Workload) stageSums(margin float64) (warnings []plan.Warning) {
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		worst, of := 0.0, (*evidence.Sample)(nil)
		for _, p := range w.Pairs {
			s := &w.Samples[p.Base]
			if arm == schedule.Head {
				s = &w.Samples[p.Head]
			}
			names := s.StageNames()
			rest, ok := s.Unstaged(names)
			if !ok || len(names) == 0 || rest >= 0 && !slices.Contains(names, "other") {
				continue
			}
			if math.Abs(rest) > ErrorShare*margin*s.Metrics[metrics.ProveSeconds] && math.Abs(rest) > math.Abs(worst) {
				worst, of = rest, s
			}
		}
		if of == nil {
			continue
		}
		own := of.Metrics[metrics.ProveSeconds]
		warnings = append(warnings, plan.Warning{Kind: warnStages,
			Text: fmt.Sprintf("%s: a proof took %.6g s (%s), but its stages %s add up to %.6g s: the difference is in the "+
				"row \"in no stage\", and the stages do not show exactly where the time goes",
				arm, own, metrics.ProveSeconds, strings.Join(of.StageNames(), ", "), own-worst)})
	}
	return warnings
}

// contribute adds to the tests of stages their contributions to the total time: see stats.StageLevel. All stages with a
// contribution form one family, computed rows included; a stage with host and device times takes part with both.
func contribute(d *plan.Decision, w *Workload) error {
	total := metrics.ProveSeconds
	if w.Metric.Name == metrics.WallSeconds {
		total = metrics.WallSeconds
	}
	whole, _ := w.values(schedule.Base, total)
	family := stages(w)
	level := stats.StageLevel(d.Plan.Alpha, len(family), d.FamilySize(), d.Plan.Analyses)
	for i := range w.Secondary {
		s := &w.Secondary[i]
		if !slices.Contains(family, s.Metric) {
			continue
		}
		pairs := w.metricPairs(s.Metric)
		if len(pairs) < len(w.Pairs) || len(whole) < len(w.Pairs) {
			continue
		}
		c, err := stats.Contribute(pairs, stats.Mean(whole).Float(), d.Plan.StageMargin, level)
		if err != nil {
			return err
		}
		s.Contribution = &c
	}
	return nil
}

// A StageScatter is the scatter of a stage's time between the arms of an A/A run.
type StageScatter struct {
	Metric string
	Mean   float64 // of base, in seconds
	// Components are the variance components of log base - log head, as in a noise profile.
	Components []stats.Component
}

// StageScatters returns the scatter of every stage that takes time in all counted proofs, the longest stage first.
func (w *Workload) StageScatters() ([]StageScatter, error) {
	var list []StageScatter
	for _, metric := range stages(w) {
		pairs := w.metricPairs(metric)
		absent := func(p stats.Pair) bool { return p.A <= 0 || p.B <= 0 }
		if len(pairs) < len(w.Pairs) || slices.ContainsFunc(pairs, absent) {
			continue
		}
		components, err := stats.Components(pairs, stats.ScaleLog)
		if err != nil {
			return nil, err
		}
		values, _ := w.values(schedule.Base, metric)
		list = append(list, StageScatter{metric, stats.Mean(values).Float(), components})
	}
	slices.SortStableFunc(list, func(a, b StageScatter) int { return cmp.Compare(b.Mean, a.Mean) })
	return list, nil
}

// metricPairs returns the values of a metric in the counted pairs in which both arms have it.
func (w *Workload) metricPairs(metric string) []stats.Pair {
	var pairs []stats.Pair
	value := w.reader(metric)
	for _, p := range w.Pairs {
		a, hasA := value(&w.Samples[p.Base])
		b, hasB := value(&w.Samples[p.Head])
		if hasA && hasB {
			pairs = append(pairs, p.Of(a, b))
		}
	}
	return pairs
}

// Verdict returns the verdict of a workload. It is a regression if the total time regressed, a stage did, or an exact
// quantity exceeded its bound. Otherwise it is the verdict on the total time, or borderline if a change does not hold
// within the family. It is empty if there is none.
func (w *Workload) Verdict() stats.Verdict {
	switch {
	case w.Stats == nil || w.Stats.Verdict == "":
		return ""
	case slices.ContainsFunc(w.Secondary, Secondary.Regression), slices.ContainsFunc(w.Exact, Exact.Exceeded):
		return stats.Regression
	case w.Family != nil && !w.Family.Upheld && called(w.Stats.Verdict):
		return stats.Borderline
	}
	return w.Stats.Verdict
}

// Regression reports whether a metric is a stage that slows the total time by more than bench.yaml allows.
func (s Secondary) Regression() bool { return s.Contribution != nil && s.Contribution.Regression }

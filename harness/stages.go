package harness

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// Of the names of a stage's times: the host's, between its own calls, and the device's, by events on it.
const (
	stagePrefix  = "stage_"
	devicePrefix = "device_"
	timeSuffix   = "_seconds"
)

// StageOf takes the name of a stage's time apart: the stage, and whether it is by the device's clock. It is not ok for
// the name of anything else.
func StageOf(metric string) (stage string, device, ok bool) {
	stage, ok = strings.CutSuffix(metric, timeSuffix)
	if !ok {
		return "", false, false
	}
	if name, host := strings.CutPrefix(stage, stagePrefix); host {
		return name, false, true
	}
	name, device := strings.CutPrefix(stage, devicePrefix)
	return name, true, device
}

// HostStage is the name of a stage's time by the host's clock.
func HostStage(stage string) string { return stagePrefix + stage + timeSuffix }

// stages names the time of every stage that any counted proof has, the primary metric not among them. It is the
// device's where all of them have that: what the host does meanwhile varies a hundred times as much.
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
		stage, byDevice, ok := StageOf(name)
		if !ok || byDevice || name == w.Metric.Name {
			continue
		}
		if device := devicePrefix + stage + timeSuffix; count[device] == proofs && device != w.Metric.Name {
			name = device
		}
		found = append(found, name)
	}
	return found
}

// contribute adds to the tests of stages what each of them contributes to the whole: see stats.StageLevel. Those that
// have a contribution are one family; a stage whose host's time is reported beside its device's is in it once.
func (d *Decision) contribute(w *Workload) error {
	whole, _ := w.values(Base, session.PrimarySeconds)
	family := stages(w)
	level := stats.StageLevel(d.Plan.Alpha, len(family), d.workloads(), d.Plan.Looks)
	for i := range w.Secondary {
		s := &w.Secondary[i]
		if !slices.Contains(family, s.Metric) {
			continue
		}
		pairs := w.metricPairs(s.Metric)
		if len(pairs) < len(w.Pairs) || len(whole) < len(w.Pairs) {
			continue
		}
		c, err := stats.Contribute(pairs, mean(whole).Float(), d.Plan.StageMargin, level)
		if err != nil {
			return err
		}
		s.Contribution = &c
	}
	return nil
}

// A StageScatter is what a stage's time differs by between the arms of an A/A run.
type StageScatter struct {
	Metric string
	Mean   float64 // of base, in seconds
	// Components are those of log base - log head, as the profile has them of the whole.
	Components []stats.Component
}

// StageScatters splits the scatter of every stage that takes time in all counted proofs, the longest first.
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
		values, _ := w.values(Base, metric)
		list = append(list, StageScatter{metric, mean(values).Float(), components})
	}
	slices.SortStableFunc(list, func(a, b StageScatter) int { return cmp.Compare(b.Mean, a.Mean) })
	return list, nil
}

// workloads counts the workloads of the run.
func (d *Decision) workloads() int { return max(1, len(d.Workloads)) }

// metricPairs are the counted pairs in which both sides have a metric, with its values.
func (w *Workload) metricPairs(metric string) []stats.Pair {
	var pairs []stats.Pair
	for _, p := range w.Pairs {
		a, hasA := w.Samples[p.Base].Metrics[metric]
		b, hasB := w.Samples[p.Head].Metrics[metric]
		if hasA && hasB {
			pairs = append(pairs, p.Of(a, b))
		}
	}
	return pairs
}

// Verdict is what a workload comes to: a regression where the whole is one, or a stage is, or a counter has grown
// beyond its bound; else the verdict on the whole, borderline where a change is none among all workloads of the run. It
// is empty where there is none.
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

// Regression says that a metric is a stage that adds more to the whole than bench.yaml lets one add.
func (s Secondary) Regression() bool { return s.Contribution != nil && s.Contribution.Regression }

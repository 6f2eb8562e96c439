package harness

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// Of the names of a stage's times: the host's, between its own calls; the device's, by events on it; and the rest of
// the host's, which the harness computes.
const (
	stagePrefix  = "stage_"
	devicePrefix = "device_"
	hostPrefix   = "host_"
	timeSuffix   = "_seconds"
)

// What the harness adds to the stages, so that they make up the whole of a proof.
const (
	// Unstaged is the part of prove_seconds that is in no stage.
	Unstaged = "unstaged_seconds"
	// Outside is the part of wall_seconds that is outside of prove_seconds.
	Outside = "outside_seconds"
)

// A StagePart says which time of a stage a metric is.
type StagePart string

// The parts: the host's time of the stage, or that of the device and what the host's exceeds it by.
const (
	StageTime  StagePart = "stage"
	StageOnGPU StagePart = "device"
	StageHost  StagePart = "host"
)

// StageOf takes the name of a stage's time apart. It is not ok for the name of anything else.
func StageOf(metric string) (stage string, part StagePart, ok bool) {
	metric, ok = strings.CutSuffix(metric, timeSuffix)
	for part, prefix := range map[StagePart]string{
		StageTime: stagePrefix, StageOnGPU: devicePrefix, StageHost: hostPrefix,
	} {
		if stage, has := strings.CutPrefix(metric, prefix); ok && has {
			return stage, part, true
		}
	}
	return "", "", false
}

// HostStage is the name of a stage's time by the host's clock, and DeviceStage by the device's.
func HostStage(stage string) string   { return stagePrefix + stage + timeSuffix }
func DeviceStage(stage string) string { return devicePrefix + stage + timeSuffix }

// value is a metric of a proof: one that was measured, or one that the harness computes of those, so that the rows of a
// table of stages add up to the whole.
//
// Where a device works on a stage, its events say for how long, and the host's clock for how long the calls took. The
// difference is the host's part, host_NAME_seconds: what it does while the device waits for it. The device may still be
// at work when a call returns: then the host's part is below 0, and that of a later stage, which waits for the device,
// above it by as much. Either way device and host add up to the stage.
func (s *Sample) value(metric string) (value float64, ok bool) {
	get := func(name string) float64 {
		value, has := s.Metrics[name]
		ok = ok && has
		return value
	}
	ok = true
	switch stage, part, _ := StageOf(metric); {
	case metric == Outside:
		value = get(metricWall) - get(session.PrimarySeconds)
		return rounded(value), ok
	case part == StageHost:
		if value = get(HostStage(stage)) - get(DeviceStage(stage)); ok {
			return rounded(value), true
		}
	}
	value, ok = s.Metrics[metric]
	return value, ok
}

// unstaged is the part of a proof's own time that is in none of these stages.
func (s *Sample) unstaged(stages []string) (seconds float64, ok bool) {
	seconds, ok = s.Metrics[session.PrimarySeconds]
	for _, stage := range stages {
		took, has := s.Metrics[HostStage(stage)]
		seconds, ok = seconds-took, ok && has
	}
	return rounded(seconds), ok
}

// reader reads a metric of the proofs of a workload. What is in no stage is what none of those has that all proofs
// tell.
func (w *Workload) reader(metric string) func(*Sample) (float64, bool) {
	if metric != Unstaged {
		return func(s *Sample) (float64, bool) { return s.value(metric) }
	}
	var common []string
	for i, p := range w.Pairs {
		for _, at := range []int{p.Base, p.Head} {
			names := w.Samples[at].stageNames()
			if i == 0 && at == p.Base {
				common = names
			}
			common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(names, name) })
		}
	}
	return func(s *Sample) (float64, bool) { return s.unstaged(common) }
}

// rounded is a difference of times to the nanosecond: below that is what binary fractions leave of decimal ones.
func rounded(seconds float64) float64 { return math.Round(seconds*1e9) / 1e9 }

// computed says whether a row of a workload's stages is a difference of times, which may be 0 or less.
func computed(metric string) bool {
	_, part, _ := StageOf(metric)
	return part == StageHost || metric == Unstaged || metric == Outside
}

// stages names what the time of a proof is made of: the stages that any counted proof has, and what is in none of them.
// Where all proofs have the device's time of a stage, that is a row and the host's part another: what the host does
// varies a hundred times as much. The primary metric is not among them, and where it is the wall time, what that has
// beyond prove_seconds is. The rows add up to the mean of prove_seconds, or of the wall time.
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
		stage, part, ok := StageOf(name)
		if !ok || part != StageTime || name == w.Metric.Name {
			continue
		}
		if device := DeviceStage(stage); count[device] == proofs && device != w.Metric.Name {
			found = append(found, device, hostPrefix+stage+timeSuffix)
			continue
		}
		found = append(found, name)
	}
	if len(found) == 0 {
		return nil
	}
	found = append(found, Unstaged)
	if w.Metric.Name == metricWall {
		found = append(found, Outside)
	}
	return found
}

// warnStages marks stages that do not add up.
const warnStages = "stages"

// stageSums warns of an arm whose stages do not add up to its proofs: where there is a stage for all the rest, other,
// to within the error that the margin leaves, and never to more than the proof.
func (w *Workload) stageSums(margin float64) (warnings []Warning) {
	for _, arm := range []Arm{Base, Head} {
		worst, of := 0.0, (*Sample)(nil)
		for _, p := range w.Pairs {
			s := &w.Samples[p.Base]
			if arm == Head {
				s = &w.Samples[p.Head]
			}
			names := s.stageNames()
			rest, ok := s.unstaged(names)
			if !ok || len(names) == 0 || rest >= 0 && !slices.Contains(names, "other") {
				continue
			}
			if math.Abs(rest) > errorShare*margin*s.Metrics[session.PrimarySeconds] && math.Abs(rest) > math.Abs(worst) {
				worst, of = rest, s
			}
		}
		if of == nil {
			continue
		}
		own := of.Metrics[session.PrimarySeconds]
		warnings = append(warnings, Warning{warnStages, fmt.Sprintf("%s: the stages %s of a proof of %.6g s (%s) add up to "+
			"%.6g s: the row of what is in no stage has the difference, and what they say of where time goes is not whole",
			arm, strings.Join(of.stageNames(), ", "), own, session.PrimarySeconds, own-worst)})
	}
	return warnings
}

// stageNames are the stages of a proof, by the host's clock.
func (s *Sample) stageNames() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Metrics)) {
		if stage, part, ok := StageOf(name); ok && part == StageTime {
			names = append(names, stage)
		}
	}
	return names
}

// contribute adds to the tests of stages what each of them contributes to the whole: see stats.StageLevel. Those that
// have a contribution are one family, computed rows included; a stage whose host's time is reported beside its device's
// is in it by its parts.
func (d *Decision) contribute(w *Workload) error {
	total := session.PrimarySeconds
	if w.Metric.Name == metricWall {
		total = metricWall
	}
	whole, _ := w.values(Base, total)
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
func (d *Decision) workloads() int { return max(1, len(d.Workloads), d.benchmarks) }

// metricPairs are the counted pairs in which both sides have a metric, with its values.
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

package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// secondary tests the reported metrics and every stage, adjusted as one family.
func secondary(d *plan.Decision, w *Workload) []Secondary {
	out := []Secondary{}
	for _, metric := range reported(d, w) {
		out = append(out, testMetric(d, w, metric))
	}
	if planned := d.File.Metrics.Primary; w.Clock.Disagrees() && !reports(d, planned.Name) {
		out = append(out, testMetric(d, w, planned))
	}
	for _, name := range stages(w) {
		if !reports(d, name) {
			scale := config.LogScale
			if metrics.Computed(name) {
				scale = config.DifferenceScale
			}
			out = append(out, testMetric(d, w, config.Metric{Name: name, Better: config.Lower, Scale: scale}))
		}
	}
	p := make([]stats.Number, len(out))
	for i, s := range out {
		p[i] = stats.Number(math.NaN())
		if s.Stats != nil {
			p[i] = s.Stats.P()
		}
	}
	for i, adjusted := range stats.Holm(p) {
		out[i].PHolm = adjusted
		out[i].ControlMoved = out[i].Control && adjusted.Exists() && adjusted.Float() <= d.Plan.Alpha
	}
	return out
}

// reports reports whether bench.yaml lists a metric in metrics.report.
func reports(d *plan.Decision, name string) bool {
	return slices.ContainsFunc(d.File.Metrics.Report, func(m config.Metric) bool { return m.Name == name })
}

// testMetric compares one secondary metric over the counted pairs. If an arm lacks it, or has a value outside the
// domain of its scale, the metric is shown without a test.
func testMetric(d *plan.Decision, w *Workload, metric config.Metric) Secondary {
	s := Secondary{Metric: metric.Name, Kind: KindMetric, Better: string(metric.Better), Control: metric.Control}
	if _, part, ok := metrics.StageOf(metric.Name); ok && part == metrics.StageTime ||
		slices.Contains(stages(w), metric.Name) {
		s.Kind = KindStage
	}
	var base, head []float64
	value := w.reader(metric.Name)
	for _, p := range w.Pairs {
		if a, has := value(&w.Samples[p.Base]); has {
			base = append(base, a)
		}
		if b, has := value(&w.Samples[p.Head]); has {
			head = append(head, b)
		}
	}
	s.MeanA, s.MeanB = stats.Mean(base), stats.Mean(head)
	if s.Untested = whyUntested(len(w.Pairs), base, head, stats.Scale(metric.Scale)); s.Untested != "" {
		return s
	}
	result, err := stats.Analyze(w.metricPairs(metric.Name), d.StatsOptions(metric))
	if err != nil {
		s.Untested = err.Error()
		return s
	}
	s.Stats = &result
	return s
}

// whyUntested returns the reason why a metric cannot be tested; empty if it can.
func whyUntested(pairs int, base, head []float64, scale stats.Scale) string {
	for _, side := range []struct {
		arm    schedule.Arm
		values []float64
	}{{schedule.Base, base}, {schedule.Head, head}} {
		switch zeros := slices.Contains(side.values, 0); {
		case len(side.values) == 0:
			return fmt.Sprintf("%s does not report it", side.arm)
		case len(side.values) < pairs:
			return fmt.Sprintf("%s reports it in %d of %d proofs only", side.arm, len(side.values), pairs)
		case zeros && scale != stats.ScaleDifference:
			return fmt.Sprintf("it is 0 on %s", side.arm)
		}
	}
	return ""
}

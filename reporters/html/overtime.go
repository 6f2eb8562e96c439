package html

import (
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
)

// timeChart shows the primary metric of every proof over time, with unmeasured and dropped proofs marked.
func timeChart(_ *report.Report, w *report.Workload) (*chart, error) {
	return overTime(w, "time", w.Metric.Name, "Every proof in execution order: "+w.Metric.Name+" of both arms", 300)
}

// environmentChart shows, on the same time axis, the most informative reading of the host.
func environmentChart(_ *report.Report, w *report.Workload) (*chart, error) {
	for _, reading := range []struct{ metric, what string }{
		{"gpu_clock_sm_mhz", "clock of the GPU's multiprocessors"},
		{"gpu_temperature_celsius", "temperature of the GPU"},
		{"others_share", "share of the CPUs used by other processes"},
		{"cpu_share", "share of the CPUs used by the proof"},
	} {
		present, varies := 0, false
		first := math.NaN()
		for _, s := range w.Samples {
			if v, ok := s.Metrics[reading.metric]; ok {
				present++
				varies = varies || present > 1 && v != first
				first = v
			}
		}
		if present > 1 && varies {
			return overTime(w, "environment", reading.metric, "The host during every proof: "+reading.what, 240)
		}
	}
	return nil, nil
}

// The kinds of samples.
const (
	counted = iota
	unmeasured
	dropped
)

// sampleMarks are the marks by kind and arm.
var sampleMarks = [3][2]struct {
	shape svg.Shape
	key   key
}{
	counted: {{svg.Disc, key{svg.Base, "●", "base"}},
		{svg.Square, key{svg.Head, "■", "head"}}},
	unmeasured: {{svg.Ring, key{svg.Base, "○", "base, not measured"}},
		{svg.Box, key{svg.Head, "□", "head, not measured"}}},
	dropped: {{svg.Ring, key{svg.Dropped, "○", "base, dropped pair"}},
		{svg.Cross, key{svg.Dropped, "×", "head, dropped pair"}}},
}

// series has the points of one metric over time, by kind and arm.
type series struct {
	points    [3][2][]svg.Point
	low, high float64
	end       float64 // seconds
}

// collect extracts a metric from every sample that has it. Time starts at the first proof, which may not be the first
// sample if several hosts proved concurrently.
func collect(w *report.Workload, metric string) series {
	s := series{low: math.Inf(1), high: math.Inf(-1)}
	if len(w.Samples) == 0 {
		return s
	}
	begun := slices.MinFunc(w.Samples, func(a, b evidence.Sample) int { return a.Started.Compare(b.Started) }).Started
	for _, sample := range w.Samples {
		value, ok := sample.Metrics[metric]
		if !ok || !finite(value) {
			continue
		}
		kind, arm := counted, 0
		switch {
		case sample.Dropped:
			kind = dropped
		case sample.Kind != evidence.Measured:
			kind = unmeasured
		}
		if sample.Arm == schedule.Head {
			arm = 1
		}
		at := sample.Started.Sub(begun).Seconds()
		s.points[kind][arm] = append(s.points[kind][arm], svg.Point{X: at, Y: value})
		s.low, s.high, s.end = math.Min(s.low, value), math.Max(s.high, value), math.Max(s.end, at)
	}
	return s
}

// overTime plots a metric of every sample against the time since the first.
func overTime(w *report.Workload, id, metric, caption string, height float64) (*chart, error) {
	s := collect(w, metric)
	if s.low > s.high {
		return nil, nil
	}
	factor, unit := document.Unit(metric, s.high)
	perTick, timeUnit := 1.0, "s"
	if s.end > 600 {
		perTick, timeUnit = 60, "min"
	}
	low, high := pad(s.low/factor, s.high/factor)
	left, right := pad(0, s.end/perTick)
	var keys []key
	for kind := range s.points {
		for arm, points := range s.points[kind] {
			if len(points) > 0 {
				keys = append(keys, sampleMarks[kind][arm].key)
			}
			for i := range points {
				points[i].X /= perTick
				points[i].Y /= factor
			}
		}
	}
	return twice(id, caption, keys, sizes(height, 260), func(p *svg.Plot, z size) {
		p.X = svg.Axis{Title: "time, " + timeUnit, Low: left, High: right, Ticks: svg.Ticks(left, right, ticksFor(z))}
		p.Y = svg.Axis{Title: axisTitle(metric, unit), Low: low, High: high, Ticks: svg.Ticks(low, high, 7), Grid: true}
		for kind := range s.points {
			for arm, points := range s.points[kind] {
				if mark := sampleMarks[kind][arm]; len(points) > 0 {
					p.Scatter(mark.key.Ink, mark.shape, radius(len(w.Samples), z), points...)
				}
			}
		}
	})
}

// axisTitle names a metric, with its unit instead of its suffix.
func axisTitle(metric, unit string) string {
	for _, suffix := range []string{"_seconds", "_bytes", "_share", "_celsius", "_mhz", "_joules", "_watts"} {
		metric = strings.TrimSuffix(metric, suffix)
	}
	metric = strings.ReplaceAll(document.Clean(metric), "_", " ")
	if unit != "" {
		metric += ", " + unit
	}
	return metric
}

package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
	"github.com/chiasmus/chiasmus/stats"
)

// charts draws all charts that a workload has data for. Without tests it omits those with intervals.
func charts(r *report.Report, w *report.Workload) ([]chart, error) {
	tests := r.State == report.Complete && w.Stats != nil
	var list []chart
	for _, draw := range []struct {
		make func(*report.Report, *report.Workload) (*chart, error)
		when bool
		full bool
	}{
		{effectChart, tests, true},
		{pairsChart, true, false},
		{distributionChart, true, false},
		{timeChart, true, true},
		{stagesChart, true, true},
		{environmentChart, true, true},
	} {
		if !draw.when {
			continue
		}
		c, err := draw.make(r, w)
		if err != nil {
			return nil, fmt.Errorf("workload %s: %w", w.Name, err)
		}
		if c != nil {
			c.Full = draw.full
			list = append(list, *c)
		}
	}
	return list, nil
}

// estimate is one line of the effect chart: a change of head against base in percent, with its interval.
type estimate struct {
	name           string
	at, low, upper float64
}

// effectChart shows the effect estimates with their intervals, zero and the margin.
func effectChart(r *report.Report, w *report.Workload) (*chart, error) {
	s := w.Stats
	var list []estimate
	add := func(name string, at stats.Number, ci stats.Interval) {
		e := estimate{name, -s.Percent(float64(at)), -s.Percent(ci.High), -s.Percent(ci.Low)}
		if finite(e.at, e.low, e.upper) {
			list = append(list, e)
		}
	}
	add("order-adjusted", s.Order.AdjustedMean, s.Order.AdjustedCI)
	add("Hodges-Lehmann", s.HodgesLehmann.Estimate, s.HodgesLehmann.CI)
	add("paired t", s.T.Mean, s.T.CI)
	if len(list) == 0 {
		return nil, nil
	}
	margin := s.TOST.Margin
	low, high := 0.0, 0.0
	for _, e := range list {
		low, high = math.Min(low, e.low), math.Max(high, e.upper)
	}
	var bandLow, bandHigh float64
	if margin.Exists() {
		bandLow, bandHigh = -s.Percent(float64(margin)), -s.Percent(-float64(margin))
		low, high = math.Min(low, bandLow), math.Max(high, bandHigh)
	}
	low, high = pad(low, high)
	caption := "Change of head against base in %, with intervals; left of 0, head is " + lower(w.Metric.Name)
	if margin.Exists() {
		caption += fmt.Sprintf("; shaded: the margin of %g %%", 100*r.Plan.Equivalence)
	}
	return twice("effect", caption, nil, sizes(170, 170), func(p *svg.Plot, z size) {
		top := float64(len(list)) - 0.5
		p.X = svg.Axis{Title: "change, %", Low: low, High: high, Ticks: svg.Ticks(low, high, ticksFor(z)), Grid: true}
		if margin.Exists() {
			p.Band(svg.Margin, svg.Point{X: bandLow, Y: -0.5}, svg.Point{X: bandHigh, Y: top})
		}
		p.Line(svg.Axes, 1.5, "", svg.Point{X: 0, Y: -0.5}, svg.Point{X: 0, Y: top})
		names := make([]string, len(list))
		for i, e := range list {
			y := float64(i)
			names[i] = e.name
			p.Line(svg.Accent, 3, "", svg.Point{X: e.low, Y: y}, svg.Point{X: e.upper, Y: y})
			title := fmt.Sprintf("%s: %+.2f %%, interval %+.2f to %+.2f %%", e.name, e.at, e.low, e.upper)
			p.Scatter(svg.Accent, svg.Disc, 5, svg.Point{X: e.at, Y: y, Title: title})
		}
		p.Y = svg.Axis{Low: -0.5, High: top, Ticks: svg.Names(names...)}
	})
}

// lower names the direction of lower values.
func lower(metric string) string {
	if strings.HasSuffix(metric, "_seconds") {
		return "faster"
	}
	return "lower"
}

// ticksFor is the number of labels that fit along an axis.
func ticksFor(z size) int {
	if z.narrow {
		return 5
	}
	return 10
}

// changes returns the change of each pair in percent and their mean, or nil if one cannot be drawn.
func changes(w *report.Workload) (d []float64, mean float64) {
	result := document.Described(w)
	if result == nil {
		return nil, 0
	}
	pairs := make([]stats.Pair, len(w.Pairs))
	for i, p := range w.Pairs {
		pairs[i] = p.Of(p.A, p.B)
	}
	d, err := stats.Differences(pairs, result.Scale)
	if err != nil {
		return nil, 0
	}
	for i := range d {
		d[i] = -result.Percent(d[i])
		if !finite(d[i]) {
			return nil, 0
		}
	}
	return d, -float64(result.EffectPercent)
}

// pairsChart shows the change of each pair, by order.
func pairsChart(_ *report.Report, w *report.Workload) (*chart, error) {
	d, mean := changes(w)
	if len(d) == 0 {
		return nil, nil
	}
	low, high := pad(math.Min(0, slices.Min(d)), math.Max(0, slices.Max(d)))
	return twice("pairs", "Every counted pair: change of head against base in %; the dashed line is their mean",
		orderKeys(w), sizes(300, 270), func(p *svg.Plot, z size) {
			first, last := 0.5, float64(len(d))+0.5
			p.X = svg.Axis{Title: "pair", Low: first, High: last, Ticks: svg.WholeTicks(first, last, ticksFor(z)+2)}
			p.Y = svg.Axis{Title: "change, %", Low: low, High: high, Ticks: svg.Ticks(low, high, 8), Grid: true}
			p.Line(svg.Axes, 1.5, "", svg.Point{X: first}, svg.Point{X: last})
			if finite(mean) {
				p.Line(svg.Accent, 1.5, "5 4", svg.Point{X: first, Y: mean}, svg.Point{X: last, Y: mean})
			}
			for _, kind := range pairKinds {
				var points []svg.Point
				for i, pair := range w.Pairs {
					if pair.Order == kind.order {
						title := fmt.Sprintf("pair %d, %s: %+.2f %%", i+1, kind.key.Name, d[i])
						points = append(points, svg.Point{X: float64(i + 1), Y: d[i], Title: title})
					}
				}
				if len(points) > 0 {
					p.Scatter(kind.key.Ink, kind.shape, radius(len(d), z), points...)
				}
			}
		})
}

// pairKinds are the marks by order.
var pairKinds = []struct {
	order stats.Order
	shape svg.Shape
	key   key
}{
	{stats.OrderAB, svg.Disc, key{svg.Base, "●", "base first"}},
	{stats.OrderBA, svg.Triangle, key{svg.Head, "▲", "head first"}},
	{stats.OrderUnknown, svg.Square, key{svg.Accent, "■", "order unknown"}},
}

// orderKeys returns the keys of the orders that occur.
func orderKeys(w *report.Workload) []key {
	var keys []key
	for _, kind := range pairKinds {
		if slices.ContainsFunc(w.Pairs, func(p evidence.Pair) bool { return p.Order == kind.order }) {
			keys = append(keys, kind.key)
		}
	}
	return keys
}

// distributionChart shows the distribution of changes: a histogram with a rug plot.
func distributionChart(_ *report.Report, w *report.Workload) (*chart, error) {
	d, _ := changes(w)
	if len(d) < 3 {
		return nil, nil
	}
	bins := min(20, max(4, int(math.Ceil(2*math.Cbrt(float64(len(d))))))) // Rice's rule
	low, high := pad(slices.Min(d), slices.Max(d))
	width := (high - low) / float64(bins)
	counts := make([]float64, bins)
	for _, x := range d {
		counts[min(bins-1, int((x-low)/width))]++
	}
	left, right := pad(math.Min(0, low), math.Max(0, high))
	return twice("distribution", "Distribution of the changes in %: pairs per bin, with a mark for each pair below",
		nil, sizes(300, 270), func(p *svg.Plot, z size) {
			top := slices.Max(counts)
			p.X = svg.Axis{Title: "change, %", Low: left, High: right, Ticks: svg.Ticks(left, right, ticksFor(z)+1)}
			p.Y = svg.Axis{Title: "pairs", Low: -top * 0.12, High: top * 1.08, Ticks: svg.WholeTicks(0, top*1.08, 6), Grid: true}
			var from, to, rug, ends []svg.Point
			for i, count := range counts {
				if count == 0 {
					continue
				}
				start := low + float64(i)*width
				title := fmt.Sprintf("%+.2f to %+.2f %%: %g pairs", start, start+width, count)
				from = append(from, svg.Point{X: start + width*0.03, Title: title})
				to = append(to, svg.Point{X: start + width*0.97, Y: count})
			}
			for _, x := range d {
				rug, ends = append(rug, svg.Point{X: x, Y: -top * 0.03}), append(ends, svg.Point{X: x, Y: -top * 0.09})
			}
			p.Bars(svg.Axes, from, to)
			p.Spans(svg.Accent, 1.25, rug, ends)
			p.Line(svg.Axes, 1.5, "", svg.Point{Y: -top * 0.1}, svg.Point{Y: top * 1.05})
		})
}

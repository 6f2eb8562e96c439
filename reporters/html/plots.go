package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// plain prints the label of a tick.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// roundTo takes the noise of multiplication off a multiple of step.
func roundTo(x, step float64) float64 {
	digits := max(0, int(math.Ceil(-math.Log10(step)))+1)
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil || rounded == 0 {
		return 0
	}
	return rounded
}

// charts draws what a workload has data for. Without tests, those that show an interval are left out.
func charts(r *harness.Report, w *harness.Workload) ([]chart, error) {
	tests := r.State == harness.Complete && w.Stats != nil
	var list []chart
	for _, draw := range []struct {
		make func(*harness.Report, *harness.Workload) (*chart, error)
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

// estimate is one line of the effect chart: changes of head against base in percent.
type estimate struct {
	name           string
	at, low, upper float64
}

// effectChart shows the estimates of the effect with their intervals, zero and the margin.
func effectChart(r *harness.Report, w *harness.Workload) (*chart, error) {
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
	caption := "Change of head against base in %, with intervals; left of 0 head is " + lower(w.Metric.Name)
	if margin.Exists() {
		caption += fmt.Sprintf("; shaded: the margin of %g %%", 100*r.Plan.Equivalence)
	}
	return twice("effect", caption, nil, sizes(170, 170), func(z size) (*plot.Plot, error) {
		p := newPlot("change, %", "")
		top := float64(len(list)) - 0.5
		if margin.Exists() {
			if err := band(p, inkBand, bandLow, bandHigh, -0.5, top); err != nil {
				return nil, err
			}
		}
		grid(p, true, false)
		if _, err := line(p, inkAxis, 1.25, nil, plotter.XY{X: 0, Y: -0.5}, plotter.XY{X: 0, Y: top}); err != nil {
			return nil, err
		}
		names := make([]string, len(list))
		for i, e := range list {
			y := float64(i)
			names[i] = e.name
			if _, err := line(p, inkAccent, 3, nil, plotter.XY{X: e.low, Y: y}, plotter.XY{X: e.upper, Y: y}); err != nil {
				return nil, err
			}
			if _, err := scatter(p, inkAccent, draw.CircleGlyph{}, 5, plotter.XYs{{X: e.at, Y: y}}); err != nil {
				return nil, err
			}
		}
		p.NominalY(names...)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, -0.5, top
		p.X.Tick.Marker = fewTicks{ticksFor(z)}
		return p, nil
	})
}

// lower is what a head of lower values is.
func lower(metric string) string {
	if strings.HasSuffix(metric, "_seconds") {
		return "faster"
	}
	return "lower"
}

// ticksFor is how many labels an axis along a chart has room for.
func ticksFor(z size) int {
	if z.narrow {
		return 5
	}
	return 10
}

// changes returns the change of each pair in percent, nil where one cannot be drawn, and their mean.
func changes(w *harness.Workload) (d []float64, mean float64) {
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

// pairsChart shows the change of every pair, by order.
func pairsChart(_ *harness.Report, w *harness.Workload) (*chart, error) {
	d, mean := changes(w)
	if len(d) == 0 {
		return nil, nil
	}
	low, high := pad(math.Min(0, slices.Min(d)), math.Max(0, slices.Max(d)))
	return twice("pairs", "Every counted pair: change of head against base in %; the dashed line is their mean",
		orderKeys(w), sizes(300, 270), func(z size) (*plot.Plot, error) {
			p := newPlot("pair", "change, %")
			grid(p, false, true)
			ends := [2]float64{0.5, float64(len(d)) + 0.5}
			if _, err := line(p, inkAxis, 1.25, nil, plotter.XY{X: ends[0]}, plotter.XY{X: ends[1]}); err != nil {
				return nil, err
			}
			if finite(mean) {
				if _, err := line(p, inkAccent, 1.5, []vg.Length{5, 4}, plotter.XY{X: ends[0], Y: mean},
					plotter.XY{X: ends[1], Y: mean}); err != nil {
					return nil, err
				}
			}
			for _, kind := range pairKinds {
				var points plotter.XYs
				for i, pair := range w.Pairs {
					if pair.Order == kind.order {
						points = append(points, plotter.XY{X: float64(i + 1), Y: d[i]})
					}
				}
				if len(points) == 0 {
					continue
				}
				if _, err := scatter(p, kind.ink, kind.shape, radius(len(d), z), points); err != nil {
					return nil, err
				}
			}
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = ends[0], ends[1], low, high
			p.X.Tick.Marker, p.Y.Tick.Marker = wholeTicks{ticksFor(z) + 2}, fewTicks{8}
			return p, nil
		})
}

// pairKinds are the orders of a pair and how they are drawn.
var pairKinds = []struct {
	order stats.Order
	ink   ink
	shape draw.GlyphDrawer
	key   key
}{
	{stats.OrderAB, inkBase, draw.CircleGlyph{}, key{"base", "●", "base first"}},
	{stats.OrderBA, inkHead, draw.PyramidGlyph{}, key{"head", "▲", "head first"}},
	{stats.OrderUnknown, inkAccent, draw.BoxGlyph{}, key{"accent", "■", "order unknown"}},
}

// orderKeys explains the orders that occur.
func orderKeys(w *harness.Workload) []key {
	var keys []key
	for _, kind := range pairKinds {
		if slices.ContainsFunc(w.Pairs, func(p harness.Pair) bool { return p.Order == kind.order }) {
			keys = append(keys, kind.key)
		}
	}
	return keys
}

// distributionChart shows how the changes are distributed: bins, and a mark for each pair.
func distributionChart(_ *harness.Report, w *harness.Workload) (*chart, error) {
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
	return twice("distribution", "Distribution of the changes in %: pairs in each bin, and below a mark for each pair",
		nil, sizes(300, 270), func(z size) (*plot.Plot, error) {
			p := newPlot("change, %", "pairs")
			grid(p, false, true)
			top := slices.Max(counts)
			for i, count := range counts {
				if count == 0 {
					continue
				}
				from := low + float64(i)*width
				if err := band(p, inkAxis, from+width*0.03, from+width*0.97, 0, count); err != nil {
					return nil, err
				}
			}
			for _, x := range d {
				if _, err := line(p, inkAccent, 1.25, nil, plotter.XY{X: x, Y: -top * 0.03},
					plotter.XY{X: x, Y: -top * 0.09}); err != nil {
					return nil, err
				}
			}
			if _, err := line(p, inkAxis, 1.25, nil, plotter.XY{X: 0, Y: -top * 0.1},
				plotter.XY{X: 0, Y: top * 1.05}); err != nil {
				return nil, err
			}
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = left, right, -top*0.12, top*1.08
			p.X.Tick.Marker, p.Y.Tick.Marker = fewTicks{ticksFor(z) + 1}, wholeTicks{6}
			return p, nil
		})
}

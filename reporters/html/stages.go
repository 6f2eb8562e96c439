package html

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// longestLabel is what there is room for beside a bar.
const longestLabel = 18

// stagesChart shows the mean time of each stage in both arms as paired bars.
func stagesChart(_ *harness.Report, w *harness.Workload) (*chart, error) {
	var names []string
	var base, head plotter.Values
	largest := 0.0
	for _, s := range slices.Backward(w.Secondary) { // the first stage comes out on top
		if s.Kind != harness.KindStage {
			continue
		}
		a, b := 0.0, 0.0
		if s.MeanA.Exists() {
			a = float64(s.MeanA)
		}
		if s.MeanB.Exists() {
			b = float64(s.MeanB)
		}
		label := []rune(document.Clean(document.MetricTitle(s.Metric, s.Kind)))
		if len(label) > longestLabel {
			label = append(label[:longestLabel-3], '.', '.', '.')
		}
		names, base, head = append(names, string(label)), append(base, a), append(head, b)
		largest = math.Max(largest, math.Max(a, b))
	}
	if len(names) == 0 || !(largest > 0) || !finite(largest) {
		return nil, nil
	}
	factor, unit := document.Unit("_seconds", largest)
	for i := range base {
		base[i], head[i] = base[i]/factor, head[i]/factor
	}
	height := vg.Length(80 + 34*len(names))
	return twice("stages", "Mean time of each stage in "+unit+", base above head",
		[]key{{"base", "■", "base"}, {"head", "■", "head"}}, sizes(height, height), func(z size) (*plot.Plot, error) {
			p := newPlot("mean time, "+unit, "")
			grid(p, true, false)
			for _, bars := range []struct {
				values plotter.Values
				color  ink
				offset vg.Length
			}{{base, inkBase, 6.5}, {head, inkHead, -6.5}} {
				b, err := plotter.NewBarChart(bars.values, 12)
				if err != nil {
					return nil, err
				}
				b.Horizontal, b.Color, b.Offset, b.LineStyle.Width = true, bars.color, bars.offset, 0
				p.Add(b)
			}
			p.NominalY(names...)
			p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
			p.X.Min, p.X.Max = 0, largest/factor*1.05
			p.X.Tick.Marker = fewTicks{ticksFor(z)}
			return p, nil
		})
}

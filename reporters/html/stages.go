package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// longestLabel is what there is room for beside a bar, mostStages what one looks at in a chart; the table has all.
const longestLabel, mostStages = 18, 20

// stagesChart shows the mean time of each stage in both arms as paired bars.
func stagesChart(_ *harness.Report, w *harness.Workload) (*chart, error) {
	shown, all := longestStages(w)
	var names []string
	var base, head plotter.Values
	largest := 0.0
	for _, s := range slices.Backward(shown) { // the first stage comes out on top
		label := []rune(document.Clean(document.StageTitle(s.Metric)))
		if len(label) > longestLabel {
			label = append(label[:longestLabel-3], '.', '.', '.')
		}
		names = append(names, string(label))
		base, head = append(base, max(0, orZero(s.MeanA))), append(head, max(0, orZero(s.MeanB)))
		largest = math.Max(largest, stageTime(s))
	}
	if len(names) == 0 || !(largest > 0) || !finite(largest) {
		return nil, nil
	}
	factor, unit := document.Unit("_seconds", largest)
	for i := range base {
		base[i], head[i] = base[i]/factor, head[i]/factor
	}
	height := vg.Length(80 + 34*len(names))
	caption := "Mean time of each stage in " + unit + ", base above head"
	if len(shown) < all {
		caption = fmt.Sprintf("Mean time of the %d longest of %d stages in %s, base above head", len(shown), all, unit)
	}
	return twice("stages", caption,
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

// longestStages returns the stages that take longest in either arm, in the order of the proof, and how many there are.
func longestStages(w *harness.Workload) (shown []harness.Secondary, all int) {
	for _, s := range w.Secondary {
		if s.Kind == harness.KindStage {
			shown = append(shown, s)
		}
	}
	all = len(shown)
	if all > mostStages {
		byTime := slices.SortedStableFunc(slices.Values(shown), func(s, t harness.Secondary) int {
			return cmp.Compare(stageTime(t), stageTime(s))
		})
		shortest := stageTime(byTime[mostStages-1])
		shown = slices.DeleteFunc(shown, func(s harness.Secondary) bool { return stageTime(s) < shortest })
		shown = shown[:mostStages] // of equal ones the first
	}
	return shown, all
}

// stageTime is the longer of a stage's two means.
func stageTime(s harness.Secondary) float64 { return math.Max(orZero(s.MeanA), orZero(s.MeanB)) }

func orZero(x stats.Number) float64 {
	if !x.Exists() {
		return 0
	}
	return float64(x)
}

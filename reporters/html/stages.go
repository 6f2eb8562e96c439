package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
	"github.com/chiasmus/chiasmus/stats"
)

// longestLabel bounds a label next to a bar, and mostStages the bars of a chart. The table has all stages.
const longestLabel, mostStages = 18, 20

// stagesChart shows the mean time of each stage in both arms as paired bars.
func stagesChart(_ *report.Report, w *report.Workload) (*chart, error) {
	shown, all := longestStages(w)
	var names []string
	var base, head []float64
	largest := 0.0
	for _, s := range slices.Backward(shown) { // the y axis grows upwards: the last bar is at the top
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
	height := float64(80 + 34*len(names))
	caption := "Mean time of each stage in " + unit + ", base above head"
	if len(shown) < all {
		caption = fmt.Sprintf("Mean time of the %d longest of %d stages in %s, base above head", len(shown), all, unit)
	}
	return twice("stages", caption,
		[]key{{svg.Base, "■", "base"}, {svg.Head, "■", "head"}}, sizes(height, height), func(p *svg.Plot, z size) {
			end := largest / factor * 1.05
			p.X = svg.Axis{Title: "mean time, " + unit, High: end, Ticks: svg.Ticks(0, end, ticksFor(z)), Grid: true}
			p.Y = svg.Axis{Low: -0.6, High: float64(len(names)) - 0.4, Ticks: svg.Names(names...)}
			for _, bars := range []struct {
				arm    string
				ink    svg.Ink
				values []float64
				bottom float64
			}{{"base", svg.Base, base, 0.02}, {"head", svg.Head, head, -0.36}} {
				var from, to []svg.Point
				for i, value := range bars.values {
					title := fmt.Sprintf("%s, %s: %.4g %s", names[i], bars.arm, value, unit)
					from = append(from, svg.Point{Y: float64(i) + bars.bottom, Title: title})
					to = append(to, svg.Point{X: value, Y: float64(i) + bars.bottom + 0.34})
				}
				p.Bars(bars.ink, from, to)
			}
		})
}

// longestStages returns the longest stages of both arms, in the order of the proof, and the total number of stages.
func longestStages(w *report.Workload) (shown []report.Secondary, all int) {
	for _, s := range w.Secondary {
		if s.Kind == report.KindStage {
			shown = append(shown, s)
		}
	}
	all = len(shown)
	if all > mostStages {
		byTime := slices.SortedStableFunc(slices.Values(shown), func(s, t report.Secondary) int {
			return cmp.Compare(stageTime(t), stageTime(s))
		})
		shortest := stageTime(byTime[mostStages-1])
		shown = slices.DeleteFunc(shown, func(s report.Secondary) bool { return stageTime(s) < shortest })
		shown = shown[:mostStages] // ties keep the first
	}
	return shown, all
}

// stageTime is the longer of a stage's two means.
func stageTime(s report.Secondary) float64 { return math.Max(orZero(s.MeanA), orZero(s.MeanB)) }

func orZero(x stats.Number) float64 {
	if !x.Exists() {
		return 0
	}
	return float64(x)
}

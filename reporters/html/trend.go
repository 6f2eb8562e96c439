package html

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/chiasmus/chiasmus/reporters/document"
)

// A Trend is a history of nights, laid out for a page: its strings have gone through document.Clean.
type Trend struct {
	Title     string
	Version   string
	Workloads []TrendWorkload
}

// TrendWorkload is one workload of a history.
type TrendWorkload struct {
	Headline document.Headline
	Metric   string
	// Nights are those against the last good revision, Anchored those against the anchor or the baseline.
	Nights, Anchored []TrendNight

	Table document.Table
}

// TrendNight is one measured night. Change is of the night's head against its base in percent, positive when slower;
// what does not exist is NaN.
type TrendNight struct {
	Night             time.Time
	Change, Low, High float64
	Mean              float64 // of the metric at head
	Alarm             bool
}

// WriteTrend renders a history as one self-contained page.
func WriteTrend(w io.Writer, trend Trend) error {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return err
	}
	v := view{Title: trend.Title, Style: template.CSS(style), Version: trend.Version}
	var headlines []document.Headline
	for _, workload := range trend.Workloads {
		headlines = append(headlines, workload.Headline)
		var charts []chart
		for _, build := range []func(TrendWorkload) (*chart, error){changeTrend, anchoredTrend, meanTrend} {
			c, err := build(workload)
			if err != nil {
				return fmt.Errorf("workload %s: %w", workload.Headline.Workload, err)
			}
			if c != nil {
				c.Full = true
				charts = append(charts, *c)
			}
		}
		v.add(workload.Headline.Workload, charts)
		v.Workloads[len(v.Workloads)-1].Sections = []document.Section{
			{ID: "nights", Workload: workload.Headline.Workload, Title: "Nights", Blocks: []document.Block{workload.Table}},
		}
	}
	v.link(headlines)
	return page.Execute(w, v)
}

// A series over nights: where each point stands, and how it is drawn.
type nightPoint struct {
	x, y, low, high float64
	alarm           bool
}

// changeTrend shows each night's change with its interval.
func changeTrend(w TrendWorkload) (*chart, error) {
	return overNights("change", "change, %",
		"Each night's change against the revision that it was compared with, in %, with 95 % intervals; above 0 it is slower",
		w.Nights, true, nightlyChange)
}

// anchoredTrend shows the same against a revision that stays, in which slow creep adds up.
func anchoredTrend(w TrendWorkload) (*chart, error) {
	return overNights("anchored", "change, %",
		"Each night's change against the baseline or the anchor, which stays, in %, with 95 % intervals; above 0 it is "+
			"slower",
		w.Anchored, true, nightlyChange)
}

func nightlyChange(n TrendNight) nightPoint { return nightPoint{y: n.Change, low: n.Low, high: n.High} }

// meanTrend shows the metric itself.
func meanTrend(w TrendWorkload) (*chart, error) {
	largest := 0.0
	for _, night := range w.Nights {
		if finite(night.Mean) {
			largest = max(largest, math.Abs(night.Mean))
		}
	}
	factor, unit := document.Unit(w.Metric, largest)
	return overNights("mean", axisTitle(w.Metric, unit), "Mean of "+w.Metric+" at each night's head", w.Nights, false,
		func(n TrendNight) nightPoint {
			mean := n.Mean / factor
			return nightPoint{y: mean, low: mean, high: mean}
		})
}

func overNights(id, label, caption string, nights []TrendNight, zero bool,
	at func(TrendNight) nightPoint) (*chart, error) {
	var points []nightPoint
	low, high := math.Inf(1), math.Inf(-1)
	for _, night := range nights {
		p := at(night)
		if !finite(p.y, p.low, p.high) {
			continue
		}
		p.x, p.alarm = float64(night.Night.Unix()), night.Alarm
		points = append(points, p)
		low, high = min(low, p.low), max(high, p.high)
	}
	if len(points) == 0 {
		return nil, nil
	}
	if zero {
		low, high = min(low, 0), max(high, 0)
	}
	low, high = pad(low, high)
	const day = 24 * 60 * 60
	left, right := points[0].x-day/2, points[len(points)-1].x+day/2
	keys := []key{{"head", "●", "a night"}, {"dropped", "×", "a night under an alarm"}}
	return twice(id, caption, keys, sizes(260, 240), func(s size) (*plot.Plot, error) {
		p := newPlot("", label)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = left, right, low, high
		p.X.Tick.Marker, p.Y.Tick.Marker = nightTicks{narrow: s.narrow}, fewTicks{8}
		grid(p, false, true)
		if zero {
			if _, err := line(p, inkAxis, 1.25, nil, plotter.XY{X: left, Y: 0}, plotter.XY{X: right, Y: 0}); err != nil {
				return nil, err
			}
		}
		return p, drawNights(p, points)
	})
}

func drawNights(p *plot.Plot, points []nightPoint) error {
	var path, healthy, alarms plotter.XYs
	for _, point := range points {
		xy := plotter.XY{X: point.x, Y: point.y}
		path = append(path, xy)
		if point.alarm {
			alarms = append(alarms, xy)
		} else {
			healthy = append(healthy, xy)
		}
		if point.high > point.low {
			if _, err := line(p, inkHead, 1.5, nil, plotter.XY{X: point.x, Y: point.low},
				plotter.XY{X: point.x, Y: point.high}); err != nil {
				return err
			}
		}
	}
	if len(path) > 1 {
		if _, err := line(p, inkAxis, 0.75, nil, path...); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		points plotter.XYs
		ink    ink
		shape  draw.GlyphDrawer
		radius vg.Length
	}{{healthy, inkHead, draw.CircleGlyph{}, 3.5}, {alarms, inkDropped, cross{}, 5}} {
		if len(group.points) == 0 {
			continue
		}
		if _, err := scatter(p, group.ink, group.shape, group.radius, group.points); err != nil {
			return err
		}
	}
	return nil
}

// nightTicks are dates, few enough to read.
type nightTicks struct{ narrow bool }

// Ticks implements plot.Ticker.
func (t nightTicks) Ticks(low, high float64) []plot.Tick {
	const day = 24 * 60 * 60
	most := 10.0
	if t.narrow {
		most = 4
	}
	days := math.Ceil((high - low) / day / most)
	step := max(1, days) * day
	var ticks []plot.Tick
	for x := math.Ceil(low/day) * day; x <= high; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: time.Unix(int64(x), 0).UTC().Format("2 Jan")})
	}
	return ticks
}

package html

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"time"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
)

// A Trend is a history of nights for a page. Its strings have been cleaned by document.Clean.
type Trend struct {
	Title     string
	Version   string
	Workloads []TrendWorkload
}

// TrendWorkload is one workload of a history.
type TrendWorkload struct {
	Headline document.Headline
	Metric   string
	// Nights are compared with the last good revision; Anchored with the anchor or the baseline.
	Nights, Anchored []TrendNight

	Table document.Table
}

// TrendNight is one measured night. Change is head against base in percent, positive if slower. Missing values are NaN.
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

// A nightPoint is a point of a series over nights.
type nightPoint struct {
	x, y, low, high float64
	alarm           bool
	title           string
}

// changeTrend shows each night's change with its interval.
func changeTrend(w TrendWorkload) (*chart, error) {
	return overNights("change", "change, %",
		"Each night's change against the revision it was compared with, in %, with 95 % intervals; above 0, it is slower",
		w.Nights, true, nightlyChange)
}

// anchoredTrend shows the change against a fixed revision, where slow creep accumulates.
func anchoredTrend(w TrendWorkload) (*chart, error) {
	return overNights("anchored", "change, %",
		"Each night's change against the fixed anchor or baseline, in %, with 95 % intervals; above 0, it is slower",
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
		p.title = fmt.Sprintf("%s: %.4g", night.Night.Format(time.DateOnly), p.y)
		if p.high > p.low {
			p.title += fmt.Sprintf(", interval %.4g to %.4g", p.low, p.high)
		}
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
	keys := []key{{svg.Head, "●", "night"}, {svg.Dropped, "×", "night with an open alarm"}}
	return twice(id, caption, keys, sizes(260, 240), func(p *svg.Plot, s size) {
		days := 10
		if s.narrow {
			days = 4
		}
		p.X = svg.Axis{Low: left, High: right, Ticks: svg.DayTicks(left, right, days)}
		p.Y = svg.Axis{Title: label, Low: low, High: high, Ticks: svg.Ticks(low, high, 7), Grid: true}
		if zero {
			p.Line(svg.Axes, 1.5, "", svg.Point{X: left}, svg.Point{X: right})
		}
		drawNights(p, points)
	})
}

// drawNights draws the nights and their intervals, joined by a thin line.
func drawNights(p *svg.Plot, points []nightPoint) {
	var path, healthy, alarms, low, high []svg.Point
	for _, night := range points {
		point := svg.Point{X: night.x, Y: night.y, Title: night.title}
		path = append(path, point)
		if night.alarm {
			alarms = append(alarms, point)
		} else {
			healthy = append(healthy, point)
		}
		if night.high > night.low {
			low, high = append(low, svg.Point{X: night.x, Y: night.low}), append(high, svg.Point{X: night.x, Y: night.high})
		}
	}
	p.Line(svg.Axes, 0.75, "", path...)
	p.Spans(svg.Head, 1.5, low, high)
	p.Scatter(svg.Head, svg.Disc, 3.5, healthy...)
	p.Scatter(svg.Dropped, svg.Cross, 5, alarms...)
}

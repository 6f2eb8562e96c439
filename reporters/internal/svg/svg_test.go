package svg

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

// render draws a plot and requires that it is well-formed.
func render(t *testing.T, p *Plot) string {
	t.Helper()
	drawing, err := p.Render()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := xml.NewDecoder(strings.NewReader(drawing)); ; {
		if _, err := decoder.Token(); err == io.EOF {
			return drawing
		} else if err != nil {
			t.Fatalf("%v in %s", err, drawing)
		}
	}
}

// plain is a plot whose data area is known: without labels and titles, from (2, 2) to (202, 102).
func plain() *Plot {
	return &Plot{Width: 208, Height: 106, X: Axis{Low: 10, High: 20}, Y: Axis{Low: -1, High: 1}}
}

// Points are at the position of their values: low at the left and at the bottom, high at the right and at the top.
func TestCoordinates(t *testing.T) {
	p := plain()
	p.Band(Margin, Point{X: 12, Y: -0.5}, Point{X: 14, Y: 0.5})
	p.Line(Base, 1.5, "5 4", Point{X: 10, Y: -1}, Point{X: 15}, Point{X: 20, Y: 1})
	p.Spans(Head, 2, []Point{{X: 12.5, Y: -0.5}}, []Point{{X: 12.5, Y: 0.25}})
	p.Bars(Accent, []Point{{X: 10, Y: 0.2}}, []Point{{X: 18, Y: -0.2}})
	p.Scatter(Base, Disc, 4, Point{X: 15, Title: "the middle"})
	p.Scatter(Base, Square, 4, Point{X: 10, Y: 1})
	p.Scatter(Base, Triangle, 4, Point{X: 20, Y: -1})
	p.Scatter(Dropped, Ring, 3, Point{X: 11})
	p.Scatter(Dropped, Box, 3, Point{X: 11})
	p.Scatter(Dropped, Cross, 3, Point{X: 11})
	drawing := render(t, p)
	for _, want := range []string{
		`<g class="ink-band" fill="currentColor"><rect x="42" y="27" width="40" height="50"/></g>`,
		`<path class="ink-base" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="5 4" ` +
			`d="M2 102L102 52L202 2"/>`,
		`<path class="ink-head" fill="none" stroke="currentColor" stroke-width="2" d="M52 77L52 39.5"/>`,
		`<rect x="2" y="42" width="160" height="20"/>`,
		`<circle cx="102" cy="52" r="4"><title>the middle</title></circle>`,
		`<rect x="-1.6" y="-1.6" width="7.2" height="7.2"/>`,
		`<path d="M202 97.4L206.4 105.2H197.6Z"/>`,
		`stroke="currentColor" stroke-width="1.5"><circle cx="22" cy="52" r="3"/>`,
		`<rect x="19.3" y="49.3" width="5.4" height="5.4"/>`,
		`<path d="M19 49l6 6m0 -6l-6 6"/>`,
		`<path class="ink-axis" fill="none" stroke="currentColor" stroke-width="1" d="M2 2V102M2 102H202"/>`,
	} {
		if !strings.Contains(drawing, want) {
			t.Errorf("no %s in\n%s", want, drawing)
		}
	}
	if strings.Index(drawing, "ink-band") > strings.Index(drawing, "ink-axis") {
		t.Error("the band hides the axes")
	}
}

// The margins have room for labels and titles, and grid lines and labels are at the ticks.
func TestAxes(t *testing.T) {
	p := &Plot{Width: 300, Height: 200, Class: "wide", Label: "what & why"}
	p.X = Axis{Title: "time, s", Low: 0, High: 10, Ticks: []Tick{{0, "0"}, {10, "10"}}}
	p.Y = Axis{Title: "prove, ms", Low: 0, High: 2, Ticks: []Tick{{0, "0"}, {1, "1,000"}, {2, "2"}}, Grid: true}
	drawing := render(t, p)
	// Left: 2 + 1.25 times the width of 1,000 at 12 pixels, 30.024, + gap 4 + tick 5. Right: 300 less half of "10",
	// 1.25 times 6.672, and 1. Top: 2 + 6 + title 13 + 4 + 6. Bottom: 200 - 4 - 5 - 12 - 2 - 13 - 4.
	for _, want := range []string{
		`<svg class="wide" role="img" aria-label="what &amp; why" viewBox="0 0 300 200"`,
		`d="M48.5 160H290.7M48.5 95.5H290.7M48.5 31H290.7"`,
		`d="M48.5 160v5M290.7 160v5M48.5 160H290.7"`,
		`x="48.5" y="176" text-anchor="middle" font-size="12">0</text>`,
		`x="290.7" y="176" text-anchor="middle" font-size="12">10</text>`,
		`x="39.5" y="99.7" text-anchor="end" font-size="12">1,000</text>`,
		`x="290.7" y="196" text-anchor="end" font-size="13">time, s</text>`,
		`x="2" y="13" text-anchor="start" font-size="13">prove, ms</text>`,
	} {
		if !strings.Contains(drawing, want) {
			t.Errorf("no %s in\n%s", want, drawing)
		}
	}
}

// Text from the report stays text.
func TestEscapes(t *testing.T) {
	p := plain()
	const hostile = `</text><script>alert("1")</script>`
	p.Class, p.Label = `" onload="x`, hostile
	p.X.Title, p.Y.Title, p.Y.Ticks = hostile, hostile, []Tick{{0, hostile}}
	p.Y.Low, p.X.High = -1, 2000
	p.Scatter(Base, Disc, 1, Point{Title: hostile})
	if drawing := render(t, p); strings.Contains(drawing, "<script") || strings.Contains(drawing, ` onload="`) {
		t.Errorf("markup was not escaped: %s", drawing)
	}
}

// An axis without extent has no coordinates, and the error names the plot and the axis.
func TestRefusesEmptyAxes(t *testing.T) {
	for _, span := range [][2]float64{{3, 3}, {1, 0}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		p := plain()
		p.Label, p.Y.Low, p.Y.High = "chart 7", span[0], span[1]
		if _, err := p.Render(); err == nil || !strings.Contains(err.Error(), `plot "chart 7": the y axis runs from`) {
			t.Errorf("%v: %v", span, err)
		}
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []Tick) string {
		var list []string
		for _, tick := range ticks {
			list = append(list, tick.Label)
		}
		return strings.Join(list, " ")
	}
	for _, test := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{0, 10, 11, "0 1 2 3 4 5 6 7 8 9 10"},
		{0, 10, 10, "0 2 4 6 8 10"},
		{0, 10, 5, "0 5 10"},
		{0, 10, 2, "0 10"},
		{-0.3, 0.31, 5, "-0.2 0.0 0.2"},
		{0.9975, 1.0525, 8, "1.00 1.01 1.02 1.03 1.04 1.05"},
		{12345, 67890, 6, "20000 30000 40000 50000 60000"},
		{0.0000012, 0.0000019, 4, "0.0000012 0.0000014 0.0000016 0.0000018"},
		{5, 5, 5, ""},
		{math.Inf(-1), 0, 5, ""},
		{0, 1, 0, ""},
	} {
		if got := labels(Ticks(test.low, test.high, test.n)); got != test.want {
			t.Errorf("%g to %g in %d: %s, want %s", test.low, test.high, test.n, got, test.want)
		}
	}
	if got := labels(WholeTicks(0.5, 3.5, 12)); got != "1 2 3" {
		t.Errorf("whole: %s", got)
	}
	if got := labels(WholeTicks(0.5, 400.5, 12)); got != "50 100 150 200 250 300 350 400" {
		t.Errorf("many whole: %s", got)
	}
	const day = 86400
	if got := labels(DayTicks(31*day-1, 33*day+1, 9)); got != "1 Feb 2 Feb 3 Feb" {
		t.Errorf("days: %s", got)
	}
	if got := DayTicks(0, 100*day, 4); len(got) != 4 || got[1].Value != 25*day {
		t.Errorf("few days: %v", got)
	}
	if got := Names("a", "b"); len(got) != 2 || got[1] != (Tick{1, "b"}) {
		t.Errorf("names: %v", got)
	}
}

// A label with characters that the table lacks is assumed to be wide, rather than cut off.
func TestTextWidth(t *testing.T) {
	if got, want := textWidth("W1 ~", 10), 0.944+0.556+0.278+0.584; math.Abs(got-10*want) > 1e-9 {
		t.Errorf("%g, want %g", got, 10*want)
	}
	if got := textWidth("\u6f22\x01", 10); got != 26 {
		t.Errorf("%g", got)
	}
}

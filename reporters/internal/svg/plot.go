package svg

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// An Ink is the name of a colour in the page's style sheet: the class is ink-NAME.
type Ink string

// The inks. Inks lists them for the test of a style sheet.
const (
	Text    Ink = "text"
	Axes    Ink = "axis"
	Grid    Ink = "grid"
	Base    Ink = "base"
	Head    Ink = "head"
	Margin  Ink = "band"
	Dropped Ink = "dropped"
	Accent  Ink = "accent"
)

// Inks lists all inks.
var Inks = []Ink{Text, Axes, Grid, Base, Head, Margin, Dropped, Accent}

// A Plot is a drawing of data in the rectangle of two axes.
type Plot struct {
	Width, Height float64 // in CSS pixels
	Class         string  // of the svg element
	Label         string  // describes the plot for readers who cannot see it
	X, Y          Axis

	marks []mark
}

// An Axis runs from Low to High.
type Axis struct {
	Title     string
	Low, High float64
	Ticks     []Tick
	Grid      bool // draws a line across the plot at each tick
}

// A Tick is a labelled value of an axis.
type Tick struct {
	Value float64
	Label string
}

// Sizes of text, and distances, in CSS pixels.
const (
	tickText   = 12.0
	titleText  = 13.0
	tickLength = 5.0
	gap        = 4.0
)

// Render returns the svg element. An axis without extent is an error.
func (p *Plot) Render() (string, error) {
	for _, axis := range []struct {
		name string
		*Axis
	}{{"x", &p.X}, {"y", &p.Y}} {
		if span := axis.High - axis.Low; !(span > 0) || math.IsInf(span, 0) {
			return "", fmt.Errorf("plot %q: the %s axis runs from %g to %g", p.Label, axis.name, axis.Low, axis.High)
		}
	}
	f := p.frame()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="%s" role="img" aria-label="%s" viewBox="0 0 %s %s" xmlns="http://www.w3.org/2000/svg">`,
		html.EscapeString(p.Class), html.EscapeString(p.Label), number(p.Width), number(p.Height))
	p.fill(&b, f)
	p.rules(&b, f)
	for _, m := range p.marks {
		if !m.behind {
			m.write(&b, f)
		}
	}
	b.WriteString("\n</svg>\n")
	return b.String(), nil
}

// frame is the position and range of the data rectangle.
type frame struct {
	left, right, top, bottom float64
	xLow, xHigh, yLow, yHigh float64
}

func (f frame) x(v float64) float64 { return f.left + (v-f.xLow)/(f.xHigh-f.xLow)*(f.right-f.left) }
func (f frame) y(v float64) float64 { return f.bottom - (v-f.yLow)/(f.yHigh-f.yLow)*(f.bottom-f.top) }

// frame computes the frame, with room for labels and titles.
func (p *Plot) frame() frame {
	f := frame{
		left: 2, right: p.Width - 6, top: 2, bottom: p.Height - 4,
		xLow: p.X.Low, xHigh: p.X.High, yLow: p.Y.Low, yHigh: p.Y.High,
	}
	widest := 0.0
	for _, t := range p.Y.Ticks {
		widest = max(widest, reserved(t.Label, tickText))
	}
	if widest > 0 {
		f.left += widest + gap + tickLength
		f.top += tickText / 2 // half of the highest label
	}
	if p.Y.Title != "" {
		f.top += titleText + gap + tickText/2
	}
	if len(p.X.Ticks) > 0 {
		f.bottom -= tickLength + tickText + gap/2
	}
	if p.X.Title != "" {
		f.bottom -= titleText + gap
	}
	// The first and last labels are centred below their ticks and need room beyond the data.
	for _, t := range p.X.Ticks {
		half, share := reserved(t.Label, tickText)/2, (t.Value-p.X.Low)/(p.X.High-p.X.Low)
		f.left = max(f.left, half-share*(f.right-f.left)+1)
		f.right = min(f.right, p.Width-half-1+(1-share)*(f.right-f.left))
	}
	return f
}

// fill draws the marks below the grid.
func (p *Plot) fill(b *strings.Builder, f frame) {
	for _, m := range p.marks {
		if m.behind {
			m.write(b, f)
		}
	}
}

// rules draws the grid, the axes, and their labels and titles.
func (p *Plot) rules(b *strings.Builder, f frame) {
	var lines, ticks strings.Builder
	for _, t := range p.X.Ticks {
		x := number(f.x(t.Value))
		if p.X.Grid {
			fmt.Fprintf(&lines, "M%s %sV%s", x, number(f.top), number(f.bottom))
		}
		fmt.Fprintf(&ticks, "M%s %sv%s", x, number(f.bottom), number(tickLength))
	}
	for _, t := range p.Y.Ticks {
		y := number(f.y(t.Value))
		if p.Y.Grid {
			fmt.Fprintf(&lines, "M%s %sH%s", number(f.left), y, number(f.right))
		} else {
			fmt.Fprintf(&ticks, "M%s %sh%s", number(f.left), y, number(-tickLength))
		}
	}
	if lines.Len() > 0 {
		stroke(b, Grid, 1, "", lines.String())
	}
	if !p.Y.Grid {
		fmt.Fprintf(&ticks, "M%s %sV%s", number(f.left), number(f.top), number(f.bottom))
	}
	fmt.Fprintf(&ticks, "M%s %sH%s", number(f.left), number(f.bottom), number(f.right))
	stroke(b, Axes, 1, "", ticks.String())
	for _, t := range p.X.Ticks {
		text(b, f.x(t.Value), f.bottom+tickLength+tickText-1, "middle", tickText, t.Label)
	}
	for _, t := range p.Y.Ticks {
		text(b, f.left-tickLength-gap, f.y(t.Value)+tickText*0.35, "end", tickText, t.Label)
	}
	if p.X.Title != "" {
		text(b, f.right, p.Height-gap, "end", titleText, p.X.Title)
	}
	if p.Y.Title != "" {
		text(b, 2, titleText, "start", titleText, p.Y.Title)
	}
}

// stroke draws a path as a line.
func stroke(b *strings.Builder, ink Ink, width float64, dashes, path string) {
	if dashes != "" {
		dashes = ` stroke-dasharray="` + dashes + `"`
	}
	fmt.Fprintf(b, "\n"+`<path class="ink-%s" fill="none" stroke="currentColor" stroke-width="%s"%s d="%s"/>`,
		ink, number(width), dashes, path)
}

// text draws a label.
func text(b *strings.Builder, x, y float64, anchor string, size float64, label string) {
	fmt.Fprintf(b, "\n"+`<text class="ink-text" fill="currentColor" x="%s" y="%s" text-anchor="%s" font-size="%s">%s</text>`,
		number(x), number(y), anchor, number(size), html.EscapeString(label))
}

// number formats a coordinate, rounded to a tenth of a pixel.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

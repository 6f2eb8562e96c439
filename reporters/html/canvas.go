package html

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ink is a colour of the style sheet: a number that no other colour has until the SVG is written.
type ink uint8

// The colours of the charts, and their names in the style sheet.
const (
	inkText ink = iota
	inkAxis
	inkGrid
	inkBase
	inkHead
	inkBand
	inkDropped
	inkAccent
)

var inkNames = [...]string{"text", "axis", "grid", "base", "head", "band", "dropped", "accent"}

// RGBA makes ink a color.Color: the marker #e1f2NN.
func (i ink) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{0xe1, 0xf2, uint8(i), 0xff}.RGBA()
}

var marker = regexp.MustCompile(`(?i)#e1f2([0-9a-f]{2})`)

// size is that of a chart in CSS pixels, which are the canvas's points.
type size struct {
	width, height vg.Length
	narrow        bool
}

// sizes are those of a chart that is so high on a wide page and on a narrow one. The wide one is drawn for a page of
// 860 pixels, so that its text can still be read where the page is 760 wide.
func sizes(wide, narrow vg.Length) [2]size {
	return [2]size{{860, wide, false}, {400, narrow, true}}
}

// chart is a figure of the page: what it shows in words, and its two drawings.
type chart struct {
	ID      string
	Caption string
	Keys    []key
	Wide    template.HTML
	Narrow  template.HTML
	Full    bool // takes the whole width of the page
}

// key explains a colour or a shape of a chart. Keys stand outside the drawing, where the page can wrap them.
type key struct {
	Ink  string // a colour of the style sheet
	Mark string // the character that looks most like what is drawn
	Name string
}

// sans is the font of all text in charts.
func sans(points float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(points)}
}

// newPlot is a plot in the page's colours.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color = inkAxis
		axis.Label.TextStyle.Color, axis.Label.TextStyle.Font = inkText, sans(13)
		axis.Tick.Label.Color, axis.Tick.Label.Font = inkText, sans(12)
		axis.Tick.Color = inkAxis
		axis.Label.Padding = 4
	}
	return p
}

// render draws a plot at a size as SVG for a page. label says in words what it shows.
func render(p *plot.Plot, s size, label string) (template.HTML, error) {
	canvas := vgsvg.New(s.width, s.height)
	p.Draw(draw.Crop(draw.New(canvas), 2, -8, 2, -6))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", err
	}
	return inline(b.String(), s, label)
}

var family = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;?`)

// inline turns a document of its own into an element of the page: without prologue and fixed size, in the page's font
// and colours.
func inline(svg string, s size, label string) (template.HTML, error) {
	start := strings.Index(svg, "<svg")
	if start < 0 {
		return "", fmt.Errorf("the chart %q is no SVG", label)
	}
	end := start + strings.Index(svg[start:], ">")
	body := marker.ReplaceAllStringFunc(svg[end+1:], func(m string) string {
		var i int
		if _, err := fmt.Sscanf(m[5:], "%02x", &i); err != nil || i >= len(inkNames) {
			return m
		}
		return "var(--" + inkNames[i] + ")"
	})
	body, err := fixWidths(family.ReplaceAllString(body, ""))
	if err != nil {
		return "", err
	}
	class := "wide"
	if s.narrow {
		class = "narrow"
	}
	// The canvas places its figures in points of a user space that is as large as the page's pixels.
	return template.HTML(fmt.Sprintf(`<svg class="%s" role="img" aria-label="%s" viewBox="0 0 %g %g" xmlns="http://www.w3.org/2000/svg">`,
		class, template.HTMLEscapeString(label), s.width.Points(), s.height.Points()) + body), nil
}

var textElement = regexp.MustCompile(`<text ([^>]*?font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)

// fixWidths tells the browser how wide each text was when it was placed, because its font may be a wider one.
func fixWidths(svg string) (string, error) {
	var failure error
	fixed := textElement.ReplaceAllStringFunc(svg, func(element string) string {
		m := textElement.FindStringSubmatch(element)
		points, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			failure = fmt.Errorf("font size %q: %w", m[2], err)
			return element
		}
		face := font.DefaultCache.Lookup(sans(points), font.Length(points))
		width := face.Width(html.UnescapeString(m[3]))
		return fmt.Sprintf(`<text textLength="%.5g" lengthAdjust="spacingAndGlyphs" %s>%s</text>`, width.Points(), m[1], m[3])
	})
	return fixed, failure
}

// twice draws a chart at both sizes. Nothing to show gives no chart.
func twice(id, caption string, keys []key, heights [2]size, build func(size) (*plot.Plot, error)) (*chart, error) {
	c := chart{ID: id, Caption: caption, Keys: keys}
	for _, s := range heights {
		p, err := build(s)
		if err != nil || p == nil {
			return nil, err
		}
		svg, err := render(p, s, caption)
		if err != nil {
			return nil, err
		}
		if s.narrow {
			c.Narrow = svg
		} else {
			c.Wide = svg
		}
	}
	return &c, nil
}

// finite reports whether a value can be drawn.
func finite(values ...float64) bool {
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// pad widens a range by a twentieth at both ends, and makes one of a range that is empty but for rounding: the ticks of
// such a one could not be told apart as numbers.
func pad(low, high float64) (float64, float64) {
	margin := (high - low) / 20
	if largest := math.Max(math.Abs(low), math.Abs(high)); margin <= 1e-12*largest {
		margin = math.Max(largest/100, 1e-9)
	}
	return low - margin, high + margin
}

package html

import (
	"html/template"
	"math"

	"github.com/chiasmus/chiasmus/reporters/internal/svg"
)

// size is the size of a chart in CSS pixels.
type size struct {
	width, height float64
	narrow        bool
}

// sizes returns the sizes of a chart with the given heights on a wide and a narrow page. The wide one is drawn for 860
// pixels, which keeps its text readable on a page 760 pixels wide.
func sizes(wide, narrow float64) [2]size {
	return [2]size{{860, wide, false}, {400, narrow, true}}
}

// chart is a figure of the page: its caption and its two drawings.
type chart struct {
	ID      string
	Caption string
	Keys    []key
	Wide    template.HTML
	Narrow  template.HTML
	Full    bool // takes the whole width of the page
}

// key explains a colour or shape of a chart. Keys are outside the drawing, where the page can wrap them.
type key struct {
	Ink  svg.Ink
	Mark string // the character that looks most like the mark
	Name string
}

// twice draws a chart at both sizes by calling draw with an empty plot.
func twice(id, caption string, keys []key, heights [2]size, draw func(*svg.Plot, size)) (*chart, error) {
	c := chart{ID: id, Caption: caption, Keys: keys}
	for _, s := range heights {
		p := &svg.Plot{Width: s.width, Height: s.height, Class: "wide", Label: caption}
		if s.narrow {
			p.Class = "narrow"
		}
		draw(p, s)
		drawing, err := p.Render()
		if err != nil {
			return nil, err
		}
		if s.narrow {
			c.Narrow = template.HTML(drawing)
		} else {
			c.Wide = template.HTML(drawing)
		}
	}
	return &c, nil
}

// radius is the radius of n marks: small if there are many, to limit overlap.
func radius(points int, z size) float64 {
	room := z.width / float64(max(1, points)) // per point, if evenly spaced
	return min(4.5, max(2, 1.5*room))
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

// pad widens a range by a twentieth at both ends. A range that is empty up to rounding gets a positive width, so that
// its tick labels differ.
func pad(low, high float64) (float64, float64) {
	margin := (high - low) / 20
	if largest := math.Max(math.Abs(low), math.Abs(high)); margin <= 1e-12*largest {
		margin = math.Max(largest/100, 1e-9)
	}
	return low - margin, high + margin
}

package html

import (
	"html/template"
	"math"

	"github.com/chiasmus/chiasmus/reporters/internal/svg"
)

// size is that of a chart in CSS pixels.
type size struct {
	width, height float64
	narrow        bool
}

// sizes are those of a chart that is so high on a wide page and on a narrow one. The wide one is drawn for a page of
// 860 pixels, so that its text can still be read where the page is 760 wide.
func sizes(wide, narrow float64) [2]size {
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
	Ink  svg.Ink
	Mark string // the character that looks most like what is drawn
	Name string
}

// twice draws a chart at both sizes: draw fills in a plot of a size.
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

// radius is that of the marks of so many points: small where there are many, so that they do not hide each other.
func radius(points int, z size) float64 {
	room := z.width / float64(max(1, points)) // for each point, were they side by side
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

// pad widens a range by a twentieth at both ends, and makes one of a range that is empty but for rounding: the ticks of
// such a one could not be told apart as numbers.
func pad(low, high float64) (float64, float64) {
	margin := (high - low) / 20
	if largest := math.Max(math.Abs(low), math.Abs(high)); margin <= 1e-12*largest {
		margin = math.Max(largest/100, 1e-9)
	}
	return low - margin, high + margin
}

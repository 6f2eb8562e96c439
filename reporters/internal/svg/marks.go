package svg

import (
	"fmt"
	"html"
	"strings"
)

// A mark is a drawn piece of data.
type mark struct {
	behind bool // drawn before the grid
	write  func(*strings.Builder, frame)
}

// A Point is a pair of coordinates. A browser shows its title, if any, as a tooltip.
type Point struct {
	X, Y  float64
	Title string
}

// Line draws a polyline.
func (p *Plot) Line(ink Ink, width float64, dashes string, points ...Point) {
	p.add(func(b *strings.Builder, f frame) {
		var path strings.Builder
		for i, at := range points {
			path.WriteByte("ML"[min(i, 1)])
			fmt.Fprintf(&path, "%s %s", number(f.x(at.X)), number(f.y(at.Y)))
		}
		stroke(b, ink, width, dashes, path.String())
	})
}

// Spans draws a line from each point to the point with the same index in ends, for intervals and rug plots.
func (p *Plot) Spans(ink Ink, width float64, points, ends []Point) {
	p.add(func(b *strings.Builder, f frame) {
		var path strings.Builder
		for i, at := range points {
			end := ends[i]
			fmt.Fprintf(&path, "M%s %sL%s %s", number(f.x(at.X)), number(f.y(at.Y)), number(f.x(end.X)), number(f.y(end.Y)))
		}
		stroke(b, ink, width, "", path.String())
	})
}

// Band fills a rectangle below the grid.
func (p *Plot) Band(ink Ink, from, to Point) {
	p.marks = append(p.marks, mark{true, bars(ink, []Point{from}, []Point{to})})
}

// Bars fills the rectangles between each point and the point with the same index in ends.
func (p *Plot) Bars(ink Ink, points, ends []Point) { p.add(bars(ink, points, ends)) }

func bars(ink Ink, points, ends []Point) func(*strings.Builder, frame) {
	return func(b *strings.Builder, f frame) {
		fmt.Fprintf(b, "\n"+`<g class="ink-%s" fill="currentColor">`, ink)
		for i, at := range points {
			end := ends[i]
			left, right := min(f.x(at.X), f.x(end.X)), max(f.x(at.X), f.x(end.X))
			top, bottom := min(f.y(at.Y), f.y(end.Y)), max(f.y(at.Y), f.y(end.Y))
			titled(b, fmt.Sprintf(`rect x="%s" y="%s" width="%s" height="%s"`,
				number(left), number(top), number(right-left), number(bottom-top)), at.Title)
		}
		b.WriteString("</g>")
	}
}

// A Shape is the shape of a point.
type Shape uint8

// The shapes. The open ones are outlines.
const (
	Disc Shape = iota
	Square
	Triangle
	Ring
	Box
	Cross
)

// Scatter draws points as shapes of a radius in pixels.
func (p *Plot) Scatter(ink Ink, shape Shape, radius float64, points ...Point) {
	p.add(func(b *strings.Builder, f frame) {
		paint := `fill="currentColor"`
		if shape >= Ring {
			paint = `fill="none" stroke="currentColor" stroke-width="1.5"`
		}
		fmt.Fprintf(b, "\n"+`<g class="ink-%s" %s>`, ink, paint)
		for _, at := range points {
			titled(b, shape.element(f.x(at.X), f.y(at.Y), radius), at.Title)
		}
		b.WriteString("</g>")
	})
}

// element is a shape centred at (x, y), without angle brackets. All shapes look about as large as a disc.
func (s Shape) element(x, y, r float64) string {
	switch s {
	case Disc, Ring:
		return fmt.Sprintf(`circle cx="%s" cy="%s" r="%s"`, number(x), number(y), number(r))
	case Square, Box:
		side := 0.9 * r
		return fmt.Sprintf(`rect x="%s" y="%s" width="%s" height="%s"`,
			number(x-side), number(y-side), number(2*side), number(2*side))
	case Triangle:
		return fmt.Sprintf(`path d="M%s %sL%s %sH%sZ"`,
			number(x), number(y-1.15*r), number(x+1.1*r), number(y+0.8*r), number(x-1.1*r))
	}
	return fmt.Sprintf(`path d="M%s %sl%s %sm0 %sl%s %s"`,
		number(x-r), number(y-r), number(2*r), number(2*r), number(-2*r), number(-2*r), number(2*r))
}

// titled writes an element with a tooltip.
func titled(b *strings.Builder, element, title string) {
	if title == "" {
		b.WriteString("<" + element + "/>")
		return
	}
	name, _, _ := strings.Cut(element, " ")
	b.WriteString("<" + element + "><title>" + html.EscapeString(title) + "</title></" + name + ">")
}

func (p *Plot) add(write func(*strings.Builder, frame)) {
	p.marks = append(p.marks, mark{write: write})
}

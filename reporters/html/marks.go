package html

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// line draws a path.
func line(p *plot.Plot, c ink, width vg.Length, dashes []vg.Length, points ...plotter.XY) (*plotter.Line, error) {
	l, err := plotter.NewLine(plotter.XYs(points))
	if err != nil {
		return nil, err
	}
	l.Color, l.Width, l.Dashes = c, width, dashes
	p.Add(l)
	return l, nil
}

// scatter draws points.
func scatter(p *plot.Plot, c ink, shape draw.GlyphDrawer, radius vg.Length,
	points plotter.XYs) (*plotter.Scatter, error) {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: radius, Shape: shape}
	p.Add(s)
	return s, nil
}

// radius is that of the marks of so many points: small where there are many, so that they do not hide each other.
func radius(points int, z size) vg.Length {
	room := z.width / vg.Length(max(1, points)) // for each point, were they side by side
	return min(4.5, max(2, 1.5*room))
}

// outline draws a shape's outline in lines that can be seen; gonum's own are hair-thin.
type outline struct{ corners int }

// The outlines: a ring and a square for proofs that were not measured, a cross for dropped ones.
var (
	ring   = outline{24}
	square = outline{4}
)

// DrawGlyph draws a regular polygon, the square upright.
func (o outline) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.5})
	var path vg.Path
	for i := range o.corners {
		angle := 2*math.Pi*float64(i)/float64(o.corners) + math.Pi/4
		corner := vg.Point{
			X: at.X + style.Radius*vg.Length(math.Cos(angle)),
			Y: at.Y + style.Radius*vg.Length(math.Sin(angle)),
		}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	c.Stroke(path)
}

type cross struct{}

// DrawGlyph draws two strokes.
func (cross) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.75})
	r := style.Radius
	for _, ends := range [][2]vg.Point{{{X: -r, Y: -r}, {X: r, Y: r}}, {{X: -r, Y: r}, {X: r, Y: -r}}} {
		var path vg.Path
		path.Move(at.Add(ends[0]))
		path.Line(at.Add(ends[1]))
		c.Stroke(path)
	}
}

// band fills a rectangle.
func band(p *plot.Plot, c color.Color, left, right, bottom, top float64) error {
	b, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top},
		{X: left, Y: top}})
	if err != nil {
		return err
	}
	b.Color, b.LineStyle.Width = c, 0
	p.Add(b)
	return nil
}

// grid draws lines at the ticks of one direction.
func grid(p *plot.Plot, vertical, horizontal bool) {
	g := plotter.NewGrid()
	style := draw.LineStyle{Color: inkGrid, Width: 0.75}
	g.Vertical, g.Horizontal = draw.LineStyle{}, draw.LineStyle{}
	g.Vertical.Color, g.Horizontal.Color = nil, nil
	if vertical {
		g.Vertical = style
	}
	if horizontal {
		g.Horizontal = style
	}
	p.Add(g)
}

// wholeTicks are those of an axis that counts: at most so many, at whole numbers.
type wholeTicks struct{ most int }

func (w wholeTicks) Ticks(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(low)), int(math.Floor(high))
	step := 1
	for _, s := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if step = s; (last-first)/s < w.most {
			break
		}
	}
	var ticks []plot.Tick
	for i := first; i <= last; i++ {
		if i%step == 0 {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: plain(float64(i))})
		}
	}
	return ticks
}

// fewTicks are gonum's, thinned out until at most so many have labels.
type fewTicks struct{ most int }

func (f fewTicks) Ticks(low, high float64) []plot.Tick {
	span := high - low
	step := math.Pow(10, math.Floor(math.Log10(span)))
	for _, factor := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10} {
		if span/(step*factor) <= float64(f.most) {
			step *= factor
			break
		}
	}
	var ticks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: plain(roundTo(i*step, step))})
	}
	return ticks
}

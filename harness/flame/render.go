package flame

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	_ "embed"
)

// A Page is the text around a graph.
type Page struct {
	Title string
	// Note is a sentence below the graph, such as how the stacks were sampled.
	Note string
}

const (
	// narrowestBox is the share of the total time below which a box is omitted, because it would be narrower than a pixel.
	narrowestBox = 0.0005
	// deepest is the maximum number of levels.
	deepest = 200
	// rowHeight is the height of a level in pixels.
	rowHeight = 18
)

// A box is a drawn function. Left and Width are in percent of the total time.
type box struct {
	Name, Title string
	Left, Width float64
	Level, Top  int
	// Red is set if head takes longer than base. Heat is the saturation of the colour.
	Red  bool
	Heat int // percent of the full colour
}

//go:embed page.gohtml
var pageText string

var page = template.Must(template.New("flame").Parse(pageText))

// Write draws the differential flame graph of two sides as a self-contained HTML page.
func Write(out io.Writer, base, head Side, about Page) error {
	root := tree(base, head)
	d := drawing{whole: root.head, base: root.base, hottest: hottest(root)}
	if d.whole > 0 {
		d.draw(root, 0, 0)
	}
	changes := Changes(base, head)
	return page.Execute(out, struct {
		Page
		Boxes      []box
		Height     int
		Base, Head string
		Changes    []row
	}{about, d.boxes, (d.levels + 1) * rowHeight, milliseconds(root.base), milliseconds(root.head),
		rowsOf(changes[:min(len(changes), mostRows)])})
}

// mostRows is the number of functions in the table of a page.
const mostRows = 30

// A row is a function in the table.
type row struct{ Name, Base, Head, Change, Percent, Noise string }

func rowsOf(changes []Change) (rows []row) {
	for _, c := range changes {
		rows = append(rows, row{
			c.Function, milliseconds(c.BaseSeconds), milliseconds(c.HeadSeconds),
			fmt.Sprintf("%+.3g ms", 1e3*c.Difference()), fmt.Sprintf("%+.2f %%", c.Percent), milliseconds(c.NoiseSeconds),
		})
	}
	return rows
}

func milliseconds(seconds float64) string { return fmt.Sprintf("%.3g ms", 1e3*seconds) }

// A drawing collects the boxes of a tree.
type drawing struct {
	whole, base, hottest float64
	boxes                []box
	levels               int
}

// hottest returns the largest change of a node below the root; its colour is fully saturated.
func hottest(n *node) float64 {
	most := 0.0
	for _, child := range n.children {
		most = max(most, math.Abs(child.head-child.base), hottest(child))
	}
	return most
}

// draw draws a node that starts at from seconds, and below it its callees in the order of names.
func (d *drawing) draw(n *node, from float64, level int) {
	if n.head < narrowestBox*d.whole || level > deepest {
		return
	}
	d.levels = max(d.levels, level)
	change := n.head - n.base
	b := box{
		Name: n.name, Left: 100 * from / d.whole, Width: 100 * n.head / d.whole, Level: level, Top: level * rowHeight,
		Red: change > 0,
		Title: fmt.Sprintf("%s\nbase %s, head %s: %+.3g ms", n.name, milliseconds(n.base), milliseconds(n.head),
			1e3*change),
	}
	if d.base > 0 {
		b.Title += fmt.Sprintf(", %+.2f %% of base's total time", 100*change/d.base)
	}
	if d.hottest > 0 {
		b.Heat = int(math.Round(100 * math.Sqrt(min(1, math.Abs(change)/d.hottest))))
	}
	d.boxes = append(d.boxes, b)
	for _, name := range slices.SortedFunc(maps.Keys(n.children), strings.Compare) {
		d.draw(n.children[name], from, level+1)
		from += n.children[name].head
	}
}

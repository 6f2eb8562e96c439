// Package terminal renders a report for people at a terminal: headlines first, then aligned figures and tables.
//
// Output is plain text of a given width. Colour is used for the verdict alone, and only when asked for.
package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// Options say how wide a line may be and whether the terminal shows colour. A Width of 0 means DefaultWidth.
type Options struct {
	Width  int
	Colour bool
}

// DefaultWidth is used where nobody knows the terminal's; narrower than leastWidth nothing is readable.
const DefaultWidth, leastWidth = 100, 60

// Write renders a report.
func Write(w io.Writer, r *harness.Report, o Options) error {
	d := document.New(r)
	// The log of events is in report.html and the journal; at the end of a terminal it would push the verdict away.
	var kept []document.Section
	for _, s := range d.Sections {
		if s.ID != document.Events {
			kept = append(kept, s)
		}
	}
	d.Sections = kept
	return WriteDocument(w, d, o)
}

// WriteDocument renders a document.
func WriteDocument(w io.Writer, d document.Document, o Options) error {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	p := printer{options: o, width: max(o.Width, leastWidth)}
	p.line("%s", d.Title)
	p.line("")
	for _, h := range d.Headlines {
		p.headline(h)
	}
	workload := ""
	for _, s := range d.Sections {
		if s.Workload != workload && s.Workload != "" {
			p.line("")
			p.line("=== %s ===", s.Workload)
		}
		if s.Workload == "" && workload != "" {
			p.line("")
			p.line("=== The run ===")
		}
		workload = s.Workload
		p.section(s)
	}
	if p.err != nil {
		return p.err
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// printer collects the text; err is the first failure of a table.
type printer struct {
	options Options
	width   int
	text    strings.Builder
	err     error
}

func (p *printer) line(format string, arguments ...any) {
	fmt.Fprintf(&p.text, format+"\n", arguments...)
}

var colours = map[document.Tone]string{document.Good: "32", document.Bad: "31", document.Caution: "33", document.Neutral: "36"}

func (p *printer) headline(h document.Headline) {
	word := h.Status.Glyph + " " + strings.ToUpper(h.Status.Word)
	if p.options.Colour {
		word = "\x1b[1;" + colours[h.Status.Tone] + "m" + word + "\x1b[0m"
	}
	name := ""
	if h.Workload != "" {
		name = h.Workload + ": "
	}
	p.line("%s", word)
	p.wrapped("  ", name+h.Sentence)
	for _, caveat := range h.Caveats {
		p.wrapped("  ! ", caveat)
	}
}

// wrapped prints text with an indent that later lines keep as spaces.
func (p *printer) wrapped(indent, text string) {
	size := runewidth.StringWidth(indent)
	for _, line := range wrap(text, p.width-size) {
		p.line("%s", strings.TrimRight(indent+line, " "))
		indent = strings.Repeat(" ", size)
	}
}

// wrap breaks text between words into lines of a width; a longer word, such as a path, stays whole.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case runewidth.StringWidth(*last)+1+runewidth.StringWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

func (p *printer) section(s document.Section) {
	p.line("")
	p.line("%s", s.Title)
	for i := 0; i < len(s.Blocks); i++ {
		if i > 0 {
			p.line("")
		}
		switch b := s.Blocks[i].(type) {
		case document.Paragraph:
			p.wrapped("  ", string(b))
		case document.List:
			for _, item := range b {
				p.wrapped("  - ", item)
			}
		case document.Log:
			for _, line := range strings.Split(string(b), "\n") {
				p.line("  | %s", line)
			}
		case document.Facts:
			// Two short blocks stand side by side where there is room.
			if next, ok := nextFacts(s.Blocks, i); ok && factsWidth(b)+factsWidth(next)+8 <= p.width {
				p.facts(b, next)
				i++
			} else {
				p.facts(b)
			}
		case document.Table:
			p.table(b)
		}
	}
}

// nextFacts returns the block after i where that is facts with a title, like the one at i.
func nextFacts(blocks []document.Block, i int) (document.Facts, bool) {
	if i+1 >= len(blocks) || blocks[i].(document.Facts).Title == "" {
		return document.Facts{}, false
	}
	next, ok := blocks[i+1].(document.Facts)
	return next, ok && next.Title != ""
}

// factsWidth is the width of a block's lines.
func factsWidth(f document.Facts) int {
	label, value := columnWidths(f)
	return max(label+2+value, runewidth.StringWidth(f.Title))
}

func columnWidths(f document.Facts) (label, value int) {
	for _, row := range f.Rows {
		label, value = max(label, runewidth.StringWidth(row.Label)), max(value, runewidth.StringWidth(row.Value))
	}
	return label, value
}

// facts prints blocks side by side: labels and values in aligned columns, titles above.
func (p *printer) facts(blocks ...document.Facts) {
	height := 0
	var columns [][]string
	for _, f := range blocks {
		lines := p.factLines(f)
		columns = append(columns, lines)
		height = max(height, len(lines))
	}
	left := 0
	for _, line := range columns[0] {
		left = max(left, runewidth.StringWidth(line))
	}
	for i := range height {
		line := ""
		for c, lines := range columns {
			if i < len(lines) {
				line += lines[i]
			}
			if c+1 < len(columns) {
				line = runewidth.FillRight(line, left+4)
			}
		}
		p.line("  %s", strings.TrimRight(line, " "))
	}
}

// factLines aligns the values of one block and wraps them within the width.
func (p *printer) factLines(f document.Facts) []string {
	label, _ := columnWidths(f)
	var lines []string
	indent := ""
	if f.Title != "" {
		lines, indent = append(lines, f.Title), "  "
	}
	for _, row := range f.Rows {
		head := indent + runewidth.FillRight(row.Label, label) + "  "
		for _, line := range wrap(row.Value, p.width-2-runewidth.StringWidth(head)) {
			lines = append(lines, head+line)
			head = strings.Repeat(" ", runewidth.StringWidth(head))
		}
	}
	return lines
}

// table draws a table that keeps to the width: the widest columns of text give way and wrap. tablewriter would take
// the same from every column and break numbers, so cells come to it broken into lines.
func (p *printer) table(t document.Table) {
	widths := p.tableWidths(t)
	cells := func(row []string) []string {
		broken := make([]string, len(row))
		for i, cell := range row {
			broken[i] = strings.Join(wrap(cell, widths[i]), "\n")
		}
		return broken
	}
	titles := make([]string, len(t.Columns))
	alignment := make(tw.Alignment, len(t.Columns))
	for i, column := range t.Columns {
		titles[i], alignment[i] = column.Title, tw.AlignLeft
		if column.Number {
			alignment[i] = tw.AlignRight
		}
	}
	table := tablewriter.NewTable(&p.text,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleLight)})),
		tablewriter.WithHeaderAutoFormat(tw.Off), // else it shouts and turns underscores into spaces
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: alignment}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: alignment}),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	table.Header(cells(titles))
	for _, row := range t.Rows {
		if err := table.Append(cells(row)); err != nil && p.err == nil {
			p.err = err
		}
	}
	if err := table.Render(); err != nil && p.err == nil {
		p.err = err
	}
	for _, note := range t.Notes {
		p.wrapped("  ", note)
	}
}

// tableWidths gives each column the width of its longest cell, and takes what is too much from the widest ones, down
// to their longest word.
func (p *printer) tableWidths(t document.Table) []int {
	widths, words := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	total := 1
	for i, column := range t.Columns {
		for _, cell := range append(columnOf(t.Rows, i), column.Title) {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
			for _, word := range strings.Fields(cell) {
				words[i] = max(words[i], runewidth.StringWidth(word))
			}
		}
		total += widths[i] + 3
	}
	for ; total > p.width; total-- {
		widest := -1
		for i := range widths {
			if widths[i] > words[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

func columnOf(rows [][]string, i int) []string {
	cells := make([]string, len(rows))
	for j, row := range rows {
		cells[j] = row[i]
	}
	return cells
}

// Package terminal renders a report for people at a terminal: headlines, aligned figures and tables, and at the end,
// where a terminal stays, the headlines again with a line for each workload and the path of report.html.
//
// Output is plain text of a given width. Colour is used for the verdict alone, and only when asked for.
package terminal

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

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
	p.trust(d)
	p.line("%s", d.Title)
	p.line("")
	for _, h := range d.Headlines {
		p.headline(h)
	}
	workload := ""
	for _, s := range d.Sections {
		if s.ID == document.Summary {
			continue // at the end
		}
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
	p.conclusion(d)
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

// conclusion is what a reader sees without scrolling back.
func (p *printer) conclusion(d document.Document) {
	if len(d.Sections) == 0 {
		return
	}
	p.line("")
	p.line("=== %s ===", d.Title)
	for _, s := range d.Sections {
		if s.ID == document.Summary {
			p.section(s)
		}
	}
	p.line("")
	p.trust(d)
	for _, h := range d.Headlines {
		p.headline(h)
	}
	if d.Page != "" {
		p.line("")
		p.line("Report: %s", d.Page)
	}
}

// trust stands before what it is about.
func (p *printer) trust(d document.Document) {
	if d.Trust != "" {
		p.wrapped("", d.Trust)
	}
}

func (p *printer) line(format string, arguments ...any) {
	fmt.Fprintf(&p.text, format+"\n", arguments...)
}

var colours = map[document.Tone]string{
	document.Good:    "32",
	document.Bad:     "31",
	document.Caution: "33",
	document.Neutral: "36",
}

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
	for _, finding := range h.Findings {
		p.wrapped("  also ", finding)
	}
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
	for _, word := range words(text) {
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

// number matches what may have a unit behind it.
var number = regexp.MustCompile(`^[-+]?[0-9][0-9.e+-]*$`)

// longestUnit is the length of what is kept beside a number: "-3.2 to" and "0.4 %" stay whole.
const longestUnit = 3

// words splits text where it may be broken.
func words(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		last := len(list) - 1
		if last >= 0 && utf8.RuneCountInString(word) <= longestUnit && number.MatchString(list[last]) {
			list[last] += " " + word
		} else {
			list = append(list, word)
		}
	}
	return list
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
			if next, ok := nextFacts(s.Blocks, i); ok && factsWidth(b)+factsWidth(next)+9 <= p.width {
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
				line = runewidth.FillRight(line, left+3)
			}
		}
		p.line("  %s", strings.TrimRight(line, " "))
	}
}

// factLines aligns the values of one block and wraps them within the width. A label that is longer than half of it, as
// only one from outside can be, has lines of its own.
func (p *printer) factLines(f document.Facts) []string {
	label, _ := columnWidths(f)
	label = min(label, p.width/2)
	var lines []string
	indent := ""
	if f.Title != "" {
		lines, indent = append(lines, f.Title), "  "
	}
	for _, row := range f.Rows {
		name := row.Label
		if runewidth.StringWidth(name) > label {
			for _, line := range wrap(name, p.width-2-len(indent)) {
				lines = append(lines, indent+line)
			}
			name = ""
		}
		head := indent + runewidth.FillRight(name, label) + "  "
		for _, line := range wrap(row.Value, p.width-2-runewidth.StringWidth(head)) {
			lines = append(lines, head+line)
			head = strings.Repeat(" ", runewidth.StringWidth(head))
		}
	}
	return lines
}

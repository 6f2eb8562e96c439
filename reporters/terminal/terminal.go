// Package terminal renders a report for a terminal: the answer, the details, and at the end, where the cursor stays,
// the verdict and the path of report.html.
//
// Output is plain text. No line is wider than the terminal, and only tables use more than 80 columns. Only the verdict
// is coloured, and only on request.
package terminal

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// Options control the rendering.
type Options struct {
	Width  int  // of the terminal in cells; 0 means DefaultWidth
	Colour bool // whether the terminal shows colour
	Brief  bool // the answer only
	// Directory is the reader's working directory: paths within it are shown relative to it. Empty means none.
	Directory string
}

// DefaultWidth is used if the terminal's width is unknown, and bounds everything except tables. leastWidth is the
// minimum width of lines on narrower terminals.
const DefaultWidth, leastWidth = 80, 60

// Write renders a report.
func Write(w io.Writer, r *report.Report, o Options) error {
	d := document.New(r)
	// The event log is in report.html and the journal; here it would push the verdict out of view.
	var kept []document.Section
	for _, s := range d.Sections {
		if s.ID != document.Events {
			kept = append(kept, s)
		}
	}
	d.Sections = kept
	if o.Brief {
		d = d.Brief()
	}
	return WriteDocument(w, d, o)
}

// WriteDocument renders a document.
func WriteDocument(w io.Writer, d document.Document, o Options) error {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	full := max(o.Width, leastWidth)
	p := printer{options: o, full: full, width: min(full, DefaultWidth)}
	p.answer(d)
	workload := ""
	for _, s := range d.Sections {
		if s.Workload != workload && s.Workload != "" {
			p.line("")
			p.rule(s.Workload)
		}
		if s.Workload == "" && workload != "" {
			p.line("")
			p.rule("The run")
		}
		workload = s.Workload
		p.section(s)
	}
	p.end(d)
	if p.err != nil {
		return p.err
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// printer collects the text. err is the first error of a table.
type printer struct {
	options Options
	full    int // of tables
	width   int // of everything else
	text    strings.Builder
	err     error
}

// answer prints the summary.
func (p *printer) answer(d document.Document) {
	if d.Trust != "" { // before the claim that it qualifies
		p.wrapped("", d.Trust)
	}
	p.wrapped("", d.Title)
	p.line("")
	for _, h := range d.Leads() {
		p.headline(h)
		if len(d.Answer.Table.Rows) > 0 {
			p.line("")
			p.table(d.Answer.Table)
		}
		for _, finding := range h.Findings {
			p.wrapped("  also ", finding)
		}
		for _, caveat := range h.Caveats {
			p.wrapped("  ! ", caveat)
		}
	}
}

// end repeats the verdict and the page's path for a reader at the end of the output.
func (p *printer) end(d document.Document) {
	if lead := d.Answer.Lead; len(d.Sections) > 0 && lead.Sentence != "" {
		p.line("")
		name := lead.Workload
		if len(d.Answer.Table.Rows) > 0 {
			name = lead.Sentence
		}
		p.wrapped("", strings.TrimSpace(p.verdict(lead.Status)+"  "+name))
	}
	if d.Page != "" {
		if len(d.Sections) == 0 {
			p.line("")
		}
		p.wrapped("Report: ", p.relative(d.Page))
	}
}

// relative returns a path relative to the reader's folder.
func (p *printer) relative(path string) string {
	if p.options.Directory != "" {
		if short, inside := strings.CutPrefix(path, strings.TrimSuffix(p.options.Directory, "/")+"/"); inside {
			return short
		}
	}
	return path
}

// rule starts a part of the details.
func (p *printer) rule(title string) {
	for i, line := range wrap(title, p.width-8) {
		if i > 0 {
			p.line("    %s", line)
			continue
		}
		p.line("=== %s ===", line)
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

// verdict formats a status in capitals.
func (p *printer) verdict(status document.Status) string {
	word := status.Glyph + " " + strings.ToUpper(status.Word)
	if p.options.Colour {
		word = "\x1b[1;" + colours[status.Tone] + "m" + word + "\x1b[0m"
	}
	return word
}

func (p *printer) headline(h document.Headline) {
	name := ""
	if h.Workload != "" {
		name = h.Workload + ": "
	}
	p.line("%s", p.verdict(h.Status))
	p.wrapped("  ", name+h.Sentence)
}

// wrapped prints text with an indent, which continuation lines replace by spaces.
func (p *printer) wrapped(indent, text string) {
	size := runewidth.StringWidth(indent)
	for _, line := range wrap(text, p.width-size) {
		p.line("%s", strings.TrimRight(indent+line, " "))
		indent = strings.Repeat(" ", size)
	}
}

// wrap breaks text into lines of a width, between words. A word longer than a line, such as a path or a hash, is broken
// after a separator, or else at the end of the line.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range words(text) {
		last := &lines[len(lines)-1]
		if *last != "" && runewidth.StringWidth(*last)+1+runewidth.StringWidth(word) <= width {
			*last += " " + word
			continue
		}
		parts := pieces(word, width)
		if *last == "" {
			*last = parts[0]
			parts = parts[1:]
		}
		lines = append(lines, parts...)
	}
	return lines
}

// pieces breaks one word into pieces of a width.
func pieces(word string, width int) []string {
	var list []string
	for {
		first, rest := cutAt(word, width)
		list = append(list, first)
		if rest == "" {
			return list
		}
		word = rest
	}
}

// cutAt splits text at a width, after a separator if there is one in the second half.
func cutAt(text string, width int) (first, rest string) {
	if runewidth.StringWidth(text) <= width {
		return text, ""
	}
	first = runewidth.Truncate(text, width, "")
	if at := strings.LastIndexAny(first, "/,;=&?"); at >= len(first)/2 {
		first = first[:at+1]
	}
	if first == "" { // the column is narrower than the character
		return text, ""
	}
	return first, text[len(first):]
}

// number matches text that may be followed by a unit.
var number = regexp.MustCompile(`^[-+]?[0-9][0-9.e+-]*$`)

// longestUnit is the maximum length of a unit that stays with its number: "-3.2 to" and "0.4 %" are not split.
const longestUnit = 3

// words splits text into unbreakable pieces.
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
				first, rest := cutAt(line, p.width-4)
				p.line("  | %s", first)
				for rest != "" {
					first, rest = cutAt(rest, p.width-4)
					p.line("  | %s", first)
				}
			}
		case document.Facts:
			// Two short blocks are placed side by side if there is room.
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

// nextFacts returns the block after i if both it and the block at i are facts with a title.
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

// facts prints blocks side by side: aligned labels and values, with titles above.
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

// longest is the width of the longest word of a text.
func longest(text string) int {
	width := 0
	for _, word := range words(text) {
		width = max(width, runewidth.StringWidth(word))
	}
	return width
}

// factLines aligns the values of one block and wraps them to the width. A label longer than half of the width, which
// can only be external, gets lines of its own.
func (p *printer) factLines(f document.Facts) []string {
	label, _ := columnWidths(f)
	label = min(label, p.width/2)
	var lines []string
	indent := ""
	if f.Title != "" {
		lines, indent = append(lines, f.Title), "  "
	}
	for _, row := range f.Rows {
		name, value := row.Label, p.relative(row.Value)
		room := p.width - 2 - len(indent)
		if runewidth.StringWidth(name) > label {
			for _, line := range wrap(name, room) {
				lines = append(lines, indent+line)
			}
			name = ""
		}
		head := indent + runewidth.FillRight(name, label) + "  "
		if longest(value) > room-label-2 { // such as a hash: there is more room below its label
			if name != "" {
				lines = append(lines, indent+name)
			}
			head = indent + "  "
		}
		for _, line := range wrap(value, p.width-2-runewidth.StringWidth(head)) {
			lines = append(lines, head+line)
			head = strings.Repeat(" ", runewidth.StringWidth(head))
		}
	}
	return lines
}

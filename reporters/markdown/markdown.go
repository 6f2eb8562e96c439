// Package markdown renders a report as GitHub-flavoured Markdown, for a pull request.
//
// Every string of a report may come from outside, so all are escaped: none can be markup, HTML, a mention, a
// reference or a link. With a limit the text is cut at a section, and says what it leaves out.
package markdown

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// CommentLimit is what a comment on GitHub holds, with room for what a publisher puts around the report.
const CommentLimit = 60_000

// Options limit the size in bytes; 0 means no limit.
type Options struct {
	MaxBytes int
}

// Write renders a report.
func Write(w io.Writer, r *harness.Report, o Options) error {
	d := document.New(r)
	var kept []document.Section
	for _, s := range d.Sections {
		if s.ID != document.Events { // in report.html
			kept = append(kept, s)
		}
	}
	d.Sections = kept
	return WriteDocument(w, d, o)
}

// leastBytes is the smallest limit that leaves room for a title, one headline and the notice of the cut.
const leastBytes = 4000

// WriteDocument renders a document.
func WriteDocument(w io.Writer, d document.Document, o Options) error {
	if o.MaxBytes != 0 && o.MaxBytes < leastBytes {
		return fmt.Errorf("markdown of at most %d bytes: want at least %d", o.MaxBytes, leastBytes)
	}
	_, err := io.WriteString(w, fit(parts(d), o.MaxBytes))
	return err
}

// part is a piece of text that is kept or left out whole; name says what is left out, and heading stands above the
// first part of a workload that is kept.
type part struct {
	name, heading string
	text          func() string
}

// parts renders a document piece by piece.
func parts(d document.Document) []part {
	first := ""
	if d.Trust != "" {
		first = "**" + Escape(d.Trust) + "**\n\n"
	}
	list := []part{{text: func() string { return first + "## " + Escape(d.Title) + "\n" }}}
	for _, h := range d.Headlines {
		list = append(list, part{name: "headline of " + Escape(h.Workload), text: func() string { return headline(h) }})
	}
	for _, s := range d.Sections {
		p := part{name: Escape(s.Title), text: func() string { return section(s) }, heading: "\n---\n"}
		switch {
		case s.ID == document.Summary:
			p.heading = ""
		case s.Workload != "":
			p.name += " of " + Escape(s.Workload)
			p.heading = "\n### " + Escape(s.Workload) + "\n"
		}
		list = append(list, p)
	}
	return list
}

// longestNotice bounds the sentence that announces a cut.
const longestNotice = 600

// fit joins the parts that the limit has room for. Everything after the first that does not fit is left out as well,
// so that what is there reads on without gaps.
func fit(list []part, limit int) string {
	var b strings.Builder
	heading := ""
	for i, p := range list {
		text := p.text()
		if p.heading != heading {
			text = p.heading + text
		}
		if limit > 0 && b.Len()+len(text) > limit-longestNotice {
			if i+1 < len(list) || b.Len()+len(text) > limit {
				b.WriteString(notice(list[i:]))
				return b.String()
			}
		}
		heading = p.heading
		b.WriteString(text)
	}
	return b.String()
}

// notice announces what was left out.
func notice(rest []part) string {
	sections := fmt.Sprintf("%d sections", len(rest))
	if len(rest) == 1 {
		sections = "1 section"
	}
	text := "\n---\n\n_Left out to keep within the size of a comment, and in the full report: " + sections
	for i, p := range rest {
		name := strings.TrimSpace(p.name)
		if name == "" || len(text)+len(name) > longestNotice-40 {
			text += ", and so on"
			break
		}
		if i == 0 {
			text += ": " + name
		} else {
			text += ", " + name
		}
	}
	return text + "._\n"
}

func headline(h document.Headline) string {
	text := "\n" + h.Status.Icon + " **" + h.Status.Word + "**: "
	if h.Workload != "" {
		text += Code(h.Workload) + ": "
	}
	text += Escape(h.Sentence) + "\n"
	for _, finding := range h.Findings {
		text += "- also " + Escape(finding) + "\n"
	}
	for _, caveat := range h.Caveats {
		text += "\n> " + Escape(caveat) + "\n"
	}
	return text
}

func section(s document.Section) string {
	var b strings.Builder
	if s.Folded {
		// a line of HTML has no Markdown in it.
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", html.EscapeString(s.Title))
	} else {
		fmt.Fprintf(&b, "\n#### %s\n\n", Escape(s.Title))
	}
	if s.ID == document.Figures {
		b.WriteString(figures(s.Blocks))
	} else {
		for _, block := range s.Blocks {
			b.WriteString(render(block))
		}
	}
	if s.Folded {
		b.WriteString("\n</details>\n")
	}
	return b.String()
}

// shownFigures counts the blocks of figures that are not folded: both sides, and head against base.
const shownFigures = 2

// figures shows what both sides gave and the change, and folds the blocks of statistics away.
func figures(blocks []document.Block) string {
	var b strings.Builder
	for i, block := range blocks {
		if i == shownFigures {
			b.WriteString("<details><summary>Tests, intervals, stability</summary>\n\n")
		}
		b.WriteString(render(block))
	}
	return b.String() + "</details>\n"
}

func render(block document.Block) string {
	switch b := block.(type) {
	case document.Paragraph:
		return Escape(string(b)) + "\n\n"
	case document.List:
		text := ""
		for _, item := range b {
			text += "- " + Escape(item) + "\n"
		}
		return text + "\n"
	case document.Log:
		return Block(string(b)) + "\n"
	case document.Facts:
		return facts(b)
	case document.Table:
		return table(b)
	}
	return ""
}

// facts is a table of two columns, its title in the header.
func facts(f document.Facts) string {
	title := Cell(f.Title)
	if title == "" {
		title = " "
	}
	text := "| " + title + " | |\n|:--|:--|\n"
	for _, row := range f.Rows {
		value := Cell(row.Value)
		if row.Code {
			value = Code(row.Value)
		}
		text += "| " + Cell(row.Label) + " | " + value + " |\n"
	}
	return text + "\n"
}

func table(t document.Table) string {
	head, rule := "|", "|"
	for _, column := range t.Columns {
		head += " " + Cell(column.Title) + " |"
		if column.Number {
			rule += "--:|"
		} else {
			rule += ":--|"
		}
	}
	text := head + "\n" + rule + "\n"
	for _, row := range t.Rows {
		text += "|"
		for i, cell := range row {
			if t.Columns[i].Code {
				cell = Code(cell)
			} else {
				cell = Cell(cell)
			}
			text += " " + cell + " |"
		}
		text += "\n"
	}
	text += "\n"
	for _, note := range t.Notes {
		text += Escape(note) + "\n\n"
	}
	return text
}

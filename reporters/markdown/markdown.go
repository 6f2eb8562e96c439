// Package markdown renders a report as GitHub-flavoured Markdown for a pull request: the answer, the intervals drawn as
// text (GitHub shows no images embedded in a comment), and folded details.
//
// Any string of a report may come from outside, so all are escaped: none can be markup, HTML, a mention, a reference or
// a link. With a limit, the text is cut at a section boundary and lists what is omitted.
package markdown

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// CommentLimit is the maximum size of a report in a GitHub comment, with room for a publisher's frame.
const CommentLimit = 60_000

// Options control the rendering.
type Options struct {
	MaxBytes int  // 0 means no limit
	Brief    bool // the answer only
	// Commits is the URL prefix of a commit, such as https://github.com/OWNER/NAME/commit/. If it is set, revisions are
	// links. Page is the URL of the full report. Both come from the caller, never from a report.
	Commits, Page string
}

// Write renders a report.
func Write(w io.Writer, r *report.Report, o Options) error {
	d := document.New(r)
	var kept []document.Section
	for _, s := range d.Sections {
		if s.ID != document.Events { // in report.html
			kept = append(kept, s)
		}
	}
	d.Sections = kept
	if o.Brief {
		d = d.Brief()
	}
	return WriteDocument(w, d, o)
}

// leastBytes is the smallest limit with room for a title, one headline and the notice of the cut.
const leastBytes = 4000

// WriteDocument renders a document.
func WriteDocument(w io.Writer, d document.Document, o Options) error {
	if o.MaxBytes != 0 && o.MaxBytes < leastBytes {
		return fmt.Errorf("markdown of at most %d bytes: want at least %d", o.MaxBytes, leastBytes)
	}
	_, err := io.WriteString(w, fit(parts(d, o), o.MaxBytes))
	return err
}

// part is a piece of text that is kept or omitted whole. name identifies it in the notice of a cut. Consecutive parts
// with the same fold are folded together under that title.
type part struct {
	name, fold string
	text       func() string
}

// parts renders a document in pieces: the answer, then the details, folded by workload.
func parts(d document.Document, o Options) []part {
	list := []part{{text: func() string { return title(d, o) }}}
	for _, h := range d.Leads() {
		list = append(list, part{name: "headline of " + Escape(h.Workload), text: func() string { return headline(h) }})
		if len(d.Answer.Table.Rows) > 0 {
			list = append(list, part{name: "table", text: func() string {
				return "\n" + answerTable(d.Answer.Table, o.MaxBytes)
			}})
		}
		if len(d.Answer.Bars) > 0 {
			list = append(list, part{name: "drawing", text: func() string { return "\n" + Block(plot(d.Answer)) }})
		}
		list = append(list, part{name: "remarks", text: func() string { return remarks(h) }})
	}
	if o.Page != "" {
		list = append(list, part{name: "link", text: func() string { return "\n[Full report](" + o.Page + ")\n" }})
	}
	titles := map[string][]string{}
	for _, s := range d.Sections {
		if s.ID == document.Failure {
			continue
		}
		titles[s.Workload] = append(titles[s.Workload], strings.ToLower(s.Title[:1])+s.Title[1:])
	}
	for _, s := range d.Sections {
		p := part{name: Escape(s.Title), text: func() string { return section(s) }}
		if s.Workload != "" {
			p.name += " of " + Escape(s.Workload)
		}
		if s.ID != document.Failure { // a line of HTML has no Markdown in it
			about := "The run"
			if s.Workload != "" {
				about = "<code>" + HTML(s.Workload) + "</code>"
			}
			p.fold = about + ": " + HTML(strings.Join(titles[s.Workload], ", "))
		}
		list = append(list, p)
	}
	return list
}

// title shows the revisions as code spans, which can be copied whole.
func title(d document.Document, o Options) string {
	text := ""
	if d.Trust != "" {
		text = "**" + Escape(d.Trust) + "**\n\n"
	}
	name := Escape(d.Title)
	for _, side := range d.Sides {
		name = strings.ReplaceAll(name, Escape(side.Short), Commit(side.SHA, side.Short, o.Commits))
	}
	return text + "## " + name + "\n"
}

// sha matches a full commit name.
var sha = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Commit shows a commit as code under a name. If commits is set, it is the URL prefix of a link.
func Commit(id, name, commits string) string {
	if commits == "" || !sha.MatchString(id) {
		return Code(name)
	}
	return "[" + Code(name) + "](" + commits + id + ")"
}

// longestNotice bounds the sentence that announces a cut.
const longestNotice = 600

// fit joins the parts that fit into the limit. It stops at the first part that does not fit, so that the text has no
// gaps.
func fit(list []part, limit int) string {
	if whole, fits := join(list, limit, 0); fits || limit == 0 {
		return whole
	}
	cut, _ := join(list, limit, longestNotice)
	return cut
}

// join joins parts up to a limit minus kept, the room for the notice of a cut, and reports whether all fit. A limit of
// 0 means none.
func join(list []part, limit, kept int) (text string, all bool) {
	var b strings.Builder
	fold := ""
	for i, p := range list {
		text := p.text()
		if p.fold != fold {
			text = closing(fold) + opening(p.fold) + text
		}
		if limit > 0 && b.Len()+len(text)+len(closing(p.fold)) > limit-kept {
			return b.String() + closing(fold) + notice(list[i:]), false
		}
		fold = p.fold
		b.WriteString(text)
	}
	return b.String() + closing(fold), true
}

func opening(fold string) string {
	if fold == "" {
		return ""
	}
	return "\n<details><summary>" + fold + "</summary>\n"
}

func closing(fold string) string {
	if fold == "" {
		return ""
	}
	return "\n</details>\n"
}

// notice lists what was omitted.
func notice(rest []part) string {
	sections := fmt.Sprintf("%d sections", len(rest))
	if len(rest) == 1 {
		sections = "1 section"
	}
	text := "\n---\n\n_Omitted to keep within the size limit of a comment; see the full report: " + sections
	for i, p := range rest {
		name := strings.TrimSpace(p.name)
		if name == "" || len(text)+len(name) > longestNotice-40 {
			text += ", ..."
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
	return text
}

// remarks returns a headline's findings and caveats.
func remarks(h document.Headline) string {
	text := ""
	if len(h.Findings) > 0 {
		text += "\n"
	}
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
		// Markdown is not parsed in a line of HTML.
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

// shownFigures is the number of unfolded blocks of figures: both sides, and head against base.
const shownFigures = 2

// figures shows both sides and the change, and folds the statistics.
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

// facts formats facts as a two-column table with the title in the header.
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

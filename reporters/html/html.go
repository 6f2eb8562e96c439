package html

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
)

//go:embed report.gohtml style.css
var files embed.FS

var page = template.Must(template.New("report.gohtml").Funcs(template.FuncMap{
	"kind":  kind,
	"glue":  glue,
	"short": func(s document.Section) bool { return s.ID == document.Figures },
	// Unlike a comment, a page has room for the revisions and the environment.
	"unfolded": func(s document.Section) bool {
		return s.ID == document.Revisions || s.ID == document.Environment || s.ID == document.Proofs
	},
}).ParseFS(files, "report.gohtml"))

// view is the template's data.
type view struct {
	Title     string
	Trust     string // before the title
	Style     template.CSS
	Subjects  []document.Side
	Verdicts  []verdict
	Answer    answer
	Run       []document.Section // before the workloads: the failure
	Workloads []workloadView
	Rest      []document.Section
	Version   string
	ID        string
}

// verdict is a headline with a link to its workload, if the page has the workload.
type verdict struct {
	document.Headline
	Anchor string
}

// answer is the table of the answer. Its rows link to the page's workloads.
type answer struct {
	document.Table
	Anchors []string // per row; empty without a link
}

// workloadView is one workload: warnings, charts, figures and tables.
type workloadView struct {
	ID       string
	Name     string
	First    []document.Section
	Charts   []chart
	Sections []document.Section
}

// Write renders a report.
func Write(w io.Writer, r *report.Report) error {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return err
	}
	d := document.New(r)
	v := view{Title: d.Title, Trust: d.Trust, Style: template.CSS(style), Subjects: d.Sides,
		Version: document.Clean(r.Run.Version), ID: document.Clean(r.Run.ID)}
	for i := range r.Workloads {
		load := &r.Workloads[i]
		list, err := charts(r, load)
		if err != nil {
			return err
		}
		v.add(document.Clean(load.Name), list)
	}
	v.link(d.Leads())
	v.answer(d.Answer.Table)
	for _, s := range d.Sections {
		switch {
		case s.ID == document.Failure:
			v.Run = append(v.Run, s)
		case s.Workload == "":
			v.Rest = append(v.Rest, s)
		default:
			for i := range v.Workloads {
				if w := &v.Workloads[i]; w.Name == s.Workload && (s.ID == document.Warnings || s.ID == document.Changed) {
					w.First = append(w.First, s)
				} else if w.Name == s.Workload {
					w.Sections = append(w.Sections, s)
				}
			}
		}
	}
	return page.Execute(w, v)
}

// Style returns the style sheet of all pages.
func Style() string {
	style, err := files.ReadFile("style.css")
	if err != nil {
		panic(err) // unreachable: the file is embedded
	}
	return string(style)
}

// add appends a workload. Element IDs include its number, because they must be unique in a page.
func (v *view) add(name string, charts []chart) {
	number := len(v.Workloads) + 1
	for i := range charts {
		charts[i].ID = fmt.Sprintf("%s-%d", charts[i].ID, number)
	}
	v.Workloads = append(v.Workloads, workloadView{ID: fmt.Sprintf("workload-%d", number), Name: name, Charts: charts})
}

// link links headlines to their workloads.
func (v *view) link(headlines []document.Headline) {
	for _, h := range headlines {
		v.Verdicts = append(v.Verdicts, verdict{h, v.anchor(h.Workload)})
	}
}

// answer links the rows of the answer's table to their workloads.
func (v *view) answer(table document.Table) {
	v.Answer.Table = table
	for _, row := range table.Rows {
		v.Answer.Anchors = append(v.Answer.Anchors, v.anchor(row[0]))
	}
}

// anchor is the ID of a workload's element, or empty.
func (v *view) anchor(workload string) string {
	for _, w := range v.Workloads {
		if w.Name == workload {
			return w.ID
		}
	}
	return ""
}

// quantity matches a number before its unit, or before the "to" of an interval.
var quantity = regexp.MustCompile(`(\d) (%|[µmn]?s|[KMGT]?i?B|J|W|MHz|°C|to|pairs?)(\W|$)`)

// glue keeps numbers and their units on one line.
func glue(text string) string { return quantity.ReplaceAllString(text, "$1\u00a0$2$3") }

// kind returns the type of a block for the template.
func kind(block document.Block) string {
	switch block.(type) {
	case document.Paragraph:
		return "paragraph"
	case document.Facts:
		return "facts"
	case document.Table:
		return "table"
	case document.List:
		return "list"
	}
	return "log"
}

package html

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
)

//go:embed report.gohtml site.gohtml style.css
var files embed.FS

var page = template.Must(template.New("report.gohtml").Funcs(template.FuncMap{
	"kind":  kind,
	"glue":  glue,
	"short": func(s document.Section) bool { return s.ID == document.Figures },
	// A page has the room that a comment lacks: what was compared and where is open to begin with.
	"unfolded": func(s document.Section) bool {
		return s.ID == document.Revisions || s.ID == document.Environment || s.ID == document.Proofs
	},
}).ParseFS(files, "report.gohtml"))

// view is what the template shows.
type view struct {
	Title     string
	Trust     string // before the title
	Style     template.CSS
	Subjects  []subject
	Verdicts  []verdict
	Run       []document.Section // before the workloads: the failure, and a line for each workload
	Workloads []workloadView
	Rest      []document.Section
	Version   string
	ID        string
}

// subject is what one side is: a revision and what its commit says of itself.
type subject struct{ Side, Short, Subject string }

// verdict is a headline that leads to its workload, where the page has it.
type verdict struct {
	document.Headline
	Anchor string
}

// workloadView is one workload: warnings first, then its charts, then figures and tables.
type workloadView struct {
	ID       string
	Name     string
	First    []document.Section
	Charts   []chart
	Sections []document.Section
}

// Write renders a report.
func Write(w io.Writer, r *harness.Report) error {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return err
	}
	d := document.New(r)
	v := view{Title: d.Title, Trust: d.Trust, Style: template.CSS(style), Subjects: subjects(r),
		Version: document.Clean(r.Run.Version), ID: document.Clean(r.Run.ID)}
	for i := range r.Workloads {
		load := &r.Workloads[i]
		list, err := charts(r, load)
		if err != nil {
			return err
		}
		v.add(document.Clean(load.Name), list)
	}
	v.link(d.Headlines)
	for _, s := range d.Sections {
		switch {
		case s.ID == document.Failure, s.ID == document.Summary:
			v.Run = append(v.Run, s)
		case s.Workload == "":
			v.Rest = append(v.Rest, s)
		default:
			for i := range v.Workloads {
				if w := &v.Workloads[i]; w.Name == s.Workload && s.ID == document.Warnings {
					w.First = append(w.First, s)
				} else if w.Name == s.Workload {
					w.Sections = append(w.Sections, s)
				}
			}
		}
	}
	return page.Execute(w, v)
}

// subjects says what both sides are, for a run of two revisions that it got to know.
func subjects(r *harness.Report) []subject {
	var list []subject
	for _, side := range []struct {
		name     string
		revision harness.Revision
	}{{"head", r.Head}, {"base", r.Base}} {
		if side.revision.Subject != "" && !(r.AA && side.name == "head") {
			list = append(list, subject{side.name, document.Clean(side.revision.Short()), document.Clean(side.revision.Subject)})
		}
	}
	return list
}

// add appends a workload. Its elements have its number in their names, because a page has each name once.
func (v *view) add(name string, charts []chart) {
	number := len(v.Workloads) + 1
	for i := range charts {
		charts[i].ID = fmt.Sprintf("%s-%d", charts[i].ID, number)
	}
	v.Workloads = append(v.Workloads, workloadView{ID: fmt.Sprintf("workload-%d", number), Name: name, Charts: charts})
}

// link leads headlines to their workloads.
func (v *view) link(headlines []document.Headline) {
	for _, h := range headlines {
		anchor := ""
		for _, w := range v.Workloads {
			if w.Name == h.Workload {
				anchor = w.ID
			}
		}
		v.Verdicts = append(v.Verdicts, verdict{h, anchor})
	}
}

// quantity is a number in front of its unit, or of the "to" of an interval.
var quantity = regexp.MustCompile(`(\d) (%|[µmn]?s|[KMGT]?i?B|J|W|MHz|°C|to|pairs?)(\W|$)`)

// glue keeps numbers and their units on one line.
func glue(text string) string { return quantity.ReplaceAllString(text, "$1\u00a0$2$3") }

// kind names the type of a block for the template.
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

package html

import (
	"embed"
	"html/template"
	"io"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
)

//go:embed report.gohtml style.css
var files embed.FS

var page = template.Must(template.New("report.gohtml").Funcs(template.FuncMap{
	"kind":  kind,
	"short": func(s document.Section) bool { return s.ID == document.Figures },
	// A page has the room that a comment lacks: what was compared and where is open to begin with.
	"unfolded": func(s document.Section) bool {
		return s.ID == document.Revisions || s.ID == document.Environment || s.ID == document.Proofs
	},
}).ParseFS(files, "report.gohtml"))

// view is what the template shows.
type view struct {
	Title     string
	Style     template.CSS
	Headlines []document.Headline
	Run       []document.Section // before the workloads: the failure
	Workloads []workloadView
	Rest      []document.Section
	Version   string
	ID        string
}

// workloadView is one workload: its charts stand between the figures and the tables.
type workloadView struct {
	Name     string
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
	v := view{Title: d.Title, Style: template.CSS(style), Headlines: d.Headlines,
		Version: document.Clean(r.Run.Version), ID: document.Clean(r.Run.ID)}
	for i := range r.Workloads {
		load := &r.Workloads[i]
		list, err := charts(r, load)
		if err != nil {
			return err
		}
		v.Workloads = append(v.Workloads, workloadView{Name: document.Clean(load.Name), Charts: list})
	}
	for _, s := range d.Sections {
		switch {
		case s.ID == document.Failure:
			v.Run = append(v.Run, s)
		case s.Workload == "":
			v.Rest = append(v.Rest, s)
		default:
			for i := range v.Workloads {
				if v.Workloads[i].Name == s.Workload {
					v.Workloads[i].Sections = append(v.Workloads[i].Sections, s)
				}
			}
		}
	}
	return page.Execute(w, v)
}

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

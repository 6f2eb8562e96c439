package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// severalHeads turns a run of one head into a run of two, with the same pairs.
func severalHeads(t *testing.T) *report.Report {
	t.Helper()
	r := fixture.Improvement()
	second := r.Head
	second.SHA, second.Ref = strings.Repeat("c", 40), "second"
	r.Heads = append(r.Heads, r.Head, second)
	r.Heads[0].Ref = "first"
	w := r.Workloads[0]
	r.Workloads = append(r.Workloads, w)
	for i := range r.Workloads {
		r.Workloads[i].Of, r.Workloads[i].HeadNumber = w.Name, i+1
		r.Workloads[i].Name += "." + r.Heads[i].Ref
	}
	if err := report.JudgeFamily(r.Plan, r.Workloads); err != nil {
		t.Fatal(err)
	}
	return r
}

// One table has a row for each head, with the simultaneous interval; revisions and the title name them all.
func TestSeveralHeads(t *testing.T) {
	r := severalHeads(t)
	d := document.New(r)
	if !strings.HasPrefix(d.Title, "Chiasmus: first, second against ") {
		t.Errorf("title %q", d.Title)
	}
	if !strings.HasPrefix(d.Answer.Lead.Sentence, "2 heads: ") {
		t.Errorf("lead %q", d.Answer.Lead.Sentence)
	}
	table := d.Answer.Table
	if table.Columns[0].Title != "Head" || len(table.Rows) != 2 || table.Rows[0][0] != "first" ||
		table.Rows[1][0] != "second" {
		t.Fatalf("table %+v", table)
	}
	for i, w := range r.Workloads {
		if _, alone := document.Change(w.Stats); table.Rows[i][2] == alone {
			t.Errorf("row %d has the interval %s of the head alone", i, alone)
		}
	}
	if len(table.Notes) == 0 || !strings.Contains(strings.Join(table.Notes, " "), "hold simultaneously") {
		t.Errorf("notes %q", table.Notes)
	}
	var sides []string
	for _, side := range d.Sides {
		sides = append(sides, side.Name)
	}
	if !slices.Equal(sides, []string{"head 1", "head 2", "base"}) {
		t.Errorf("sides %q", sides)
	}
}

// If the correction for the number of heads removes the change of one head, the report says so.
func TestHeadNotUpheld(t *testing.T) {
	r := severalHeads(t)
	r.Workloads[0].Family.Upheld, r.Workloads[0].Family.P = false, 0.08
	d := document.New(r)
	if text := strings.Join(d.Answer.Lead.Caveats, "\n"); !strings.Contains(text, "adjustment for the run's 2 heads") {
		t.Errorf("caveats %q", text)
	}
}

package document_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/stats"
)

func pairsOf(w report.Workload) []stats.Pair {
	var pairs []stats.Pair
	for _, p := range w.Pairs {
		pairs = append(pairs, stats.Pair{Number: p.Number, Order: p.Order, A: p.A, B: p.B})
	}
	return pairs
}

// table returns the first table of a section.
func table(t *testing.T, d document.Document, id document.SectionID) document.Table {
	t.Helper()
	for _, s := range d.Sections {
		for _, block := range s.Blocks {
			if b, ok := block.(document.Table); ok && s.ID == id {
				return b
			}
		}
	}
	t.Fatalf("no table in %s", id)
	return document.Table{}
}

// Only the headline has the effect: the table of means refers to it, or says that the change of means differs.
func TestChangeIsThatOfTheMeans(t *testing.T) {
	pairs := []stats.Pair{{Number: 1, A: 1, B: 2}, {Number: 2, A: 8, B: 4}, {Number: 3, A: 2, B: 2}}
	for _, test := range []struct {
		scale stats.Scale
		want  []string
		notes int
	}{
		{stats.ScaleLog, []string{"Geometric mean", "2.520", "2.520", "(above)"}, 0}, // 16^(1/3) both
		{stats.ScaleDifference, []string{"Mean", "3.667", "2.667", "(above)"}, 0},
		{stats.ScalePercent, []string{"Mean", "3.667", "2.667", "-27 %"}, 1}, // of +100, -50 and 0 % it is +17 %
	} {
		result, err := stats.Analyze(pairs, stats.Options{Scale: test.scale})
		if err != nil {
			t.Fatal(err)
		}
		got := table(t, document.Statistics("x", metrics.Metric{Name: "x"}, pairs, &result, 0.01), document.Figures)
		if !slices.Equal(got.Rows[0], test.want) || len(got.Notes) != test.notes {
			t.Errorf("%s: %q, notes %q", test.scale, got.Rows[0], got.Notes)
		}
		for i, want := range [][]string{{"Median", "2", "2", "0 %"}, {"Smallest", "1", "2", "+100 %"},
			{"Largest", "8", "4", "-50 %"}} {
			if !slices.Equal(got.Rows[i+1], want) {
				t.Errorf("%s: %q, want %q", test.scale, got.Rows[i+1], want)
			}
		}
	}
}

// The line of all workloads is the geometric mean over them, as computed by hand from the file of pairs.
func TestAnswer(t *testing.T) {
	r := fixture.Complete()
	got := document.New(r).Answer.Table
	base, head := 0.0, 0.0
	for _, w := range r.Workloads {
		for _, p := range w.Pairs {
			base += math.Log(p.A) / float64(len(w.Pairs)*len(r.Workloads))
			head += math.Log(p.B) / float64(len(w.Pairs)*len(r.Workloads))
		}
	}
	last := got.Rows[len(got.Rows)-1]
	if want := fmt.Sprintf("%.2f %%", 100*math.Expm1(head-base)); len(got.Rows) != 3 || last[1] != want ||
		!strings.Contains(last[2], " to ") || last[3] != "" {
		t.Errorf("%q, want a change of %s and no verdict", last, want)
	}
	r.Workloads[1].Metric.Name = "wall_seconds"
	if got := document.New(r).Answer.Table; len(got.Rows) != 2 {
		t.Errorf("a mean over two metrics: %q", got.Rows)
	}
	r.Workloads[1].Stats = nil // its measurement did not end
	if got := document.New(r).Answer.Table; len(got.Rows) != 2 || got.Rows[1][3] != "‖ partial" {
		t.Errorf("a mean over some of the workloads: %q", got.Rows)
	}
	if got := document.New(fixture.Improvement()).Answer; len(got.Table.Rows) != 0 || got.Lead.Workload != "keccak-16k" {
		t.Errorf("one workload has a table: %+v", got)
	}
}

package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// A drawing computed by hand: the axis reaches from -11 to 11 in 49 cells, so that a cell is 22/48 and 0 is in the
// middle.
func TestPlot(t *testing.T) {
	got := plot(document.Answer{Lower: "faster", Higher: "slower", Bars: []document.Bar{
		{Name: "a", Low: -10, Change: -5, High: 0}, {Name: "longer", Low: 2, Change: 5, High: 10}}})
	want := []string{
		"a         ├──────────●──────────┤",
		"longer                          │   ├──────●──────────┤",
		"        ──┬──────────┬──────────┼──────────┬──────────┬──",
		"        -10 %      -5 %        0 %       +5 %       +10 %",
		"                       ◂ faster   slower ▸",
	}
	if got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// For any numbers, a drawing has a line for each bar, and no line is wider than a comment.
func TestPlotOfAnything(t *testing.T) {
	for _, bars := range [][]document.Bar{
		{{}}, {{Name: strings.Repeat("文", 40), Low: 1e-9, Change: 2e-9, High: 3e-9}},
		{{Low: -99.9, Change: -99, High: -98}, {Low: 1e6, Change: 1e7, High: 1e8}}, {{Low: -1, Change: -1, High: -1}},
	} {
		lines := strings.Split(plot(document.Answer{Bars: bars}), "\n")
		if len(lines) != len(bars)+3 {
			t.Errorf("%d lines for %d bars", len(lines), len(bars))
		}
		for _, line := range lines {
			if runewidth.StringWidth(line) > 90 {
				t.Errorf("%d columns: %s", runewidth.StringWidth(line), line)
			}
		}
	}
}

// A table of many workloads takes at most half of a comment: changed workloads stay, and a note gives the number of
// omitted ones.
func TestManyWorkloads(t *testing.T) {
	r := fixture.Complete()
	slow := r.Workloads[1]
	quiet := fixture.AA().Workloads[0]
	for i := range 450 {
		quiet.Name = fmt.Sprintf("BenchmarkQuietOperation/size=%d", i)
		r.Workloads = append(r.Workloads, quiet)
	}
	slow.Name = "the last one"
	r.Workloads = append(r.Workloads, slow)
	got := write(t, r, Options{MaxBytes: CommentLimit})
	table, _, _ := strings.Cut(got, "<details>")
	for _, want := range []string{"| quick |", "| the last one |", "| geometric mean |",
		" more rows are in the full report",
		"the 30 largest changes of 454"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is missing in %d bytes", want, len(table))
		}
	}
	if len(got) > CommentLimit || len(table) > CommentLimit/2+8000 {
		t.Errorf("%d bytes, the answer %d", len(got), len(table))
	}
}

// Commits link to the repository if its address is known, and can be copied either way.
func TestCommits(t *testing.T) {
	r := fixture.Improvement()
	link := "[`9b07d1e`](https://github.com/o/n/commit/9b07d1e4c5a6b7889900aabbccddeeff00112233)"
	got := write(t, r, Options{Commits: "https://github.com/o/n/commit/", Page: "https://github.com/o/n/actions/runs/1"})
	if title, _, _ := strings.Cut(got, "\n"); title != "## Chiasmus: "+link+
		" against [`3f2a91c`](https://github.com/o/n/commit/3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3)" {
		t.Error(title)
	}
	if !strings.Contains(got, "\n[Full report](https://github.com/o/n/actions/runs/1)\n\n<details>") {
		t.Error("no link to the page before the details")
	}
	r.Head = plan.Revision{SHA: "x](http://evil.example/)"}
	if got := write(t, r, Options{Commits: "https://github.com/o/n/commit/"}); strings.Contains(got, "commit/x") {
		t.Error("a text that is not a SHA is linked")
	}
}

// --brief omits the details, but never what failed.
func TestBrief(t *testing.T) {
	got := write(t, fixture.Complete(), Options{Brief: true})
	if strings.Contains(got, "<details>") || !strings.Contains(got, "| geometric mean |") {
		t.Errorf("brief:\n%s", got)
	}
	if got := write(t, fixture.Failed(), Options{Brief: true}); !strings.Contains(got, "#### What failed") {
		t.Errorf("a failure in brief:\n%s", got)
	}
}

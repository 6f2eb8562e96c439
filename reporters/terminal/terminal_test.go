package terminal

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/internal/golden"
	"github.com/chiasmus/chiasmus/stats"
)

func TestGolden(t *testing.T) {
	for name, report := range map[string]*report.Report{
		"fleet":      fixture.Fleet("bench-3"),
		"complete":   fixture.Complete(),
		"sequential": fixture.Sequential(),
		"alone":      fixture.Alone(),
		"partial":    fixture.Partial(),
		"failed":     fixture.Failed(),
		"bare":       fixture.Bare(),
		"aa":         fixture.AA(),
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := Write(&got, report, Options{}); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name+".txt", got.String())
		})
	}
}

func TestWidth(t *testing.T) {
	long := fixture.Improvement() // a label from a report that is longer than any line
	long.Workloads[0].Inputs = []plan.Input{{Name: strings.Repeat("long name ", 30)}}
	// Figures that fit side by side exactly, and figures that are two columns too wide.
	constant := fixture.Improvement()
	constant.Workloads[0].Stats.HodgesLehmann.CI, constant.Workloads[0].Stats.Order.AdjustedCI = stats.Interval{},
		stats.Interval{}
	many := fixture.Complete() // names as in suites of benchmarks, and text without a space to break at
	for i := range many.Workloads {
		many.Workloads[i].Name = fmt.Sprintf("BenchmarkCommitAllTables/size=1048576/blowup=%d/coset=true-8", i)
	}
	many.Workloads[1].Warnings = append(many.Workloads[1].Warnings, plan.Warning{Kind: "log",
		Text: strings.Repeat("/long/path", 40)})
	failed := fixture.Failed()
	failed.Failure.LogTail = strings.Repeat("文字化け=", 60) + "\n\n" + strings.Repeat("x", 300)
	for _, report := range []*report.Report{fixture.Complete(), fixture.Sequential(), fixture.Alone(), long, constant,
		many, failed, fixture.AA(), fixture.Bare(), fixture.Partial(), fixture.Fleet("bench-3"), fixture.Hostile()} {
		for _, width := range []int{60, 61, 72, 80, 81, 91, 100, 101, 120, 160, 200} {
			var got bytes.Buffer
			if err := Write(&got, report, Options{Width: width}); err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(got.String(), "\n") {
				if n := runewidth.StringWidth(line); n > width {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				} else if n > DefaultWidth && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "─") {
					t.Errorf("width %d: text of %d columns: %s", width, n, line)
				}
			}
		}
	}
}

// A number and its unit stay on one line. A table without room for this is written row by row.
func TestNarrowTables(t *testing.T) {
	for _, width := range []int{60, 80} {
		var got bytes.Buffer
		if err := Write(&got, fixture.Complete(), Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if lone := regexp.MustCompile(`(?m)^ *(%|ms|GiB|to)( |$)`).FindString(got.String()); lone != "" {
			t.Errorf("width %d: a unit without its number: %q", width, lone)
		}
		if drawn := strings.Contains(got.String(), "\n commit "); drawn != (width == 80) {
			t.Errorf("width %d: the table of stages is drawn: %v", width, drawn)
		}
		if !strings.Contains(got.String(), "126.9 ms") {
			t.Errorf("width %d:\n%s", width, got.String())
		}
	}
}

func TestColour(t *testing.T) {
	for _, colour := range []bool{false, true} {
		var got bytes.Buffer
		if err := Write(&got, fixture.Complete(), Options{Colour: colour}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got.String(), "\x1b[1;31m✘ REGRESSION\x1b[0m") != colour ||
			strings.Contains(got.String(), "\x1b") != colour {
			t.Errorf("colour %v: %q", colour, got.String()[:200])
		}
	}
}

// Text from a report reaches the terminal without control characters.
func TestHostile(t *testing.T) {
	var got bytes.Buffer
	if err := Write(&got, fixture.Hostile(), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range got.String() {
		if r < ' ' && r != '\n' || r == '\u202e' {
			t.Fatalf("%q in the output", r)
		}
	}
}

package cli

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/internal/columns"
)

// The help of every command fits 80 columns.
func TestHelpFits(t *testing.T) {
	for _, line := range columns.TooWide((&app{}).root()) {
		t.Error(line)
	}
}

// --brief works for the formats that have a brief form. Pairs need one workload, and a brief answer does not.
func TestOutput(t *testing.T) {
	for _, test := range []struct {
		output
		fails, one bool
	}{
		{output{"terminal", true}, false, false}, {output{"markdown", true}, false, false},
		{output{"csv", true}, false, false}, {output{"csv", false}, false, true}, {output{"junit", true}, true, false},
		{output{"json", true}, true, false}, {output{"json", false}, false, false}, {output{"html", true}, true, false},
		{output{"tex", false}, true, false},
	} {
		if err := test.check(); (err != nil) != test.fails || test.oneWorkload() != test.one {
			t.Errorf("%+v: %v, one workload %v", test.output, err, test.oneWorkload())
		}
	}
}

const longName = "recursion-over-three-hundred-and-seven-segments-of-the-block"

// fits checks that lines have at most 80 columns, unless a line is one word.
func fits(t *testing.T, text string) {
	t.Helper()
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.ReplaceAll(line, "\x1b[K", "")
		if runewidth.StringWidth(line) > columns.Width && len(strings.Fields(line)) > 1 {
			t.Errorf("%d columns: %q", runewidth.StringWidth(line), line)
		}
	}
}

// A forecast with long names of revisions, workloads and runs fits into 80 columns and keeps every word.
func TestForecastFits(t *testing.T) {
	forecast := &plan.Forecast{
		Decision: &plan.Decision{
			Base: plan.Revision{SHA: strings.Repeat("a", 64), Ref: "refs/heads/" + longName, Subject: longName + " and more"},
			Head: plan.Revision{SHA: strings.Repeat("b", 40), Ref: longName, Subject: strings.Repeat("subject ", 9)},
			AA:   true,
			Plan: plan.Plan{Pairs: 1234, Design: "abba", Analyses: 4, Warmup: 12, Seed: math.MaxUint64, SeedDrawn: true,
				Alpha: 0.0125, Equivalence: 0.0125},
			Warnings: []plan.Warning{{Text: "the load is 7.26 on 2 CPUs before anything of " + longName + " is measured"}},
		},
		Workloads: []plan.WorkloadForecast{
			{Name: longName, Least: 2400, Most: 3600, Processes: 120, Open: true, Left: 3 * time.Hour,
				Source: "run 20261124T214053.256Z-8582817-8582817", Detectable: 0.53},
			{Name: longName, Proofs: 2400, Processes: 120, Detectable: math.NaN()},
		},
	}
	var out bytes.Buffer
	writeForecast(&out, forecast)
	fits(t, out.String())
	words := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"base " + strings.Repeat("a", 64) + " refs/heads/" + longName,
		"(random: the run chooses another, unless --seed 18446744073709551615 is given), alpha 0.0125, equivalence 1.25 %",
		"warning the load is", forecast.Workloads[0].Text(), forecast.Workloads[1].Text(),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
}

// Progress fits into 80 columns for a workload with a long name, both as a bar on a terminal and as lines.
func TestProgressFits(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		p := &progress{out: &out, terminal: terminal}
		p.notice(measure.Notice{Text: longName + ": every proof has a process of its own, or every turn has one, by " +
			"plan.resident\n  the end of the log (logs/" + longName + "-base-prover.log) has nothing to add to this"})
		for pairs := 2; pairs <= 1200; pairs += 598 {
			p.notice(measure.Notice{Workload: longName, Pairs: pairs, PairsPlanned: 1200, Proofs: 2 * pairs, ProofsPlanned: 2400,
				Left: 23*time.Hour + 59*time.Minute})
			time.Sleep(2 * barThrottle) // the bar is drawn again
		}
		p.notice(measure.Notice{Build: &measure.BuildLine{What: "head 1a2b3c4", Elapsed: time.Minute,
			Line: strings.Repeat("Compiling ", 20)}})
		p.end()
		fits(t, out.String())
		for _, want := range map[bool][]string{
			true:  {"\r", "1198 of 1200 pairs, 23 h 59 min left  50% |", "recursion-…: "},
			false: {longName + ": 1198 of 1200 pairs, 23 h 59 min left", "harness: building head 1a2b3c4, 60 s: Comp"},
		}[terminal] {
			if !strings.Contains(strings.ReplaceAll(out.String(), "\n  ", " "), want) {
				t.Errorf("terminal %v: %q is missing:\n%q", terminal, want, out.String())
			}
		}
	}
}

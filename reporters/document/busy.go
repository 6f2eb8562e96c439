package document

import (
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// disturbances describes the kinds of causes.
var disturbances = map[string]string{
	"others":       "other processes on the CPUs",
	"steal":        "other virtual machines on the CPUs (steal time)",
	"memory":       "memory taken by other processes",
	"suspend":      "the host was suspended",
	"gpu_throttle": "a GPU throttled by heat or by its power supply",
	"gpu_process":  "other processes on a GPU",
	"cpu_throttle": "CPUs throttled by heat",
}

// unjudged is the headline of a workload that was measured but has no verdict, because the host was too busy during
// this or another workload. It reports false if there are no times.
func unjudged(r *report.Report, w *report.Workload) (Headline, bool) {
	if b := w.Busy; b != nil {
		h := Headline{Workload: w.Name, Status: undecidedStatus}
		h.Sentence = fmt.Sprintf("not decided: machine busy (%d of %s disturbed)", b.Disturbed, plural.Of(b.Pairs, "pair"))
		if b.Stats != nil {
			h.Sentence += ". Measured, but without a verdict: " + Sentence(w.Metric, b.Stats, r.Plan.Equivalence, false)
		}
		for i, advice := range b.Advice {
			if i < mostAdvice {
				h.Findings = append(h.Findings, "to do: "+advice)
			}
		}
		return h, true
	}
	otherBusy := slices.ContainsFunc(r.Workloads, func(w report.Workload) bool { return w.Busy != nil })
	if !otherBusy || w.Stats == nil || w.Stats.Verdict == "" {
		return Headline{}, false
	}
	s := *w.Stats
	s.Verdict = ""
	return Headline{
		Workload: w.Name, Status: undecidedStatus, Caveats: caveats(r, w),
		Sentence: "not decided: machine busy in another workload. Measured: " +
			Sentence(w.Metric, &s, r.Plan.Equivalence, w.Sequential != nil),
	}, true
}

// mostAdvice bounds the hints below a headline. The section has all of them.
const mostAdvice = 3

// busy lists what disturbed a workload whose host was too busy for a verdict, and remedies.
func busy(w *report.Workload) []Block {
	b := w.Busy
	if b == nil {
		return nil
	}
	blocks := []Block{Paragraph("The figures use the first measurement of every pair, including disturbed pairs, so no " +
		"pair is selected. Disturbances that are independent of the arm widen the interval without shifting its centre. " +
		"The figures are not a verdict.")}
	kinds := Table{Columns: []Column{{Title: "Disturbed by"}, {Title: "Proofs", Number: true}}}
	for _, kind := range slices.SortedFunc(maps.Keys(b.Causes), func(x, y string) int {
		if b.Causes[x] != b.Causes[y] {
			return b.Causes[y] - b.Causes[x]
		}
		if x < y {
			return -1
		}
		return 1
	}) {
		name, known := disturbances[kind]
		if !known {
			name = kind
		}
		kinds.Rows = append(kinds.Rows, []string{name, fmt.Sprint(b.Causes[kind])})
	}
	if len(kinds.Rows) > 0 {
		blocks = append(blocks, kinds)
	}
	processes := Table{Columns: []Column{
		{Title: "Process", Code: true}, {Title: "PID", Number: true}, {Title: "Share of the host's CPUs", Number: true},
	}}
	for _, c := range b.Culprits {
		processes.Rows = append(processes.Rows, []string{c.Name, fmt.Sprint(c.PID), fmt.Sprintf("%.1f %%", 100*c.Share)})
	}
	if len(processes.Rows) > 0 {
		blocks = append(blocks, processes)
	}
	return append(blocks, List(slices.Clone(b.Advice)))
}

package document_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/stats"
)

// A headline lists the changes besides the deciding metric: first metrics that repeat exactly, then every stage whose
// interval excludes 0, then metrics whose adjusted p is small.
func TestFindings(t *testing.T) {
	r := fixture.Improvement()
	w := &r.Workloads[0]
	w.Deferred = nil // text about it is not a change
	findings := func() []string { return document.New(r).Headlines[0].Findings }
	got := findings()
	if len(got) != 3 || got[0] != "launches -21.2 % (812 to 640)" || !strings.HasPrefix(got[1], "stage commit main -") ||
		!strings.Contains(got[1], " % of the total time, -") || !strings.Contains(got[1], " ms (99.889 % CI -") ||
		got[2] != "peak_device_bytes -2.34 % (8.497 GiB to 8.298 GiB), better" {
		t.Errorf("%q", got)
	}
	for i := range w.Secondary {
		if w.Secondary[i].Metric == "peak_device_bytes" {
			w.Secondary[i].PHolm = 0.06
		}
	}
	w.Exact[slices.IndexFunc(w.Exact, func(e report.Exact) bool { return e.Name == "launches" })].Changed = false
	if got = findings(); len(got) != 1 || !strings.HasPrefix(got[0], "stage") {
		t.Errorf("insignificant or unchanged metrics are listed: %q", got)
	}
	stage := w.Secondary[slices.IndexFunc(w.Secondary,
		func(s report.Secondary) bool { return s.Metric == "stage_commit_main_seconds" })]
	stage.Contribution.Changed = false
	if got = findings(); len(got) != 0 {
		t.Errorf("a stage whose interval contains 0 is listed: %q", got)
	}
}

// The violation of a limit comes first in the report, with its size.
func TestBreaches(t *testing.T) {
	r := fixture.Improvement()
	r.Plan.StageMargin = 0.003
	w := &r.Workloads[0]
	for i := range w.Secondary {
		if s := &w.Secondary[i]; s.Metric == "stage_trace_seconds" {
			s.Metric = "device_trace_seconds"
			s.Contribution = &stats.Contribution{
				Mean:       0.004,
				CI:         stats.Interval{Low: 0.0038, High: 0.0042},
				Percent:    0.99,
				PercentCI:  stats.Interval{Low: 0.94, High: 1.04},
				Level:      0.001,
				Changed:    true,
				Regression: true,
			}
		}
	}
	most := 0.05
	w.Exact = []report.Exact{
		{Name: "cells", BaseMin: 1000, BaseMax: 1000, HeadMin: 1100, HeadMax: 1100, Changed: true, ChangePercent: 10,
			Max: &most, Bound: report.BoundExceeded},
		{Name: "hops", BaseMin: 10, BaseMax: 12, HeadMin: 20, HeadMax: 21, ChangePercent: stats.Number(math.NaN()),
			Inexact: "does not repeat on base", Max: &most, Bound: report.BoundExceeded},
		{Name: "turns", BaseMin: 1, BaseMax: 2, HeadMin: 1, HeadMax: 3, ChangePercent: stats.Number(math.NaN()),
			Inexact: "does not repeat on base", Max: &most, Bound: report.BoundOpen},
		{Name: "faults", BaseMin: 0, BaseMax: 0, HeadMin: 1, HeadMax: 1, Changed: true,
			ChangePercent: stats.Number(math.Inf(1))},
	}
	h := document.New(r).Headlines[0]
	if h.Status.Word != "regression" ||
		!strings.HasPrefix(h.Sentence,
			"cells grew by 10 % (limit +5 %); hops is 10 to 12 in base and 20 to 21 in head (limit +5 %); "+
				"stage trace (device) adds +0.990 % to the total time (margin 0.3 %). "+
				"Total time: head is ") {
		t.Errorf("%s: %s", h.Status.Word, h.Sentence)
	}
	if !slices.Contains(h.Caveats, "the limit on turns (metrics.exact) was not checked: does not repeat on base") {
		t.Errorf("caveats %q", h.Caveats)
	}
	if h.Findings[0] != "cells +10 % (1000 to 1100)" || h.Findings[1] != "faults from 0 (0 to 1)" {
		t.Errorf("findings %q", h.Findings)
	}
	got := table(t, document.New(r), document.Exact)
	want := [][]string{
		{"cells", "1000", "1100", "+10 %", "+5 %", "above the limit"},
		{"hops", "10 to 12", "20 to 21", "-", "+5 %", "not exact: does not repeat on base; above the limit"},
		{"turns", "1 to 2", "1 to 3", "-", "+5 %", "not exact: does not repeat on base; limit not checked"},
		{"faults", "0", "1", "from 0", "-", ""},
	}
	if !slices.EqualFunc(got.Rows, want, slices.Equal[[]string]) {
		t.Errorf("%q", got.Rows)
	}
	r.State = report.Partial
	if h := document.New(r).Headlines[0]; len(h.Findings) != 0 || strings.Contains(h.Sentence, "limit") ||
		slices.ContainsFunc(document.New(r).Sections,
			func(s document.Section) bool { return s.ID == document.Exact }) {
		t.Errorf("an interrupted run concludes %q, %q", h.Sentence, h.Findings)
	}
}

// The contributions of stages are percentages of the total time, and add up to its change if stages cover all of it.
func TestStagesAddUpToTheWhole(t *testing.T) {
	r := fixture.Improvement()
	w := &r.Workloads[0]
	sum, seconds := 0.0, 0.0
	for _, s := range w.Secondary {
		if s.Contribution != nil {
			sum += s.Contribution.Percent.Float()
			seconds += s.Contribution.Mean.Float()
		}
	}
	whole := 100 * (w.Stats.MeanB.Float()/w.Stats.MeanA.Float() - 1)
	if math.Abs(sum-whole) > 1e-9 || math.Abs(seconds-(w.Stats.MeanB.Float()-w.Stats.MeanA.Float())) > 1e-12 {
		t.Errorf("stages add %g %%, %g s, and the total changes by %g %%", sum, seconds, whole)
	}
}

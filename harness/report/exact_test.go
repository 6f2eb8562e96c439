package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// counted makes proofs of equal times, with a counter that has the given values of base and of head, pair by pair.
func counted(name string, base, head []float64) *report.Workload {
	return pairsOf(14, func(pair int, arm schedule.Arm) (map[string]float64, map[string]float64) {
		values := base
		if arm == schedule.Head {
			values = head
		}
		counters := map[string]float64{}
		if value := values[pair%len(values)]; !math.IsNaN(value) {
			counters[name] = value
		}
		return map[string]float64{"prove_seconds": 1 + 0.001*float64(pair%3), "proof_bytes": 1000}, counters
	})
}

func exact(t *testing.T, w *report.Workload, name string) report.Exact {
	t.Helper()
	for _, e := range w.Exact {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("there is no %s among %+v", name, w.Exact)
	return report.Exact{}
}

// Metrics that repeat exactly are compared exactly; others are reported as inexact, with the reason.
func TestExactMetrics(t *testing.T) {
	for name, test := range map[string]struct {
		base, head []float64
		changed    bool
		change     float64 // NaN where there is none
		inexact    string
	}{
		"the same":              {[]float64{1024}, []float64{1024}, false, 0, ""},
		"more":                  {[]float64{1000}, []float64{1031}, true, 3.1, ""},
		"one less in a million": {[]float64{1e6}, []float64{1e6 - 1}, true, -1e-4, ""},
		"from nothing":          {[]float64{0}, []float64{3}, true, math.NaN(), ""},
		"of the input":          {[]float64{10, 20, 15}, []float64{10, 20, 15}, false, 0, ""},
		"of the input, and one more": {[]float64{10, 20, 15}, []float64{10, 20, 16}, false, math.NaN(),
			"does not repeat on base"},
		"varies on head":  {[]float64{640}, []float64{640, 644}, false, math.NaN(), "does not repeat on head"},
		"missing on head": {[]float64{640}, []float64{math.NaN()}, false, math.NaN(), "head does not report it"},
		"missing once on base": {append([]float64{math.NaN()}, make([]float64, 13)...), []float64{0}, false, math.NaN(),
			"base reports it in 13 of 14 proofs only"},
	} {
		e := exact(t, judge(t, judged(t, ""), counted("cells", test.base, test.head)), "cells")
		same := e.ChangePercent.Exists() != math.IsNaN(test.change) && !(math.Abs(e.ChangePercent.Float()-test.change) > 1e-9)
		if e.Changed != test.changed || e.Inexact != test.inexact || !same || e.Max != nil || e.Bound != "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A bound of bench.yaml gives an exact metric a verdict, or none if the values cannot decide.
func TestBoundsOnExactMetrics(t *testing.T) {
	nothing := math.NaN()
	for name, test := range map[string]struct {
		base, head []float64
		most       string
		want       report.Bound
	}{
		"the same":                              {[]float64{1000}, []float64{1000}, "0%", report.BoundHeld},
		"one more":                              {[]float64{1000}, []float64{1001}, "0%", report.BoundExceeded},
		"one more, within":                      {[]float64{1000}, []float64{1001}, "0.1%", report.BoundHeld},
		"one more than the bound":               {[]float64{1000}, []float64{1002}, "0.1%", report.BoundExceeded},
		"less":                                  {[]float64{1000}, []float64{1}, "0%", report.BoundHeld},
		"25 % of 80, which rounding must allow": {[]float64{80}, []float64{100}, "25%", report.BoundHeld},
		"from nothing":                          {[]float64{0}, []float64{1}, "50%", report.BoundExceeded},
		"head alone varies, beyond":             {[]float64{640}, []float64{640, 700}, "1%", report.BoundExceeded},
		"head alone varies, within":             {[]float64{640}, []float64{640, 641}, "1%", report.BoundHeld},
		"both vary, alike":                      {[]float64{10, 20}, []float64{10, 20}, "0%", report.BoundHeld},
		"both vary":                             {[]float64{10, 20}, []float64{20, 10}, "5%", report.BoundOpen},
		"both vary, all of head beyond":         {[]float64{10, 20}, []float64{22, 30}, "5%", report.BoundExceeded},
		"head lacks it":                         {[]float64{10}, []float64{nothing}, "5%", report.BoundOpen},
		"no arm reports it":                     {[]float64{nothing}, []float64{nothing}, "5%", report.BoundOpen},
	} {
		file := judged(t, "  exact: {cells: {max: "+test.most+"}}\n")
		w := judge(t, file, counted("cells", test.base, test.head))
		want := w.Stats.Verdict
		if test.want == report.BoundExceeded {
			want = stats.Regression
		}
		if e := exact(t, w, "cells"); e.Bound != test.want || e.Max == nil || w.Verdict() != want || want == "" {
			t.Errorf("%s: %+v, verdict %s", name, e, w.Verdict())
		}
	}
}

// A metric can be bounded too, and the size of the proof is always compared.
func TestExactMetricsByName(t *testing.T) {
	w := counted("cells", []float64{1}, []float64{1})
	for _, p := range w.Pairs {
		w.Samples[p.Base].Metrics["to_device_bytes"] = 4096
		w.Samples[p.Head].Metrics["to_device_bytes"] = 8192
		w.Samples[p.Head].Metrics["proof_bytes"] = 990
	}
	w = judge(t, judged(t, "  exact: {to_device_bytes: {max: 10%}}\n"), w)
	if e := exact(t, w, "to_device_bytes"); e.ChangePercent != 100 || !e.Exceeded() || w.Verdict() != stats.Regression {
		t.Errorf("%+v", e)
	}
	if e := exact(t, w, "proof_bytes"); e.ChangePercent != -1 || e.Exceeded() {
		t.Errorf("%+v", e)
	}
}

// Without samples, or with samples of other pairs, bounds cannot be judged, and there is no verdict.
func TestBoundsNeedSamples(t *testing.T) {
	for name, metrics := range map[string]string{
		"stages":  stageRule,
		"exact":   "  exact: {cells: {max: 0%}}\n",
		"neither": "",
	} {
		file := judged(t, metrics)
		w := counted("cells", []float64{1}, []float64{1})
		w.Samples = nil
		plan := plan.Plan{
			Pairs:       14,
			Analyses:    1,
			Alpha:       0.05,
			Equivalence: 0.01,
			Design:      "abba",
			StageMargin: file.Metrics.StageMargin,
		}
		err := report.Judge(file, plan, 1, w)
		if refused := err != nil && strings.Contains(err.Error(), "no samples"); refused != (name != "neither") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

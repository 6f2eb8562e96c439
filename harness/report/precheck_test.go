package report

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// Bounds are compared with the cached counters. Only a bound that holds ends a run.
func TestExactAgainstBaseline(t *testing.T) {
	file := &config.File{Metrics: config.Metrics{Exact: map[string]float64{"cells": 0.1}}}
	d := &plan.Decision{File: file}
	proofs := func(cells ...float64) (list []evidence.Sample) {
		for _, x := range cells {
			list = append(list, evidence.Sample{Kind: evidence.PreCheck, Counters: map[string]float64{"cells": x}})
		}
		return list
	}
	base := &baseline.Baseline{Exact: map[string]float64{"cells": 100, "bytes": 7}}
	list, why := exactAgainstBaseline(d, proofs(110, 110), base)
	if why != "" || len(list) != 2 || list[1].Bound != BoundHeld ||
		list[1].ChangePercent != 10 || list[0].Inexact == "" {
		t.Errorf("%+v, %s", list, why)
	}
	for name, test := range map[string]struct {
		proofs []evidence.Sample
		base   *baseline.Baseline
	}{
		"more":                  {proofs(111, 111), base},
		"one proof has more":    {proofs(100, 111), base},
		"base did not repeat":   {proofs(100, 100), &baseline.Baseline{}},
		"head does not have it": {[]evidence.Sample{{}, {}}, base},
	} {
		_, why := exactAgainstBaseline(d, test.proofs, test.base)
		if !strings.Contains(why, "whether cells keeps its bound") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// The p of a pre-check is scaled by its share of alpha.
func TestFamilyWithPreCheck(t *testing.T) {
	tiered := plan.Plan{Alpha: 0.05, Analyses: 1, PreCheck: 1}
	first, second := stats.SplitPreCheck(0.05)
	w := judged(stats.Regression, first/2)
	w.Stats.Phase = 1
	if p, err := wholeP(tiered, &w); err != nil || p != stats.Number(second/2) {
		t.Errorf("%v, %v", p, err)
	}
	w = judged(stats.Negligible, 1e-9)
	w.Stats.Phase = 1
	if p, err := wholeP(tiered, &w); err != nil || p != 1 {
		t.Errorf("no change called: %v, %v", p, err)
	}
	if tiered.WholeAlpha() != second || (plan.Plan{Alpha: 0.05}).WholeAlpha() != 0.05 {
		t.Errorf("alpha of pairs %g", tiered.WholeAlpha())
	}
	tiered.StageMargin = 0.003
	if a, b := tiered.PreCheckAlphas(); a+b > 0.8*0.05+1e-15 || a+b < 0.8*0.05-1e-15 {
		t.Errorf("%g and %g beside stages", a, b)
	}
}

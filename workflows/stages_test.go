package workflows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// staged is a report whose total time is equivalent, with samples of a stage that adds a fraction of the total time to
// head, and of a counter that grows by the same fraction.
func staged(t *testing.T, plan *Plan, grows float64) *harness.Report {
	t.Helper()
	staged := madeUpReport(t, plan, 1)
	staged.Plan.StageMargin = 0.003
	w := &staged.Workloads[0]
	for i := range w.Pairs {
		p := &w.Pairs[i]
		for _, side := range []struct {
			at    *int
			arm   schedule.Arm
			value float64
			adds  float64
		}{{&p.Base, schedule.Base, p.A, 0}, {&p.Head, schedule.Head, p.B, grows}} {
			*side.at = len(w.Samples)
			w.Samples = append(w.Samples, evidence.Sample{
				Kind: evidence.Measured,
				Arm:  side.arm,
				Pair: p.Number,
				Metrics: map[string]float64{
					"prove_seconds": side.value, "stage_fold_seconds": 0.2 + side.adds + 1e-5*float64(i*3%7)},
				Counters: map[string]float64{"cells": 1000 * (1 + side.adds)},
			})
		}
	}
	return staged
}

// publish recomputes the results of stages and counters from the samples, with the trusted bench.yaml. They fail the
// check run even if the total time is equivalent. A report that hides them, or has another plan, changes nothing.
func TestPublishJudgesStagesAndCounters(t *testing.T) {
	const failure, success = "failure", "success"
	for name, test := range map[string]struct {
		grows      float64
		margin     float64
		exact      map[string]float64
		tamper     func(*harness.Report)
		conclusion string
	}{
		"a stage":          {0.01, 0.003, nil, nil, failure},
		"a stage within":   {0.001, 0.003, nil, nil, success},
		"a counter":        {0.001, 0.003, map[string]float64{"cells": 0}, nil, failure},
		"a counter within": {0.001, 0.003, map[string]float64{"cells": 0.01}, nil, success},
		"planned without":  {0.01, 0.003, nil, func(r *harness.Report) { r.Plan.StageMargin = 0 }, failure},
		"without samples":  {0.001, 0.003, nil, func(r *harness.Report) { r.Workloads[0].Samples = nil }, failure},
		"a claim of its own": {0.001, 0.003, nil, func(r *harness.Report) {
			r.Workloads[0].Exact = []harness.Exact{{Name: "cells", Bound: harness.BoundExceeded}}
		}, success},
		"a stage it keeps back": {0.01, 0.003, nil, func(r *harness.Report) { r.Workloads[0].Secondary = nil }, failure},
	} {
		t.Run(name, func(t *testing.T) {
			world, plan := accepted(t, "/bench-gpu")
			rules := *world.bench
			rules.Metrics.StageMargin, rules.Metrics.Exact = test.margin, test.exact
			world.bench = &rules
			r := staged(t, plan, test.grows)
			if err := harness.Judge(&rules, r.Plan, 1, &r.Workloads[0]); err != nil ||
				r.Workloads[0].Stats.Verdict == stats.Regression {
				t.Fatal(r.Workloads[0].Stats, err)
			}
			if test.tamper != nil {
				test.tamper(r)
			}
			world.uploadResult(plan, resultOf(plan, r))
			if err := world.publish(plan, success); err != nil {
				t.Fatal(err)
			}
			if got := world.CheckRuns[0].Conclusion; got != test.conclusion {
				t.Errorf("conclusion %s, want %s: %s", got, test.conclusion, world.verdicts())
			}
		})
	}
}

// A result that is too long first drops the metrics that no rule needs, then the samples.
func TestEncodeKeepsWhatRulesNeed(t *testing.T) {
	plan := &Plan{}
	r := staged(t, plan, 0)
	w := &r.Workloads[0]
	for i := range w.Samples {
		for n := range 700 {
			w.Samples[i].Metrics[fmt.Sprintf("some_other_figure_of_the_host_%d", n)] = 1.0 / 3
		}
	}
	data, err := resultOf(plan, r).Encode()
	if err != nil || strings.Contains(string(data), "some_other") ||
		!strings.Contains(string(data), "stage_fold_seconds") || !strings.Contains(string(data), `"cells"`) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

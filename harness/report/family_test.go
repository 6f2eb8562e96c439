package report

import (
	"math"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// judged is a workload with a verdict and the p-values of both tests.
func judged(v stats.Verdict, p float64) Workload {
	r := &stats.Result{Verdict: v}
	r.T.P, r.SignFlip.P = stats.Number(p), stats.Number(p)
	return Workload{Stats: r}
}

// The second smallest p of three workloads is doubled: 0.03 alone is a regression, but not in the run.
func TestJudgeFamily(t *testing.T) {
	workloads := []Workload{judged(stats.Improvement, 0.01), judged(stats.Regression, 0.03), judged(stats.Equivalent, 0.8)}
	plan := plan.Plan{Alpha: 0.05, Analyses: 1}
	if err := JudgeFamily(plan, workloads); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		p       float64
		verdict stats.Verdict
	}{{0.03, stats.Improvement}, {0.06, stats.Borderline}, {0.8, stats.Equivalent}} {
		if w := workloads[i]; math.Abs(w.Family.P.Float()-want.p) > 1e-12 || w.Verdict() != want.verdict {
			t.Errorf("workload %d: %+v, %s, want %v", i, w.Family, w.Verdict(), want)
		}
	}
	if code := verdictCode(workloads, nil); code != failure.ExitOK {
		t.Errorf("exit code %d", code)
	}
	if code := verdictCode(workloads, []stats.Verdict{stats.Borderline}); code != failure.ExitRegression {
		t.Errorf("with --fail-on borderline: exit code %d", code)
	}
	workloads[1].Exact = []Exact{{Name: "cells", Bound: BoundExceeded}} // which needs no test
	if code := verdictCode(workloads, nil); code != failure.ExitRegression {
		t.Errorf("a bound that is broken: exit code %d", code)
	}
	alone := []Workload{judged(stats.Regression, 0.03)}
	if err := JudgeFamily(plan, alone); err != nil || alone[0].Family != nil ||
		verdictCode(alone, nil) != failure.ExitRegression {
		t.Errorf("one workload: %v, %+v", err, alone[0].Family)
	}
	unfinished := []Workload{judged(stats.Regression, 0.001), {}}
	if err := JudgeFamily(plan, unfinished); err != nil || unfinished[0].Family != nil {
		t.Errorf("unfinished: %v, %+v", err, unfinished[0].Family)
	}
}

// The p of a run with several interim analyses is the alpha whose boundary it has reached. The analyses are those of
// its own processes and builds, which differ from those of blocks.
func TestRepeatedP(t *testing.T) {
	for _, plan := range []plan.Plan{
		{Alpha: 0.05, Analyses: 3, Pairs: 30},
		{Alpha: 0.05, Analyses: 5, Pairs: 96, Processes: 12},
		{Alpha: 0.05, Analyses: 5, Pairs: 96, Processes: 24, Builds: 12},
	} {
		design, err := stats.NewDesign(plan.Pairs, plan.Analyses, 0.02,
			stats.Sampling{Processes: plan.Processes, Builds: plan.Builds})
		if err != nil {
			t.Fatal(err)
		}
		for _, analysis := range design.Analyses[1:] {
			w := judged(stats.Regression, analysis.Level)
			w.Sequential, w.Pairs, w.Processes = &stats.Sequential{}, make([]evidence.Pair, analysis.Pairs), plan.Processes
			if p, err := wholeP(plan, &w); err != nil || math.Abs(p.Float()-0.02) > 1e-4 {
				t.Errorf("%d processes, at %d pairs: %v, %v", plan.Processes, analysis.Pairs, p, err)
			}
		}
	}
	// The smallest p that 12 processes can have. Bisection tries levels of alpha below it, which is no error.
	plan := plan.Plan{Alpha: 0.05, Analyses: 2, Pairs: 24, Processes: 12}
	best := judged(stats.Regression, math.Exp2(-11))
	best.Sequential, best.Pairs, best.Processes = &stats.Sequential{}, make([]evidence.Pair, 24), 12
	if p, err := wholeP(plan, &best); err != nil || p.Float() < math.Exp2(-11) || p.Float() > 2*math.Exp2(-11) {
		t.Errorf("the smallest p: %v, %v", p, err)
	}
	w := judged(stats.Inconclusive, 0.3)
	w.Sequential = &stats.Sequential{}
	if p, err := wholeP(plan, &w); err != nil || p != 1 {
		t.Errorf("no change called: %v, %v", p, err)
	}
}

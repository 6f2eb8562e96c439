package report_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

var manyRuns = flag.Int("stage-runs", 0, "runs of each cell of the simulation of stages, in place of a few")

// judged is a bench.yaml with these metrics.
func judged(t *testing.T, metrics string) *config.File {
	t.Helper()
	file, err := config.Parse("bench.yaml", []byte(`version: 1
build: {command: [sh, build.sh], artifacts: [bin/prover]}
workloads:
  - {name: quick, session: ["{bin/prover}", session], verify: ["{bin/prover}", verify, "{proof}"]}
metrics:
  primary: prove_seconds
`+metrics+"plan: {settle: 0, pairs: 8, seed: 7, launches: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A proof gives the metrics and the counters of one proof of a pair.
type proof func(pair int, arm schedule.Arm) (metrics, counters map[string]float64)

// pairsOf returns a workload with n counted pairs in random orders.
func pairsOf(pairs int, prove proof) *report.Workload {
	w := &report.Workload{
		Name:   "keccak",
		Metric: metrics.Metric{Name: "prove_seconds", Better: "lower", Scale: stats.ScaleLog},
	}
	for i := range pairs {
		p := evidence.Pair{
			Number:  i + 1,
			Block:   i/2 + 1,
			Order:   []stats.Order{stats.OrderAB, stats.OrderBA}[(i+i/2)%2],
			Attempt: 1,
		}
		for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
			metrics, counters := prove(i, arm)
			at, value := &p.Base, &p.A
			if arm == schedule.Head {
				at, value = &p.Head, &p.B
			}
			*at, *value = len(w.Samples), metrics["prove_seconds"]
			w.Samples = append(w.Samples, evidence.Sample{Kind: evidence.Measured, Arm: arm, Metrics: metrics,
				Counters: counters})
		}
		w.Pairs = append(w.Pairs, p)
	}
	return w
}

// judge judges a workload by a plan of the same number of pairs.
func judge(t *testing.T, file *config.File, w *report.Workload) *report.Workload {
	t.Helper()
	plan := plan.Plan{
		Pairs:       len(w.Pairs),
		Analyses:    1,
		Alpha:       0.05,
		Equivalence: 0.01,
		Design:      "abba",
		StageMargin: file.Metrics.StageMargin,
	}
	if err := report.Judge(file, plan, 1, w); err != nil {
		t.Fatal(err)
	}
	return w
}

// secondary returns a metric's test, or fails.
func secondary(t *testing.T, w *report.Workload, metric string) report.Secondary {
	t.Helper()
	for _, s := range w.Secondary {
		if s.Metric == metric {
			return s
		}
	}
	t.Fatalf("there is no %s among %+v", metric, w.Secondary)
	return report.Secondary{}
}

const stageRule = "  stages: {margin: 0.3%}\n"

// planted is a proof of 1 s. Its host scatters by 4 %, and its device repeats within 0.02 %. The stage fold takes 0.2 s
// of it. In head, fold takes longer by a fraction of the total time.
func planted(longer float64) proof {
	random := rand.New(rand.NewPCG(16, 2))
	return func(_ int, arm schedule.Arm) (map[string]float64, map[string]float64) {
		fold := 0.2
		if arm == schedule.Head {
			fold += longer
		}
		fold *= math.Exp(0.0002 * random.NormFloat64())
		host := 0.8 * math.Exp(0.05*random.NormFloat64())
		return map[string]float64{
			"prove_seconds":       fold + host,
			"stage_other_seconds": host / 2,
			"stage_trace_seconds": host / 2,
			"stage_fold_seconds":  fold * math.Exp(0.03*random.NormFloat64()),
			"device_fold_seconds": fold,
		}, nil
	}
}

// A stage with device time is judged by it. If it adds more than the margin to the total time, the workload has a
// regression, even though the total time shows nothing. An addition below the margin, or without a margin, is none.
func TestAStageIsARegression(t *testing.T) {
	for name, test := range map[string]struct {
		longer  float64
		metrics string
		want    stats.Verdict
	}{
		"beyond the margin":   {0.004, stageRule, stats.Regression},
		"within the margin":   {0.002, stageRule, stats.Inconclusive},
		"without a margin":    {0.004, "", stats.Inconclusive},
		"a stage that gained": {-0.004, stageRule, stats.Inconclusive},
	} {
		w := judge(t, judged(t, test.metrics), pairsOf(14, planted(test.longer)))
		c := secondary(t, w, "device_fold_seconds").Contribution
		if w.Verdict() != test.want || w.Stats.Verdict != stats.Inconclusive {
			t.Errorf("%s: %s, the whole %s, %+v", name, w.Verdict(), w.Stats.Verdict, c)
		}
		if !c.Changed || math.Abs(c.Mean.Float()-test.longer) > 1e-4 || math.Abs(c.Percent.Float()-100*test.longer) > 0.02 {
			t.Errorf("%s: %+v, planted were %g s of 1 s", name, c, test.longer)
		}
		if alone := secondary(t, w, "stage_other_seconds"); alone.Contribution == nil || alone.Contribution.Changed ||
			alone.Kind != report.KindStage {
			t.Errorf("%s: an unchanged stage of the host: %+v", name, alone.Contribution)
		}
		for _, s := range w.Secondary {
			if s.Metric == "stage_fold_seconds" {
				t.Errorf("%s: the host's time of a stage stands beside the device's", name)
			}
		}
	}
}

// If one proof lacks the device's time, the host's is used for all. If a side lacks both, there is no conclusion.
func TestStagesThatASideLacks(t *testing.T) {
	lack := func(metric string) *report.Workload {
		w := pairsOf(14, planted(0.1))
		delete(w.Samples[w.Pairs[3].Base].Metrics, metric)
		return judge(t, judged(t, stageRule), w)
	}
	w := lack("device_fold_seconds")
	if c := secondary(t, w, "stage_fold_seconds").Contribution; c == nil || !c.Regression ||
		w.Verdict() != stats.Regression {
		t.Errorf("host's times of both: %+v", c)
	}
	w = lack("stage_other_seconds")
	if s := secondary(t, w, "stage_other_seconds"); s.Contribution != nil || s.Untested == "" {
		t.Errorf("a stage that a proof lacks: %+v", s)
	}
}

// The total time has the alpha that the stages leave, and the stages share theirs.
func TestStagesSpendTheirPartOfAlpha(t *testing.T) {
	with, without := judge(t, judged(t, stageRule), pairsOf(14, planted(0))),
		judge(t, judged(t, ""), pairsOf(14, planted(0)))
	whole, part := stats.SplitAlpha(0.05)
	if with.Stats.Alpha != whole || without.Stats.Alpha != 0.05 {
		t.Errorf("the whole is tested at %g with a margin of stages and at %g without", with.Stats.Alpha, without.Stats.Alpha)
	}
	spent := 0.0
	for _, s := range with.Secondary {
		if s.Contribution != nil {
			spent += s.Contribution.Level
		}
	}
	if math.Abs(spent-part) > 1e-12 {
		t.Errorf("stages spend %g, their part is %g", spent, part)
	}
}

// stageNoise makes a proof whose stages scatter, with a common part for the proofs of one process.
func stageNoise(seed uint64, stages int, draw func(*rand.Rand) float64) proof {
	random := rand.New(rand.NewPCG(seed, 16))
	return func(int, schedule.Arm) (map[string]float64, map[string]float64) {
		metrics := map[string]float64{}
		common, whole := 0.02*draw(random), 0.0
		for s := range stages {
			took := 0.01 * float64(s+1) * math.Exp(common+0.02*draw(random))
			metrics[fmt.Sprintf("stage_s%02d_seconds", s)] = took
			whole += took
		}
		metrics["prove_seconds"] = whole
		return metrics, nil
	}
}

// With no change between the arms, at most alpha of the runs call a difference. A call is a verdict on the total time
// that names a direction, or any stage whose interval excludes 0, with or without a margin. The unadjusted intervals of
// the same stages, at alpha each, would fail this: they are the negative test.
func TestFalseCallsOfTheWholeAndItsStages(t *testing.T) {
	const stages = 13
	normal := func(r *rand.Rand) float64 { return r.NormFloat64() }
	draws := map[string]func(*rand.Rand) float64{"normal": normal, "heavy tails": func(r *rand.Rand) float64 {
		// Student's t with 2 degrees of freedom.
		return normal(r) / math.Sqrt((math.Pow(normal(r), 2)+math.Pow(normal(r), 2))/2)
	}}
	runs := 60
	if *manyRuns > 0 {
		runs = *manyRuns
		draws["in steps"] = func(r *rand.Rand) float64 { return float64(r.IntN(3)-1) * 1.2 }
		draws["skewed"] = func(r *rand.Rand) float64 { return r.ExpFloat64() - 1 }
	}
	file := judged(t, stageRule)
	for name, draw := range draws {
		for _, pairs := range []int{14, 48} {
			if *manyRuns == 0 && pairs == 48 {
				continue
			}
			calls, unadjusted := 0, 0
			for run := range runs {
				w := judge(t, file, pairsOf(pairs, stageNoise(uint64(run), stages, draw)))
				called := w.Stats.Verdict == stats.Improvement || w.Verdict() == stats.Regression
				alone := called
				for _, s := range w.Secondary {
					called = called || s.Contribution.Changed
					alone = alone || s.Stats.T.P.Float() <= 0.05
				}
				if called {
					calls++
				}
				if alone {
					unadjusted++
				}
			}
			most := 0.05*float64(runs) + 3*math.Sqrt(0.05*0.95*float64(runs))
			t.Logf("%s, %d pairs: %d of %d runs are called, %d without the adjustment", name, pairs, calls, runs, unadjusted)
			if float64(calls) > most {
				t.Errorf("%s, %d pairs: %d false calls in %d runs, at most %.0f are due", name, pairs, calls, runs, most)
			}
			if float64(unadjusted) <= most {
				t.Errorf("%s, %d pairs: without the adjustment %d false calls in %d runs: this test finds nothing", name, pairs,
					unadjusted, runs)
			}
		}
	}
}

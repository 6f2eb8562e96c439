package report

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// far is head's slowdown in TestPlansThatUpholdNothing, in standard deviations of a pair.
const far = 10

// runFar measures the given number of workloads by the plan until it stops, with the given number of processes of each
// arm. Head is far slower in all of them, and they are judged as one family.
func runFar(t *testing.T, plan plan.Plan, processes, workloads int) []Workload {
	t.Helper()
	s, err := schedule.New(plan.Pairs, schedule.ABBA, 1)
	if err != nil {
		t.Fatal(err)
	}
	s = s.WithReplicates(processes, plan.Builds)
	design, err := plan.Sequence(processes)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]Workload, workloads)
	for k := range list {
		random := rand.New(rand.NewPCG(uint64(k), uint64(plan.Pairs)))
		var pairs []stats.Pair
		for i := range plan.Pairs {
			p := s.Pair(i + 1)
			pairs = append(pairs, stats.Pair{Number: p.Number, Block: p.Block, Process: p.Process, Build: p.Build,
				Order: stats.Order(p.Order), A: 1, B: math.Exp(0.01 * (far + random.NormFloat64()))})
		}
		for _, analysis := range design.Analyses {
			result, sequential, err := design.Analyze(pairs[:analysis.Pairs], stats.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			list[k] = Workload{Stats: &result, Pairs: make([]evidence.Pair, analysis.Pairs), Processes: processes}
			if plan.Analyses > 1 {
				list[k].Sequential = &sequential
			}
			if sequential.Done() {
				break
			}
		}
	}
	if err := JudgeFamily(plan, list); err != nil {
		t.Fatal(err)
	}
	return list
}

var wholeGrid = flag.Bool("grid", false, "try every plan of TestPlansThatUpholdNothing, which takes minutes")

// On a grid of plans, accepted plans call a head that is far slower in all workloads a regression in all of them, and
// refused plans do not. The test uses the code that judges a run.
func TestPlansThatUpholdNothing(t *testing.T) {
	accepted, refused := 0, 0
	allPairs, allAnalyses, allWorkloads := []int{8, 14, 16}, []int{1, 3}, []int{1, 3, 4}
	if *wholeGrid {
		allPairs, allAnalyses = []int{6, 8, 10, 12, 14, 16, 20, 30, 48}, []int{1, 2, 3, 5}
		allWorkloads = []int{1, 2, 3, 4, 8}
	}
	for _, pairs := range allPairs {
		for _, analyses := range allAnalyses {
			for _, workloads := range allWorkloads {
				for _, plan := range []plan.Plan{
					{Pairs: pairs, Analyses: analyses, Alpha: 0.05},
					{Pairs: pairs, Analyses: analyses, Alpha: 0.05, Processes: 6},
					{Pairs: pairs, Analyses: analyses, Alpha: 0.05, StageMargin: 0.01, Builds: 8},
				} {
					counts, err := plan.MayDraw()
					if err != nil || !*wholeGrid && analyses > 1 && (plan.Builds > 1 || workloads > 3) {
						continue // cannot reach alpha for any number of workloads
					}
					upheld := !slices.ContainsFunc(counts, func(processes int) bool {
						_, err := plan.Sequence(processes)
						return err != nil || slices.ContainsFunc(runFar(t, plan, processes, workloads), func(w Workload) bool {
							return w.Verdict() != stats.Regression
						})
					})
					if upheld != (plan.Upholds(workloads) == nil) {
						t.Errorf("%+v, %d workloads: a far slower head is a regression in all of them: %v; the plan is accepted: %v",
							plan, workloads, upheld, (plan.Upholds(workloads) == nil))
					}
					if upheld {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d plans accepted, %d refused", accepted, refused)
	if accepted < 15 || refused < 15 {
		t.Error("the grid is no test")
	}
}

// Six hosts that agree establish a change in two workloads, for which the signs of the hosts alone are too few.
func TestJoinOfTwoWorkloads(t *testing.T) {
	file, err := config.Parse("bench.yaml", []byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads:\n"+
		"  - {name: a, session: [\"{p}\"], verify: [\"{p}\", \"{proof}\"]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	d := &plan.Decision{File: file, Plan: plan.Plan{Alpha: 0.05, Pairs: 14, Analyses: 1}, Workloads: []string{"a", "b"}}
	var workloads []Workload
	for range 2 {
		w := Workload{Metric: metrics.Metric{Name: "prove_seconds", Scale: stats.ScaleLog}}
		for host := range 6 {
			for i := range 14 {
				w.Pairs = append(w.Pairs, evidence.Pair{Number: 14*host + i + 1, Block: 7*host + i/2 + 1, Host: host + 1,
					Order: []stats.Order{stats.OrderAB, stats.OrderBA}[i%2], A: 1 + 0.001*float64(i+host), B: 1.1})
			}
		}
		if w.Stats, err = judgeHosts(d, &w); err != nil {
			t.Fatal(err)
		}
		workloads = append(workloads, w)
	}
	if err := JudgeFamily(d.Plan, workloads); err != nil {
		t.Fatal(err)
	}
	for _, w := range workloads {
		if w.Verdict() != stats.Regression {
			t.Errorf("%s with p = %g: %+v", w.Verdict(), w.Stats.BothP().Float(), w.Family)
		}
	}
}

package nightly

import (
	"math"
	"testing"

	"github.com/chiasmus/chiasmus/stats"
)

// A starting chart learns only from nights that were shown to be non-inferior. It learns held points after such a
// night.
func TestStartingReferenceTakesSettledNights(t *testing.T) {
	chart := Chart{Reference: anchored()}
	chart = chart.Next(0.1, 0.1, 1, true)
	if chart.Reference.N != 2 || chart.Held.N != 0 {
		t.Fatalf("a settled night: %+v", chart)
	}
	for range 3 {
		chart = chart.Next(-0.2, 0.1, 1, false)
	}
	if chart.Reference.N != 2 || chart.Held.N != 3 || chart.suspected() {
		t.Fatalf("unsettled nights: %+v", chart)
	}
	if chart = chart.Next(0, 0.1, 1, true); chart.Reference.N != 6 || chart.Held.N != 0 || chart.Apart != 0 {
		t.Errorf("settled again: %+v", chart)
	}
	grown := learnt(t, 0.6)
	if after := grown.Next(-0.2, 0.18, 1, false); after.Reference.N != grown.Reference.N+1 {
		t.Error("a chart that has started holds a night because it is unsettled")
	}
}

// The chart scores from the first night, with the default variance of builds, and signals before it has started.
func TestStartingChartSignals(t *testing.T) {
	chart := Chart{Reference: anchored()}
	first := chart.Next(-1, 0.1, 1, false)
	deviation := math.Sqrt(0.1 + 0.25) // builds of half the margin
	sample := stats.Sample{N: 1, DF: unknownWeight}
	if want := stats.Score(sample, -1, deviation*deviation).Float(); first.Score != want || first.Step != -want-0.5 {
		t.Errorf("the first score is %g, want %g; step %g", first.Score, want, first.Step)
	}
	if want := 1 / (deviation * math.Sqrt2); math.Abs(first.Apart-want) > 1e-12 {
		t.Errorf("the first point lies %g apart, want %g", first.Apart, want)
	}
	chart = chart.Next(0.1, 0.1, 1, true)
	nights := 0
	for ; !chart.Signals() && nights < 20; nights++ {
		chart = chart.Next(-2, 0.1, 1, false)
	}
	if chart.Started() || nights > 5 {
		t.Errorf("a step of two margins signals after %d nights: %+v", nights, chart)
	}
}

// While the chart is starting, its sums alone do not signal: the scores of held points share the error of a short
// reference. After the start, sums signal.
func TestStartingChartNeedsDistance(t *testing.T) {
	for _, test := range []struct {
		apart float64
		want  bool
	}{{1.99, false}, {2, true}} {
		chart := Chart{Reference: anchored(), Step: 20, Apart: test.apart}
		if chart.Signals() != test.want {
			t.Errorf("%.2f apart: signals is %v", test.apart, chart.Signals())
		}
	}
	chart := learnt(t, 0.6)
	if chart.Step = 20; chart.Apart != 0 || !chart.Signals() {
		t.Errorf("a chart that has started does not signal: %+v", chart)
	}
}

// The anchor is a point of the chart if it was head once, but not if bench.yaml names it: a release need not be as fast
// as today's head.
func TestAnchorIsAPoint(t *testing.T) {
	one := newSeries(newHost(0.5, 0, 0, 1), false)
	one.night(0)
	one.night(0)
	if chart := one.history.chart("w"); chart.Reference.N != 2 {
		t.Errorf("after one comparison: %+v", chart)
	}
	named := newSeries(newHost(0.5, 0, 0, 1), true)
	named.host.slower[named.baseline] = 6
	named.night(0)
	if chart := named.history.chart("w"); chart.Reference.N != 1 || chart.Reference.Mean < 5 {
		t.Errorf("after one night with a slow baseline: %+v", chart)
	}
	for range 4 {
		named.night(0)
	}
	if chart := named.history.chart("w"); chart.Reference.N != 5 || named.alarms > 0 {
		t.Errorf("after five nights with a slow baseline: %+v", chart)
	}
}

// An alarm that a starting chart opened ends, by the chart, when head is back: the last good revision may be a fast
// build.
func TestStartingChartEndsItsAlarm(t *testing.T) {
	one := newSeries(newHost(1, 0, 0, 4), false)
	for range 4 {
		one.night(0)
	}
	for n := 0; !one.night(1.6); n++ {
		if n > 15 {
			t.Fatal("no alarm")
		}
	}
	if chart := one.history.chart("w"); chart.Started() || alarmSource(one.history.alarm("w")) != byChart {
		t.Fatalf("an alarm of %s, %+v", one.history.alarm("w"), chart)
	}
	for range 15 { // slower still
		if !one.night(1.6) {
			t.Fatal("the alarm has ended, and head is as slow")
		}
	}
	good := one.history.Good("w")
	one.host.slower[good] = -2 // a lucky build
	nights := 0
	for ; nights < 20 && one.night(0); nights++ {
	}
	if nights == 0 || nights > 14 {
		t.Errorf("it ends %d nights after head is back", nights)
	}
}

// A point of another metric restarts the chart, and is not a night of the commit's figure.
func TestAnotherMetricBeginsAnew(t *testing.T) {
	one := newSeries(newHost(0.5, 0, 0, 7), false)
	for range 20 {
		one.night(0)
	}
	before := one.history.chart("w")
	for i := range one.history {
		one.history[i].Metric = "energy_joules"
		if one.history[i].Chart != nil {
			one.history[i].Chart.Metric = "energy_joules"
		}
	}
	one.night(6)
	after := one.history.chart("w")
	if after.Metric != "prove_seconds" || after.Reference.N+after.Held.N != 2 || before.Reference.N < 19 {
		t.Errorf("after a night by another metric: %+v", after)
	}
	if after.Reference.DF < startUp-1 {
		t.Errorf("what is known of the scatter is forgotten: %+v", after)
	}
	points := []*Record{
		{Base: "a", Metric: "m", Better: 1, Within: 0.1}, {Base: "a", Metric: "other", Better: 50, Within: 0.1},
		{Base: "b", Metric: "m", Better: 70, Within: 0.1}, {Base: "a", Metric: "m", Better: 3, Within: 0.1},
	}
	if mean, variance := together(points, "a", "m"); math.Abs(mean-2) > 1e-12 || math.Abs(variance-0.05) > 1e-12 {
		t.Errorf("points of two metrics and anchors have the mean %g and the variance %g, want 2 and 0.05", mean, variance)
	}
}

// Each of a night's two analyses tests at half of alpha. At the whole alpha, a figure at the edge would pass.
func TestEachAnalysisHasHalfOfAlpha(t *testing.T) {
	const df = 1000
	for _, test := range []struct {
		standard float64 // errors above the margin's edge
		want     bool
	}{{1.75, false}, {1.95, false}, {1.98, true}} {
		figure := figure{better: -1 + test.standard*0.1, within: 0.01}
		if got := figure.nonInferior(df, 1, 0.05); got != test.want {
			t.Errorf("%g standard errors above -1 %%: non-inferior is %v", test.standard, got)
		}
		figure.better = 1 - test.standard*0.1
		if got := figure.equivalent(df, 1, 0.05); got != test.want {
			t.Errorf("%g standard errors below 1 %%: equivalent is %v", test.standard, got)
		}
	}
}

// The evidence for the end of an alarm is a likelihood ratio: a figure half a margin below the level supports neither
// side.
func TestReliefIsALikelihoodRatio(t *testing.T) {
	for _, test := range []struct{ above, want float64 }{
		{-0.5, 0}, {0, 2}, {-1, -2}, {0.25, 3}, {0.5, 4}, {5, 4}, // capped at one deviation, 0.5
	} {
		if got := relief(test.above, 0.25, 1, largestRelax); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%g above the level: %g, want %g", test.above, got, test.want)
		}
	}
	if got := relief(0, 0, 1, largestRelax); got != 0.5e6 {
		t.Errorf("without variance: %g", got)
	}
}

// A large regression that was repaired ends its alarm at once only if non-inferiority is shown too.
func TestUndoneNeedsNonInferiority(t *testing.T) {
	plan := Plan{Workloads: []WorkloadPlan{{Name: "w", Margin: 1, Host: Host{Build: 0.01}}}}
	opened := Record{Workload: "w", Kind: Compared, Base: "g", Head: "h", Alarm: "n compared", Better: -9, Within: 0.01}
	night := step{before: History{opened}, night: &plan, plan: &plan.Workloads[0], alarm: opened.Alarm}
	for _, shown := range []bool{true, false} {
		back := Record{Workload: "w", Kind: Compared, Base: "g", Head: "i", Better: 0, Within: 0.01, NonInferior: shown}
		if got := night.undone(&back); got != shown {
			t.Errorf("non-inferior %v: undone is %v", shown, got)
		}
	}
	for name, other := range map[string]Record{
		"not far enough":   {Kind: Compared, Base: "g", Better: -8.5, Within: 0.01, NonInferior: true},
		"of another base":  {Kind: Compared, Base: "x", Better: 0, Within: 0.01, NonInferior: true},
		"of another kind":  {Kind: Anchor, Base: "g", Better: 0, Within: 0.01, NonInferior: true},
		"beyond by little": {Kind: Compared, Base: "g", Better: -8.4, Within: 0.01, NonInferior: true}, // 0.6; 0.7 are needed
	} {
		if night.undone(&other) {
			t.Errorf("%s: it is undone", name)
		}
	}
	edge := Record{Kind: Compared, Base: "g", Better: -8.25, Within: 0.01, NonInferior: true} // 0.75 apart
	if !night.undone(&edge) {
		t.Error("3.75 deviations are not enough")
	}
}

// The numbers of a night's plan: the target error, the minimum and maximum of rounds, and the cost of a round.
func TestPlanOfANight(t *testing.T) {
	plan := func(pair, process float64, nights int) WorkloadPlan {
		one := newSeries(newHost(pair, 0, process, 3), false)
		for range nights {
			one.night(0)
		}
		return Prepare(one.history, Settings{Workloads: []string{"w"}, Night: night(nights), Head: sha(nights)}).Workloads[0]
	}
	first := plan(1, 0, 0)
	if first.Rounds != 4 || first.Pairs != 14 {
		t.Errorf("the first night: %d rounds of %d pairs", first.Rounds, first.Pairs)
	}
	for _, pair := range []float64{3, 5} {
		one := plan(pair, 0, 30)
		if reached := one.Host.within(one.Rounds, one.Pairs); reached > 0.17 || reached < 0.14 {
			t.Errorf("pairs of %g %%: a variance of %.3f, the aim is 0.16", pair, reached)
		}
	}
	noisy := plan(5, 3, 30)
	if noisy.Rounds != 8 {
		t.Errorf("processes of 3 %%: %d rounds", noisy.Rounds)
	}
}

// A night after an inconclusive one aims at half of the variance.
func TestSuspectedNightsMeasureMore(t *testing.T) {
	one := newSeries(newHost(5, 0, 0, 3), false)
	for range 30 {
		one.night(0)
	}
	settings := Settings{Workloads: []string{"w"}, Night: night(30), Head: sha(30), Budget: 4000}
	calm := Prepare(one.history, settings).Workloads[0]
	for i := range one.history {
		one.history[i].NonInferior = false
	}
	doubted := Prepare(one.history, settings).Workloads[0]
	before, after := calm.Host.within(calm.Rounds, calm.Pairs), doubted.Host.within(doubted.Rounds, doubted.Pairs)
	if share := after / before; share < 0.4 || share > 0.6 {
		t.Errorf("a doubted night has %.2f of the variance: %+v, %+v", share, calm, doubted)
	}
}

// The chart of a night whose comparison raised an alarm learns nothing from it, even if its sums are low.
func TestChartForgetsTheNightOfAnAlarm(t *testing.T) {
	before := learnt(t, 0.6)
	before.Anchor, before.Metric = "v1", "m"
	healthy := empty("2026-03-01", "w", Baseline)
	healthy.Base, healthy.Head, healthy.Named, healthy.Metric, healthy.Chart = "v1", sha(0), "v1", "m", &before
	slower := empty("2026-03-02", "w", Baseline)
	slower.Base, slower.Head, slower.Named, slower.Metric = "v1", sha(1), "v1", "m"
	slower.Better, slower.Within, slower.Confirmed = -0.3, 0.18, true
	plan := Plan{Workloads: []WorkloadPlan{{Name: "w", Anchor: "v1", Margin: 1}}}
	step := step{before: History{healthy}, night: &plan, plan: &plan.Workloads[0], records: []*Record{&slower}}
	step.take()
	after := slower.Chart
	if slower.Alarm == "" || after == nil || after.Reference != before.Reference || after.Held.N != 0 {
		t.Errorf("%q, %+v", slower.Alarm, slower.Chart)
	}
}

// A night settles the chart's point when head is the last good revision, or was shown against it to be non-inferior.
func TestSettledNight(t *testing.T) {
	plan := Plan{Workloads: []WorkloadPlan{{Name: "w"}}}
	history := History{{Workload: "w", Kind: Compared, Good: "g"}}
	for name, test := range map[string]struct {
		record Record
		want   bool
	}{
		"shown":                 {Record{Kind: Compared, Base: "g", NonInferior: true}, true},
		"not shown":             {Record{Kind: Compared, Base: "g"}, false},
		"shown against another": {Record{Kind: Compared, Base: "x", NonInferior: true}, false},
		"shown by the anchor":   {Record{Kind: Anchor, Base: "g", NonInferior: true}, false},
		"the last good one":     {Record{Kind: Noise, Base: "g"}, true},
		"not measured":          {Record{Kind: Failed, Base: "g"}, false},
	} {
		step := step{before: history, night: &plan, plan: &plan.Workloads[0], records: []*Record{&test.record}}
		if got := step.settled(); got != test.want {
			t.Errorf("%s: settled is %v", name, got)
		}
	}
}

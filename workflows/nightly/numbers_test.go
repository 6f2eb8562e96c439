package nightly

import (
	"math"
	"testing"

	"github.com/chiasmus/chiasmus/stats"
)

// steady returns a started chart with level 0 and enough points that its scores are the points divided by the deviation
// of 1.
func steady() Chart {
	const points = 1e9
	return Chart{Reference: Points{Sample: stats.Sample{N: points, DF: points, Squares: points}, Weight: points}}
}

// The sums add the score less k and signal at h; a night counts four deviations.
func TestSumsOfTheChart(t *testing.T) {
	nightsTo := func(y float64, signals func(chart *Chart) bool) int {
		chart := steady()
		for n := 1; n < 200; n++ {
			if chart = chart.Next(y, 0, 1, true); signals(&chart) {
				return n
			}
		}
		return 0
	}
	step := func(chart *Chart) bool { return stepChart.Signals(chart.Step) }
	creep := func(chart *Chart) bool { return creepChart.Signals(chart.Creep) }
	began := func(chart *Chart) bool { return chart.Reference.N < 1000 }
	for name, got := range map[string][2]int{
		"step at 1.0":   {nightsTo(-1.01, step), 11}, // 5.5 / 0.51 = 10.8
		"step at 1.6":   {nightsTo(-1.59, step), 6},  // 5.5 / 1.09 = 5.05
		"step at 0.54":  {nightsTo(-0.54, step), 138},
		"creep at 1":    {nightsTo(-1.01, creep), 15},  // 11 / 0.76 = 14.5
		"creep at 0.36": {nightsTo(-0.36, creep), 101}, // 11 / 0.11 = 100
		"gain at 1":     {nightsTo(1.001, began), 20},  // 10 / 0.501 = 19.96
		"gain at 2.5":   {nightsTo(2.5, began), 5},     // 10 / 2
		"one night":     {nightsTo(-50, step), 2},      // 3.5 and 7
		"one gain":      {nightsTo(50, began), 3},      // 3.5, 7 and 10.5
		"below k":       {nightsTo(-0.24, creep), 0},
	} {
		if math.Abs(float64(got[0]-got[1])) > 0.01*float64(got[1]) {
			t.Errorf("%s: %d nights, want %d", name, got[0], got[1])
		}
	}
	once := steady().Next(-50, 0, 1, true)
	if math.Abs(once.Step-3.5) > 1e-9 || math.Abs(once.Creep-3.75) > 1e-9 || math.Abs(once.Held.Mean+4) > 1e-6 {
		t.Errorf("a night far out: %+v", once)
	}
}

// A workload is suspected from a sum of 3, and a host without noise has a scatter of half the margin.
func TestLimitsOfTheChart(t *testing.T) {
	for _, test := range []struct {
		chart Chart
		want  bool
	}{{Chart{Step: 2.99}, false}, {Chart{Step: 3}, true}, {Chart{Creep: 2.99}, false}, {Chart{Creep: 3}, true}} {
		if test.chart.suspected() != test.want {
			t.Errorf("%+v: suspected is %v", test.chart, test.chart.suspected())
		}
	}
	held := steady()
	held.Gain = 3.4
	if held = held.Next(0.6, 0, 1, true); held.Held.N != 1 || held.Gain < 3 {
		t.Errorf("a sum of gains of 3 holds nothing back: %+v", held)
	}
	quiet := steady()
	quiet.Reference.Squares = 0
	if got := quiet.deviation(0, 2); got != 1 {
		t.Errorf("the scatter of a quiet host is %g at a margin of 2, want 1", got)
	}
	for n := range 20 {
		chart := Chart{Reference: Points{Sample: stats.Sample{N: n, DF: n - 1}}}
		if chart.Started() != (n >= 12) {
			t.Errorf("%d points: started is %v", n, chart.Started())
		}
	}
}

// A regression by comparison lies beyond the margin and 3.5 deviations of pairs, processes and two builds, and both
// sets of rounds show it at 2.5 %.
func TestLimitsOfAComparison(t *testing.T) {
	host := Host{Build: 0.5} // two builds add 1
	for _, test := range []struct {
		better, first, again float64
		beyond, confirmed    bool
	}{
		{-3.51 * 2, -3, -3, true, true}, // within 3: 2 in all
		{-3.49 * 2, -3, -3, false, false},
		{-7.5, -1.97, -3, true, true},
		{-7.5, -1.95, -3, true, false},
		{-7.5, -3, -1.97, true, true},
		{-7.5, -3, -1.95, true, false},
	} {
		figure := figure{better: test.better, within: 3, first: sum{test.first, 1, 2}, again: sum{test.again, 1, 2}}
		if beyond, confirmed := figure.beyond(&host, 1), figure.confirmed(&host, 1); beyond != test.beyond ||
			confirmed != test.confirmed {
			t.Errorf("%+v: beyond %v, confirmed %v", test, beyond, confirmed)
		}
	}
	for _, better := range []float64{-0.99, -1} {
		if figure := (figure{better: better}); figure.beyond(&Host{}, 1) != (better <= -1) {
			t.Errorf("%g on a host without noise: beyond is %v", better, figure.beyond(&Host{}, 1))
		}
	}
}

// An unmeasured variance counts as half the margin, with the weight of four nights. Only the newest 120 records
// describe the host.
func TestUnknownVariances(t *testing.T) {
	host := hostOf(nil, "w", &Chart{}, 2)
	if host.Build != 1 || host.Process != 1 || host.Pair != 0 {
		t.Errorf("nothing measured: %+v", host)
	}
	if got := shrunk(12, 8, 0.25); math.Abs(got-13.0/12) > 1e-12 {
		t.Errorf("12 in 8 degrees of freedom: %g", got)
	}
	if got := shrunk(-5, 6, 0.25); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("less than nothing: %g", got)
	}
	var history History
	for n := range 121 {
		record := empty("2026-01-01", "w", Compared)
		record.Scatter = &Scatter{Pair: 4, PairDF: 10, Round: 4, RoundDF: 1, Pairs: 2}
		if n == 0 {
			record.Scatter.Pair, record.Scatter.Round = 1e6, 1e9
		}
		history = append(history, record)
	}
	host = hostOf(history, "w", &Chart{}, 1)
	if host.Pair != 4 || host.DF != 1200 || math.Abs(host.Process-(4*0.25+120*2)/124) > 1e-9 {
		t.Errorf("120 newer records: %+v", host)
	}
	history[1].Scatter.Pair = 1000
	if host := hostOf(history, "w", &Chart{}, 1); host.Pair < 10 {
		t.Errorf("the oldest of 120 records does not count: %+v", host)
	}
}

// The printed rate of false alarms is that of a year. It follows from the chart's run lengths, 1,540 and 3,450 nights,
// times 1.9.
func TestRateOfFalseAlarms(t *testing.T) {
	plan := Plan{Workloads: []WorkloadPlan{{Margin: 1, Rounds: 1, Pairs: 14, Host: Host{Build: 100}}}}
	pairwise := 365 * math.Erfc(3.5/math.Sqrt2) / 2
	want := 365*1.9*(1/1540.0+1/3450.0) + pairwise
	if got := FalseAlarms(plan); math.Abs(got-want) > 0.01*want {
		t.Errorf("%.4f a year, want %.4f", got, want)
	}
	plan.Baseline = "v1"
	if got := FalseAlarms(plan); math.Abs(got-want-pairwise) > 0.01*want {
		t.Errorf("with a baseline %.4f a year, want %.4f", got, want+pairwise)
	}
}

// An alarm ends at a likelihood ratio of at least 1,000.
func TestEvidenceThatEndsAnAlarm(t *testing.T) {
	plan := Plan{Workloads: []WorkloadPlan{{Name: "w", Margin: 1}}}
	nights := 0
	history := History{{Workload: "w", Kind: Compared, Base: "g", Head: sha(0), Alarm: "n compared", Better: -9,
		Within: 0.25}}
	for ended := false; !ended && nights < 20; {
		nights++
		record := empty("2026-03-01", "w", Compared)
		record.Base, record.Head, record.Within, record.Better = "g", sha(nights), 0.25, 0 // 2 a night
		step := step{before: history, night: &plan, plan: &plan.Workloads[0], records: []*Record{&record}}
		step.take()
		ended = record.Ended != ""
		history = append(history, record)
	}
	if nights != 4 { // 6 are too few, 8 enough; log 1000 is 6.9
		t.Errorf("it ends after %d nights of evidence 2", nights)
	}
}

// A night's plan has more rounds if they are cheap: opening a round takes as long as six pairs.
func TestRoundsAndPairs(t *testing.T) {
	for _, test := range []struct {
		pair, process       float64
		first, share        int
		wantRounds, wantPer int
	}{
		{9, 0.25, 1, 500, 4, 24}, // 6 rounds of 14 pairs cost less where a round costs 5
		{1, 0.5, 1, 500, 4, 14},
		{1, 0, 4, 500, 4, 14},
		{1, 2, 1, 500, 8, 62}, // the most rounds
		{25, 0, 1, 100, 1, 100},
	} {
		var one WorkloadPlan
		one.plan(Host{Pair: test.pair, Process: test.process}, 0.16, test.first, 14, test.share)
		if one.Rounds != test.wantRounds || one.Pairs != test.wantPer {
			t.Errorf("%+v: %d rounds of %d pairs", test, one.Rounds, one.Pairs)
		}
	}
}

// Without settings a night takes 14 pairs a round and 1,000 in all, and raises an alarm after ten inconclusive nights.
func TestDefaultsOfANight(t *testing.T) {
	plan := Prepare(nil, Settings{Workloads: []string{"w"}, Head: sha(0)})
	if one := plan.Workloads[0]; plan.Budget != 1000 || plan.Unsettled != 10 || plan.Alpha != 0.05 || one.Pairs != 14 ||
		one.Rounds != 4 || one.Margin != 1 {
		t.Errorf("%+v", plan)
	}
	small := Prepare(nil, Settings{Workloads: []string{"w"}, Head: sha(0), Budget: 60})
	if one := small.Workloads[0]; one.Rounds != 2 { // half of 60 is kept for measuring again
		t.Errorf("%+v", one)
	}
}

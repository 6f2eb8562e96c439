package nightly

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
)

// learnt is a chart after enough healthy points of that scatter.
func learnt(t *testing.T, scatter float64) Chart {
	t.Helper()
	chart := Chart{Anchor: "a", Metric: "m"}
	for i := range 40 {
		chart = chart.Next(scatter*float64(1-i%2*2), scatter*scatter/2, 1, true)
	}
	if !chart.Started() || chart.suspected() || chart.Held.N != 0 || chart.Reference.N != 40 {
		t.Fatalf("%+v", chart)
	}
	return chart
}

// The reference does not learn from suspected points. It learns them once the suspicion has passed.
func TestReferenceIsFrozenWhileSuspected(t *testing.T) {
	chart := learnt(t, 0.6)
	level := chart.Reference.Mean
	for range 2 {
		chart = chart.Next(-1.8, 0.18, 1, true)
	}
	if !chart.suspected() || chart.Signals() || chart.Reference.Mean != level || chart.Held.N < 1 {
		t.Fatalf("suspected: %+v", chart)
	}
	frozen := chart.Reference.N
	held := chart.Held.N
	for range 30 {
		if chart = chart.Next(level+0.3, 0.18, 1, true); !chart.suspected() {
			break
		}
		held++
	}
	if chart.suspected() || chart.Held.N != 0 || chart.Reference.N != frozen+held+1 || chart.Reference.Mean >= level {
		t.Errorf("after it has passed: %+v, of %d + %d + 1 points", chart, frozen, held)
	}
}

// One bad night does not signal, and does not widen the reference for months.
func TestOneBadNight(t *testing.T) {
	chart := learnt(t, 0.6)
	before := chart.deviation(0.18, 1)
	chart = chart.Next(-50, 0.18, 1, true)
	if chart.Signals() || !chart.suspected() || chart.Score > -10 {
		t.Errorf("%+v", chart)
	}
	for range 30 {
		chart = chart.Next(0, 0.18, 1, true)
	}
	if after := chart.deviation(0.18, 1); chart.suspected() || after > 1.2*before {
		t.Errorf("the scatter goes from %.2f to %.2f", before, after)
	}
}

// A host without noise raises no alarm for a fifth of the margin, and soon raises one for the whole margin.
func TestQuietHost(t *testing.T) {
	chart := learnt(t, 0.01)
	for range 200 {
		if chart = chart.Next(-0.1, 0.0001, 1, true); chart.Signals() {
			t.Fatal("0.1 % signals")
		}
	}
	nights := 0
	for ; !chart.Signals(); nights++ {
		chart = chart.Next(-1.1, 0.0001, 1, true)
	}
	if nights > 4 {
		t.Errorf("the margin signals after %d nights", nights)
	}
}

// If head becomes faster, the level restarts there: losing the gain is a regression.
func TestImprovementIsTheNewLevel(t *testing.T) {
	chart, random := learnt(t, 0.6), rand.New(rand.NewPCG(4, 2))
	scatter := chart.Reference.Variance()
	for range 12 {
		chart = chart.Next(4+0.6*random.NormFloat64(), 0.18, 1, true)
	}
	if chart.Signals() || math.Abs(chart.Reference.Mean-4) > 0.6 || chart.Reference.Variance() > 2*scatter {
		t.Fatalf("after an improvement: %+v", chart)
	}
	nights := 0
	for ; !chart.Signals() && nights < 10; nights++ {
		chart = chart.Next(0.6*random.NormFloat64(), 0.18, 1, true)
	}
	if nights > 3 {
		t.Errorf("losing it again signals after %d nights", nights)
	}
}

// Several nights of one commit are one point, so that the effects of one build do not add up.
func TestOneCommitIsOnePoint(t *testing.T) {
	one := newSeries(newHost(1, 0.5, 0.5, 13), false)
	for range 20 {
		one.night(0)
	}
	head := sha(one.nights)
	one.host.slower[head] = 0.9 // a slow build
	before := one.history.chart("w")
	for n := range 30 {
		plan := Prepare(one.history, Settings{Workloads: []string{"w"}, Night: night(one.nights + n), Head: head})
		records, _ := Conclude(one.history, MeasureNight(context.Background(), plan, one.host.compare), "")
		one.history = append(one.history, records...)
	}
	after := one.history.chart("w")
	points := after.Reference.N + after.Held.N - before.Reference.N - before.Held.N
	if one.history.regressed("w") || points > 1 || after.Step > 3 {
		t.Errorf("30 nights of one commit: %+v", after)
	}
}

// The rates of false alarms that a night prints are computed from the host's variances.
func TestHostIsMeasured(t *testing.T) {
	for _, want := range []struct{ pair, build, process float64 }{
		{1, 0, 0}, {3, 0.5, 0}, {3, 0, 0.5}, {5, 0.5, 0.5}, {2, 0.8, 0.8},
	} {
		one := newSeries(newHost(want.pair, want.build, want.process, 5), false)
		for range 150 {
			one.night(0)
		}
		host := one.last.Workloads[0].Host
		got := [3]float64{math.Sqrt(host.Pair), math.Sqrt(host.Build), math.Sqrt(host.Process)}
		// A round has two processes. If they do not scatter, the chart needs few rounds to find out.
		expected := [3]float64{want.pair, want.build, want.process * math.Sqrt2}
		for i, tolerance := range [3]float64{0.05 * want.pair, 0.17, 0.4} {
			if math.Abs(got[i]-expected[i]) > tolerance {
				t.Errorf("%+v: measured %.2f, %.2f of a build and %.2f of processes", want, got[0], got[1], got[2])
				break
			}
		}
		if printed := FalseAlarms(one.last); !(printed >= 0 && printed < 1) {
			t.Errorf("%+v: %.2f false alarms a year", want, printed)
		}
	}
	of := func(host Host) float64 {
		return FalseAlarms(Plan{Workloads: []WorkloadPlan{{Margin: 1, Rounds: 1, Pairs: 14, Host: host}}})
	}
	if a, b := of(Host{Pair: 0.01}), of(Host{Pair: 1, Build: 0.5}); a > 0.01 || b < 0.5 {
		t.Errorf("%g false alarms on a quiet host, %g on one whose builds scatter", a, b)
	}
}

// An unusually noisy night is treated as noisy.
func TestNoisyNight(t *testing.T) {
	host := Host{Pair: 1, DF: 1000}
	if noisy := host.with(&Scatter{Pair: 100, PairDF: 13}); noisy.Pair != 100 || noisy.DF != 13 {
		t.Errorf("%+v", noisy)
	}
	if quiet := host.with(&Scatter{Pair: 0.01, PairDF: 13}); quiet != host {
		t.Errorf("%+v", quiet)
	}
	if first := (Host{}).with(&Scatter{Pair: 4, PairDF: 13}, nil); first.Pair != 4 {
		t.Errorf("%+v", first)
	}
}

// When the night's time is over, the finished rounds count and the report says what is missing. Without a round the
// night failed.
func TestTimeIsOver(t *testing.T) {
	host := newHost(1, 0, 0, 1)
	host.commit(sha(0), 0)
	host.commit(sha(1), 0)
	plan := Plan{Head: sha(1), Alpha: 0.05, Budget: 1000}
	for _, name := range []string{"w", "v"} {
		plan.Workloads = append(plan.Workloads, WorkloadPlan{
			Name:   name,
			Good:   sha(0),
			Anchor: sha(0),
			Margin: 1,
			Rounds: 4,
			Pairs:  14,
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	result := MeasureNight(ctx, plan, func(ctx context.Context, request Request) (*report.Report, error) {
		if calls++; calls == 3 {
			cancel()
			return nil, errors.New("the third round is cut short")
		}
		return host.compare(ctx, request)
	})
	first, second := result.Measured[0], result.Measured[1]
	if len(first.Rounds) != 2 || first.Error != "" || first.Cut == "" {
		t.Errorf("%+v", first)
	}
	if len(second.Rounds) != 0 || !strings.Contains(second.Error, "time ran out") {
		t.Fatalf("%+v", second)
	}
	records, conclusions := Conclude(nil, result, "")
	if records[0].Kind != Compared || records[0].Rounds != 2 || records[0].Reason == "" || records[1].Kind != Failed {
		t.Errorf("%+v", records)
	}
	if last := conclusions[len(conclusions)-1]; last.Workload != "v" || last.Issue != open {
		t.Errorf("%+v", last)
	}
	broken := func(context.Context, Request) (*report.Report, error) { return nil, errors.New("broken") }
	failed := MeasureNight(context.Background(), plan, broken)
	if one := failed.Measured[0]; one.Error != "broken" || one.Cut != "" {
		t.Errorf("%+v", one)
	}
}

// A regression found by comparison while the chart is starting is not part of its reference.
func TestReferenceLearnsFromNoAlarm(t *testing.T) {
	one := newSeries(newHost(0.5, 0, 0, 8), false)
	for range 6 {
		one.night(0)
	}
	before := one.history.chart("w")
	for n := range 3 {
		if open := one.night(6); !open {
			t.Fatalf("night %d: 6 %% slower and no alarm", n)
		}
	}
	if after := one.history.chart("w"); after.Started() || after.Reference != before.Reference {
		t.Errorf("%+v becomes %+v", before.Reference, after.Reference)
	}
}

// One commit with a fast build does not end an alarm of any kind.
func TestOneLuckyBuildEndsNoAlarm(t *testing.T) {
	for _, baseline := range []bool{false, true} {
		one := newSeries(newHost(1, 0.5, 0, 21), baseline)
		for range 28 {
			one.night(0)
		}
		for n := range 6 {
			if open := one.night(4); n == 5 && !open {
				t.Fatal("4 % slower and no alarm")
			}
		}
		if baseline { // whichever comparison came first
			for i := range one.history {
				one.history[i].Alarm = strings.Replace(one.history[i].Alarm, string(Compared), string(Baseline), 1)
			}
		}
		head := sha(one.nights)
		one.host.slower[head] = 0
		plan := Prepare(one.history, Settings{
			Workloads: []string{"w"},
			Night:     night(one.nights),
			Head:      head,
			Baseline:  one.baseline,
		})
		records, conclusions := Conclude(one.history, MeasureNight(context.Background(), plan, one.host.compare), "")
		if records[0].Alarm == "" || conclusions[0].Issue != open || records[0].Good == head {
			t.Errorf("with a baseline %v: %+v, %+v", baseline, conclusions[0].Issue, records[0])
		}
		one.nights++
		one.history = append(one.history, records...)
		nights := 1
		for ; one.night(0); nights++ {
		}
		if nights > 10 {
			t.Errorf("with a baseline %v: the alarm ends %d nights after the repair", baseline, nights)
		}
	}
}

// An alarm was accepted during the night: comparisons with the earlier revision change nothing and raise no alarm.
func TestAcceptedMeanwhile(t *testing.T) {
	for _, baseline := range []bool{false, true} {
		one := newSeries(newHost(0.5, 0, 0, 3), baseline)
		for range 20 {
			one.night(0)
		}
		head := sha(one.nights)
		one.host.slower[head] = 6
		plan := Prepare(one.history, Settings{
			Workloads: []string{"w"},
			Night:     night(one.nights),
			Head:      head,
			Baseline:  one.baseline,
		})
		result := MeasureNight(context.Background(), plan, one.host.compare)
		if records, _ := Conclude(one.history, result, ""); !records[0].Confirmed || records[0].Alarm == "" {
			t.Fatalf("%+v", records[0])
		}
		accepted := append(one.history, one.history.Accept("w", head, "wanted", one.baseline, night(one.nights)))
		records, conclusions := Conclude(accepted, result, "")
		if records[0].Alarm != "" || records[0].Good != head || conclusions[0].Issue == open {
			t.Errorf("%+v, %+v", records[0], conclusions[0])
		}
		one.host.slower[head] = 0
		other := sha(3)
		accepted = append(one.history, one.history.Accept("w", other, "wanted", one.baseline, night(one.nights)))
		records, _ = Conclude(accepted, MeasureNight(context.Background(), plan, one.host.compare), "")
		if !records[0].NonInferior || records[0].Good != other {
			t.Errorf("shown against the earlier revision, good is %s: %+v", records[0].Good, records[0])
		}
	}
}

package harness_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// A head that reports 4.5 ms less than its 60 ms is judged by the harness's clock: nothing is won, and the report says
// so. By its own clock it would be 8 % faster.
func TestALyingClock(t *testing.T) {
	defer floor.OnAnyHost()()
	floor.Deferred = 0.003 // what is asked here is about clocks, on a busy host
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("base", "seconds=0.06 noise=0.005")
		w.commit("head", "seconds=0.06 noise=0.005 understate=0.925")
		r := w.compare(w.options("base..head"), harness.ExitOK, harness.ExitRegression)
		load := r.Workloads[0]
		if load.Metric.Name != "wall_seconds" || load.Verdict() == stats.Improvement || !load.Clock.Disagrees() ||
			load.Clock.HeadApart < 0.07 || math.Abs(load.Clock.Allowed-0.002) > 1e-12 ||
			load.PlannedMetric() != "prove_seconds" {
			t.Errorf("%s: %s by %s, %+v", mode, load.Verdict(), load.Metric.Name, load.Clock)
		}
		for _, p := range load.Pairs {
			if p.A != load.Samples[p.Base].Metrics["wall_seconds"] || p.B != load.Samples[p.Head].Metrics["wall_seconds"] {
				t.Errorf("%s: pair %d is not by the harness's clock", mode, p.Number)
			}
		}
		own := slices.IndexFunc(load.Secondary, func(s harness.Secondary) bool { return s.Metric == "prove_seconds" })
		if own < 0 || !(load.Secondary[own].Stats.EffectPercent > 5) {
			t.Errorf("%s: what head says of its time is not shown: %+v", mode, load.Secondary)
		}
	}
}

// On a host whose noise is allowed for, honest provers keep their own clock.
func TestAnHonestClock(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("base", "seconds=0.01 noise=0.005")
		load := w.compare(w.options("base..base"), harness.ExitOK, harness.ExitRegression).Workloads[0]
		if load.Metric.Name != "prove_seconds" || load.Clock.Disagrees() || load.Clock.BaseApart <= 0 {
			t.Errorf("%s: by %s, %+v", mode, load.Metric.Name, load.Clock)
		}
	}
}

// times makes proofs whose prover reports own seconds of each second of wall time.
func times(own func() float64) harness.Samples {
	var list harness.Samples
	for range 14 {
		list = append(list, harness.Sample{Metrics: map[string]float64{"prove_seconds": own(), "wall_seconds": 1}})
	}
	return list
}

// The prover's clock decides where it agrees in every proof of both arms to within a fifth of the margin, whichever way
// it is off and however few proofs it is off in.
func TestClocksThatAgree(t *testing.T) {
	const margin = 0.01
	source := rand.New(rand.NewPCG(1, 2))
	honest := func() float64 { return 1 - 0.0015*source.Float64() }
	once := 0
	for name, c := range map[string]struct {
		head func() float64
		used string
	}{
		"honest":                         {honest, "prove_seconds"},
		"a fifth of the margin":          {func() float64 { return 0.9981 }, "prove_seconds"},
		"a little more":                  {func() float64 { return 0.9979 }, "wall_seconds"},
		"too much instead of too little": {func() float64 { return 1.0021 }, "wall_seconds"},
		"in one proof only": {func() float64 {
			if once++; once == 5 {
				return 0.8
			}
			return honest()
		}, "wall_seconds"},
	} {
		base, head := times(honest), times(c.head)
		if got := harness.ClockOf(margin, base, head); got == nil || got.Used != c.used {
			t.Errorf("%s: %+v, want %s", name, got, c.used)
		}
		if got := harness.ClockOf(margin, head, base); got == nil || got.Used != c.used {
			t.Errorf("base, %s: %+v, want %s", name, got, c.used)
		}
	}
	short := times(honest)
	delete(short[3].Metrics, "wall_seconds")
	if got := harness.ClockOf(margin, short, times(honest)); got != nil {
		t.Errorf("a proof has no wall time, and the clocks are said to be %+v", got)
	}
}

// A report that is handed on is judged again by the clock that its samples demand.
func TestJudgedByTheWrongClock(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.01 noise=0.005")
	w.commit("head", "seconds=0.02 noise=0.005 understate=0.5")
	r := w.compare(w.options("base..head"), harness.ExitOK, harness.ExitRegression)
	load := r.Workloads[0]
	if load.Metric.Name != "prove_seconds" {
		t.Fatalf("judged by %s: %+v", load.Metric.Name, load.Clock)
	}
	defer floor.OnAnyHost()()
	file, err := config.Load(filepath.Join(w.dir, "bench.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Judge(file, r.Plan, 1, &load); err == nil ||
		!strings.Contains(err.Error(), "judged by prove_seconds, and by its samples wall_seconds decides") {
		t.Errorf("%v", err)
	}
	load = r.Workloads[0]
	load.Metric.Name = "proof_bytes"
	if err := harness.Judge(file, r.Plan, 1, &load); err == nil || !strings.Contains(err.Error(), `by "proof_bytes"`) {
		t.Errorf("%v", err)
	}
}

package measure_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A head that reports 4.5 ms less than its 60 ms is judged by the harness's clock, and the report says so. By its own
// clock it would be 8 % faster. By the harness's clock it is as fast as base, but on a busy host a pair scatters by
// several percent, so the verdict may be wrong by chance.
func TestALyingClock(t *testing.T) {
	longtest.Only(t)
	defer floor.OnAnyHost()()
	floor.Deferred = 0.003 // this test is about clocks, not about a busy host
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("base", "seconds=0.06 noise=0.005")
		w.commit("head", "seconds=0.06 noise=0.005 understate=0.925")
		r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
		load := r.Workloads[0]
		if load.Metric.Name != "wall_seconds" || load.Stats.EffectPercent > 4 || !load.Clock.Disagrees() ||
			load.Clock.HeadApart < 0.07 || math.Abs(load.Clock.Allowed-0.002) > 1e-12 ||
			load.PlannedMetric() != "prove_seconds" {
			t.Errorf("%s: %s by %s, %+v", mode, load.Verdict(), load.Metric.Name, load.Clock)
		}
		for _, p := range load.Pairs {
			if p.A != load.Samples[p.Base].Metrics["wall_seconds"] || p.B != load.Samples[p.Head].Metrics["wall_seconds"] {
				t.Errorf("%s: pair %d is not by the harness's clock", mode, p.Number)
			}
		}
		own := slices.IndexFunc(load.Secondary, func(s report.Secondary) bool { return s.Metric == "prove_seconds" })
		if own < 0 || !(load.Secondary[own].Stats.EffectPercent > 5) {
			t.Errorf("%s: what head says of its time is not shown: %+v", mode, load.Secondary)
		}
	}
}

// On a noisy host, honest provers keep their own clock.
func TestAnHonestClock(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("base", "seconds=0.01 noise=0.005")
		load := w.compare(w.options("base..base"), failure.ExitOK, failure.ExitRegression).Workloads[0]
		if load.Metric.Name != "prove_seconds" || load.Clock.Disagrees() || load.Clock.BaseApart <= 0 {
			t.Errorf("%s: by %s, %+v", mode, load.Metric.Name, load.Clock)
		}
	}
}

// A received report is judged again by the clock that its samples require.
func TestJudgedByTheWrongClock(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.01 noise=0.005")
	w.commit("head", "seconds=0.02 noise=0.005 understate=0.5")
	r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
	load := r.Workloads[0]
	if load.Metric.Name != "prove_seconds" {
		t.Fatalf("judged by %s: %+v", load.Metric.Name, load.Clock)
	}
	defer floor.OnAnyHost()()
	file, err := config.Load(filepath.Join(w.dir, "bench.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Judge(file, r.Plan, 1, &load); err == nil ||
		!strings.Contains(err.Error(), "judged by prove_seconds, and by its samples wall_seconds decides") {
		t.Errorf("%v", err)
	}
	load = r.Workloads[0]
	load.Metric.Name = "proof_bytes"
	if err := report.Judge(file, r.Plan, 1, &load); err == nil || !strings.Contains(err.Error(), `by "proof_bytes"`) {
		t.Errorf("%v", err)
	}
}

package measure_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A proof's own time above its wall time is impossible, for either arm and any number of proofs.
func TestImpossibleTimes(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("good", quick)
		at := " at=5"
		if mode == "process" {
			at = "" // each process counts from 1
		}
		w.commit("bad", quick+"fault=overstate"+at)
		for spec, arm := range map[string]schedule.Arm{"good..bad": schedule.Head, "bad..good": schedule.Base} {
			r := w.compare(w.options(spec), failure.ExitFailed)
			if f := r.Failure; f.Step != failure.StepTimes || f.Arm != arm ||
				!strings.Contains(f.Cause, "it says that the proof took prove_seconds = 3600, and the whole request took 0.") {
				t.Errorf("%s, %s: %+v", mode, spec, f)
			}
		}
	}
}

// A session that works while the other one proves slows it. The run ends and names the session. With `idle: stop` the
// session cannot work.
func TestAWaitingSessionThatWorks(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, worldConfig)
	w.commit("still", "seconds=0.1 noise=0.01")
	w.commit("busy", "seconds=0.1 noise=0.01 spin=2")
	for spec, arm := range map[string]schedule.Arm{"still..busy": schedule.Head, "busy..still": schedule.Base} {
		r := w.compare(w.options(spec), failure.ExitFailed)
		load := r.Workloads[0]
		if f := r.Failure; f.Step != failure.StepIdle || f.Arm != arm ||
			!strings.Contains(f.Cause, "the waiting session of "+string(arm)+" took") || load.Stats != nil {
			t.Errorf("%s: %+v", spec, f)
		}
		took, other := load.BaseIdle, load.HeadIdle
		if arm == schedule.Head {
			took, other = other, took
		}
		if took == nil || other == nil || took.CPUSeconds < 5*other.CPUSeconds {
			t.Errorf("%s: base %+v, head %+v", spec, load.BaseIdle, load.HeadIdle)
		}
	}
	stopped := newWorld(t, withKey(worldConfig, "idle: stop"))
	stopped.commit("still", "seconds=0.1 noise=0.01")
	stopped.commit("busy", "seconds=0.1 noise=0.01 spin=2")
	r, err := harness.Compare(t.Context(), stopped.options("still..busy"))
	if r == nil || len(r.Workloads) == 0 || r.Workloads[0].HeadIdle == nil || r.Workloads[0].HeadIdle.CPUSeconds > 0.05 {
		t.Errorf("stopped, it took %+v: %v", r.Workloads[0].HeadIdle, err)
	}
}

// A prover cannot report metrics that the harness measures itself, neither to gain nor to hide its work between two
// proofs.
func TestClaimedMetrics(t *testing.T) {
	for _, config := range []string{worldConfig, inProcesses(worldConfig)} {
		w := newWorld(t, strings.Replace(config, "report: [proof_bytes", "report: [cpu_seconds, energy_joules, proof_bytes",
			1))
		w.commit("base", "seconds=0.01 noise=0.01")
		w.commit("head", "seconds=0.01 noise=0.01 fault=claims")
		r, err := harness.Compare(t.Context(), w.options("base..head"))
		if err != nil || len(r.Workloads) != 1 {
			t.Fatal(err)
		}
		load := r.Workloads[0]
		warned := 0
		for _, warning := range load.Warnings {
			if warning.Kind == "metrics" &&
				strings.Contains(warning.Text,
					"head reports cpu_seconds, energy_joules, instructions, max_rss_bytes, proof_bytes, wall_seconds, which") {
				warned++
			}
		}
		if warned != 1 {
			t.Errorf("%d warnings: %+v", warned, load.Warnings)
		}
		for _, s := range load.Samples {
			// The scripted observer reports 2 joules.
			if m := s.Metrics; m["cpu_seconds"] > 100 || m["energy_joules"] != 2 || m["max_rss_bytes"] == 1 ||
				m["wall_seconds"] < m["prove_seconds"] || m["proof_bytes"] == 1 {
				t.Fatalf("%s: %v", s.Arm, m)
			}
		}
	}
}

package harness_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/environment"
)

// A time above the wall time cannot be, whoever says it and however often.
func TestImpossibleTimes(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.commit("good", quick)
		at := " at=5"
		if mode == "process" {
			at = "" // each process counts from 1
		}
		w.commit("bad", quick+"fault=overstate"+at)
		for spec, arm := range map[string]harness.Arm{"good..bad": harness.Head, "bad..good": harness.Base} {
			r := w.compare(w.options(spec), harness.ExitFailed)
			if f := r.Failure; f.Step != harness.StepTimes || f.Arm != arm ||
				!strings.Contains(f.Cause, "it says that the proof took prove_seconds = 3600, and the whole request took 0.") {
				t.Errorf("%s, %s: %+v", mode, spec, f)
			}
		}
	}
}

// A session that works while the other one proves slows it: the run ends and names it, and with `idle: stop` it cannot.
func TestAWaitingSessionThatWorks(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("still", "seconds=0.1 noise=0.01")
	w.commit("busy", "seconds=0.1 noise=0.01 spin=2")
	for spec, arm := range map[string]harness.Arm{"still..busy": harness.Head, "busy..still": harness.Base} {
		r := w.compare(w.options(spec), harness.ExitFailed)
		load := r.Workloads[0]
		if f := r.Failure; f.Step != harness.StepIdle || f.Arm != arm ||
			!strings.Contains(f.Cause, "the waiting session of "+string(arm)+" took") || load.Stats != nil {
			t.Errorf("%s: %+v", spec, f)
		}
		took, other := load.BaseIdle, load.HeadIdle
		if arm == harness.Head {
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

// What a session may take while it is not asked to prove.
func TestRestless(t *testing.T) {
	share := func(x float64) *float64 { return &x }
	limits := environment.DefaultThresholds()
	run := func(idle harness.Idle, proving, waited float64) harness.Samples {
		var samples harness.Samples
		for range 10 {
			samples = append(samples, harness.Sample{
				Arm:     harness.Base,
				Idle:    &idle,
				Metrics: map[string]float64{"cpu_seconds": 1},
			},
				harness.Sample{Arm: harness.Head, Metrics: map[string]float64{"cpu_seconds": proving}, WaitedCPUSeconds: waited})
		}
		return samples
	}
	for _, c := range []struct {
		name            string
		idle            harness.Idle
		proving, waited float64
		want            string
	}{
		{"still", harness.Idle{Seconds: 1}, 1, 0, ""},
		{"housekeeping", harness.Idle{Seconds: 1, CPUSeconds: 0.04, IOBytes: 1 << 19, GPUShare: share(0.04)}, 1, 0.2, ""},
		{"CPU", harness.Idle{Seconds: 1, CPUSeconds: 0.07}, 1, 0,
			"took 0.70 s of CPU time in 10.00 s (more than 5 % of a CPU)"},
		{"GPU", harness.Idle{Seconds: 1, GPUShare: share(0.06)}, 1, 0, "took 6 % of a GPU (more than 5 %)"},
		{"I/O", harness.Idle{Seconds: 1, IOBytes: 3 << 20}, 1, 0, "read and wrote 30 MiB in 10.00 s"},
		{"ticks of short proofs", harness.Idle{Seconds: 0.01, CPUSeconds: 0.008}, 0.01, 0.01, ""},
	} {
		if got := harness.Restless(run(c.idle, c.proving, c.waited), harness.Head, limits); !strings.Contains(got, c.want) ||
			(got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := harness.Restless(run(c.idle, c.proving, c.waited), harness.Base, limits); got != "" {
			t.Errorf("%s: it is base that is named: %s", c.name, got)
		}
	}
}

// What the harness measures itself, no prover can say: neither to win by it, nor to hide what it does between two
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
			// The scripted observer sees 2 joules.
			if m := s.Metrics; m["cpu_seconds"] > 100 || m["energy_joules"] != 2 || m["max_rss_bytes"] == 1 ||
				m["wall_seconds"] < m["prove_seconds"] || m["proof_bytes"] == 1 {
				t.Fatalf("%s: %v", s.Arm, m)
			}
		}
	}
}

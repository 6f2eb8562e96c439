package report_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// The CPU time that a session may take between requests.
func TestRestless(t *testing.T) {
	share := func(x float64) *float64 { return &x }
	limits := environment.DefaultThresholds()
	run := func(idle evidence.Idle, proving, waited float64) evidence.Samples {
		var samples evidence.Samples
		for range 10 {
			samples = append(samples, evidence.Sample{
				Arm:     schedule.Base,
				Idle:    &idle,
				Metrics: map[string]float64{"cpu_seconds": 1},
			},
				evidence.Sample{Arm: schedule.Head, Metrics: map[string]float64{"cpu_seconds": proving}, WaitedCPUSeconds: waited})
		}
		return samples
	}
	for _, c := range []struct {
		name            string
		idle            evidence.Idle
		proving, waited float64
		want            string
	}{
		{"still", evidence.Idle{Seconds: 1}, 1, 0, ""},
		{"housekeeping", evidence.Idle{Seconds: 1, CPUSeconds: 0.04, IOBytes: 1 << 19, GPUShare: share(0.04)}, 1, 0.2, ""},
		{"CPU", evidence.Idle{Seconds: 1, CPUSeconds: 0.07}, 1, 0,
			"took 0.70 s of CPU time in 10.00 s (more than 5 % of a CPU)"},
		{"GPU", evidence.Idle{Seconds: 1, GPUShare: share(0.06)}, 1, 0, "took 6 % of a GPU (more than 5 %)"},
		{"I/O", evidence.Idle{Seconds: 1, IOBytes: 3 << 20}, 1, 0, "read and wrote 30 MiB in 10.00 s"},
		{"ticks of short proofs", evidence.Idle{Seconds: 0.01, CPUSeconds: 0.008}, 0.01, 0.01, ""},
	} {
		if got := report.RestlessIn(run(c.idle, c.proving, c.waited), schedule.Head, limits); !strings.Contains(got,
			c.want) ||
			(got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := report.RestlessIn(run(c.idle, c.proving, c.waited), schedule.Base, limits); got != "" {
			t.Errorf("%s: it is base that is named: %s", c.name, got)
		}
	}
}

package measure_test

import (
	"math"
	"testing"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/measure"
)

// ticking is an observer that counts CPU time as the kernel's ticks do, 10 ms each.
type ticking struct{ scripted }

func (t *ticking) Stop() environment.Observation {
	seen := t.scripted.Stop()
	seen.Readings["cpu_seconds"], seen.Readings["cpu_share"] = 0.77, 0.77
	return seen
}

// CPU time keeps the resolution of getrusage(2) and of the processes' clocks: the observer's ticks do not replace it.
func TestCPUSecondsKeepTheirResolution(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, config)
		w.observe = func() measure.Observer { return &ticking{} }
		w.commit("base", quick)
		r := w.compare(w.options("base..base"), 0, 1)
		for _, s := range r.Workloads[0].Samples {
			cpu, share := s.Metrics["cpu_seconds"], s.Metrics["cpu_share"]
			if cpu <= 0 || cpu == 0.77 || math.Abs(math.Remainder(cpu, 0.01)) < 1e-9 || share == 0.77 {
				t.Errorf("%s: cpu_seconds %v, cpu_share %v", mode, cpu, share)
			}
		}
	}
}

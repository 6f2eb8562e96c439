package report_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// waiting makes pairs of proofs of 100 ms, before which their sessions took some time.
func waiting(pairs int, base, head func(pair int) float64) evidence.Samples {
	var list evidence.Samples
	for pair := range pairs {
		one := evidence.Sample{Kind: evidence.Measured, Arm: schedule.Base, Pair: pair + 1, Attempt: 1, Verified: true,
			Metrics: map[string]float64{"wall_seconds": 0.1}, WaitedCPUSeconds: base(pair)}
		other := one
		other.Arm, other.WaitedCPUSeconds = schedule.Head, head(pair)
		list = append(list, one, other)
	}
	return list
}

// The limit follows from the margin. Time that both arms take equally counts for neither, and noise is no evidence.
func TestEvaded(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	constant := func(x float64) func(int) float64 { return func(int) float64 { return x } }
	freeing := func(int) float64 { return 0.02 + 0.002*source.NormFloat64() }
	for name, c := range map[string]struct {
		base, head func(int) float64
		margin     float64
		found      int // of 200
	}{
		"nothing":                           {constant(0), constant(0), 0.01, 0},
		"both free memory":                  {freeing, freeing, 0.01, 0},
		"within a fifth of the margin":      {constant(0), constant(0.00029), 0.01, 0},
		"beyond a fifth of the margin":      {constant(0), constant(0.00031), 0.01, 200},
		"the same of a larger margin":       {constant(0), constant(0.00031), 0.02, 0},
		"a fifth of the work":               {constant(0), constant(0.02), 0.01, 200},
		"a fifth of the work, over freeing": {freeing, func(i int) float64 { return freeing(i) + 0.02 }, 0.01, 200},
		"two fifths in every other proof": {constant(0),
			func(i int) float64 { return 0.04 * float64(i%2) }, 0.01, 200},
		"widened":  {constant(0), func(int) float64 { return 0.05 * source.Float64() }, 0.01, 200},
		"a hiccup": {constant(0), func(i int) float64 { return 0.05 * float64(max(0, i-12)) }, 0.01, 0},
	} {
		found := 0
		*source = *rand.New(rand.NewPCG(3, 4)) // equal for each arm, in any order
		for range 200 {
			samples := waiting(14, c.base, c.head)
			arm, why := report.EvadedIn(samples, plan.Plan{Equivalence: c.margin, Alpha: 0.05})
			if why == "" {
				continue
			}
			if found++; arm != schedule.Head && c.found > 0 {
				t.Errorf("%s: %s is named: %s", name, arm, why)
			}
			swapped, _ := report.EvadedIn(waiting(14, c.head, c.base), plan.Plan{Equivalence: c.margin, Alpha: 0.05})
			if swapped == schedule.Head {
				t.Errorf("%s: the arms are swapped, and head is named", name)
			}
		}
		if found != c.found {
			t.Errorf("%s: no verdict in %d of 200 runs, want %d", name, found, c.found)
		}
	}
}

// GPU work between requests is limited like CPU time, within the resolution of the driver's samples.
func TestEvadedOnGPUs(t *testing.T) {
	run := func(base, head environment.GPUWork, unseen string) (schedule.Arm, string, *report.Deferred) {
		samples := waiting(100, func(int) float64 { return 0 }, func(int) float64 { return 0 })
		for i := range samples {
			work := base
			if samples[i].Arm == schedule.Head {
				work = head
			}
			if samples[i].GPUWork = &work; unseen != "" {
				samples[i].GPUWork, samples[i].GPUUnseen = nil, unseen
			}
		}
		arm, why := report.EvadedIn(samples, plan.Plan{Equivalence: 0.01, Alpha: 0.05})
		return arm, why, report.DeferredIn(samples, 0.01)
	}
	honest := environment.GPUWork{Busy: 0.095}
	for name, c := range map[string]struct {
		base, head environment.GPUWork
		arm        schedule.Arm
		share      float64
	}{
		"honest":                               {honest, honest, "", 0},
		"both work there":                      {environment.GPUWork{Busy: 0.12}, environment.GPUWork{Busy: 0.121}, "", 0.01},
		"more than its requests have room for": {honest, environment.GPUWork{Busy: 0.14}, schedule.Head, 0.4},
		"base":                                 {environment.GPUWork{Busy: 0.14}, honest, schedule.Base, -0.4},
		"as far apart as samples err":          {honest, environment.GPUWork{Busy: 0.1276}, "", 0.276},
		"a little further":                     {honest, environment.GPUWork{Busy: 0.1278}, schedule.Head, 0.278},
	} {
		arm, why, d := run(c.base, c.head, "")
		if arm != c.arm || (why == "") != (arm == "") || d.GPUShare == nil || math.Abs(*d.GPUShare-c.share) > 1e-9 {
			t.Errorf("%s: %q %s, %+v", name, arm, why, d)
		}
		if arm != "" && !strings.Contains(why, "ms of GPU time for each proof") {
			t.Errorf("%s: %s", name, why)
		}
	}
	if arm, why, d := run(honest, honest, "an old driver"); arm != "" || d.GPUShare != nil || d.Unseen != "an old driver" {
		t.Errorf("undecidable: %s %s, %+v", arm, why, d)
	}
}

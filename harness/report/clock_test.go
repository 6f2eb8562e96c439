package report_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
)

// times makes proofs whose prover reports own seconds for each second of wall time.
func times(own func() float64) evidence.Samples {
	var list evidence.Samples
	for range 14 {
		list = append(list, evidence.Sample{Metrics: map[string]float64{"prove_seconds": own(), "wall_seconds": 1}})
	}
	return list
}

// The prover's clock decides if it agrees with the wall time in every proof of both arms to within a fifth of the
// margin. The direction of the difference and the number of proofs do not matter.
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
		if got := report.ClockBetween(margin, base, head); got == nil || got.Used != c.used {
			t.Errorf("%s: %+v, want %s", name, got, c.used)
		}
		if got := report.ClockBetween(margin, head, base); got == nil || got.Used != c.used {
			t.Errorf("base, %s: %+v, want %s", name, got, c.used)
		}
	}
	short := times(honest)
	delete(short[3].Metrics, "wall_seconds")
	if got := report.ClockBetween(margin, short, times(honest)); got != nil {
		t.Errorf("a proof has no wall time, and the clocks are reported as %+v", got)
	}
}

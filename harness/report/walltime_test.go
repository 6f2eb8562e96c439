package report_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A request that takes longer than its proof is reported, by arm. Both limits have to be exceeded.
func TestWallTimeWarnings(t *testing.T) {
	sample := func(arm schedule.Arm, own, wall float64) evidence.Sample {
		return evidence.Sample{Arm: arm, Metrics: map[string]float64{"prove_seconds": own, "wall_seconds": wall}}
	}
	got := report.WallWarnings(evidence.Samples{
		sample(schedule.Base, 1, 1.019), sample(schedule.Base, 0.1, 0.1049), sample(schedule.Base, 2, 2.03),
		sample(schedule.Head, 1, 1.021), sample(schedule.Head, 0.1, 0.106), sample(schedule.Head, 1, 1.01),
	})
	want := "wall time: head: the wall time of 2 of 3 requests exceeds prove_seconds by more than 2 % and 5 ms, by 21 " +
		"ms at most"
	if len(got) != 1 || got[0].String() != want {
		t.Errorf("%v, want %s", got, want)
	}
}

package stats

import (
	"math"
	"testing"
)

// The interval is that over processes, not over pairs: 4 pairs of 2 processes with the means 2 and 4 have the mean 3,
// the standard error 1 and, at 95 % and one degree of freedom the quantile 12.7062.
func TestUnitTCountsProcesses(t *testing.T) {
	pairs := []Pair{{Process: 1, A: 1}, {Process: 1, A: 3}, {Process: 2, A: 3}, {Process: 2, A: 5}}
	got, err := UnitT(pairs, ScaleDifference, 0.05)
	if err != nil || got.DF != 1 || math.Abs(got.CI.Low-(3-12.7062)) > 1e-3 || math.Abs(got.CI.High-(3+12.7062)) > 1e-3 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := UnitT([]Pair{{A: 0, B: 1}}, ScaleLog, 0.05); err == nil {
		t.Error("the logarithm of 0 was taken")
	}
}

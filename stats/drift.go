package stats

import "math"

// DriftWindow is how many proofs a look for drift is made over.
const DriftWindow = 4

// Drifting looks at the last DriftWindow values, in the order they were measured: they drift where each is above the
// one before, or each below, and the last differs from the first by more than half the margin, a fraction. change is by
// how much, as a fraction of the first, where they drift. Fewer values, or one that is 0 or no finite number, show no
// drift.
//
// Four values that are equally likely in any order are monotone in 2 of 24, so that a flat prover takes more warm-up
// proofs than it needs after one look in twelve. A prover that drifts by more than its noise is seen at every look. One
// whose drift hides in its noise is not seen: what remains of it is linear over a block, and cancels there.
func Drifting(values []float64, margin float64) (change float64, drifting bool) {
	if len(values) < DriftWindow {
		return 0, false
	}
	last := values[len(values)-DriftWindow:]
	up, down, numbers := true, true, last[0] != 0
	for i, x := range last[1:] {
		up, down = up && x > last[i], down && x < last[i]
		numbers = numbers && x != 0 && !math.IsInf(x/last[i], 0)
	}
	if !numbers || !up && !down { // a NaN is neither above nor below
		return 0, false
	}
	change = last[DriftWindow-1]/last[0] - 1
	return change, math.Abs(change) > margin/2
}

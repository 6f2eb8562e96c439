package stats

import "math"

// DriftWindow is the number of proofs that a drift check covers.
const DriftWindow = 4

// Drifting checks the last DriftWindow values, in measurement order. They drift if they are strictly monotone and the
// last differs from the first by more than half the margin, which is a fraction. change is the relative change from
// first to last. There is no drift with fewer values, or if a value is 0 or not finite.
//
// Four exchangeable values are monotone in 2 of 24 orders, so one check in twelve costs a steady prover unneeded
// warm-up proofs. A prover that drifts by more than its noise is always detected. Drift below the noise is not
// detected; what remains of it is linear over a block, where it cancels.
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

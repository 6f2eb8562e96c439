package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// mean is the arithmetic mean. It is exactly x[0] if all values are equal, so that rounding does not add noise to a
// constant, and it is finite if all values are.
func mean(x []float64) float64 {
	if allEqual(x) {
		return x[0]
	}
	m := stat.Mean(x, nil)
	if !math.IsInf(m, 0) {
		return m
	}
	m = 0 // the sum overflows
	for _, value := range x {
		m += value / float64(len(x))
	}
	return m
}

// allEqual reports whether all values of x are equal.
func allEqual(x []float64) bool {
	for _, value := range x {
		if value != x[0] {
			return false
		}
	}
	return true
}

// smallestFloat returns the smallest float64 from low to high that satisfies holds, which must be monotone and hold at
// high. It bisects over the float64s themselves: that is exact and takes at most 64 steps.
func smallestFloat(low, high float64, holds func(float64) bool) float64 {
	from, to := ordinal(low), ordinal(high)
	for from < to {
		middle := from + int64(uint64(to-from)/2)
		if holds(fromOrdinal(middle)) {
			to = middle
		} else {
			from = middle + 1
		}
	}
	return fromOrdinal(from)
}

// ordinal maps float64s to integers in ascending order, with 0 and -0 equal, so that neighbours differ by one.
func ordinal(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

// fromOrdinal is the inverse of ordinal.
func fromOrdinal(o int64) float64 {
	if o < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - o))
	}
	return math.Float64frombits(uint64(o))
}

package stats

import "math"

// Mean is the arithmetic mean of values. It does not exist if there are none.
func Mean(values []float64) Number {
	if len(values) == 0 {
		return Number(math.NaN())
	}
	return Number(mean(values))
}

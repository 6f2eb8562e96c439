package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Stability says how steady a run was. All are fractions without a unit.
type Stability struct {
	CVA       Number `json:"cv_a"`       // sd of a over its mean
	CVB       Number `json:"cv_b"`       // sd of b over its mean
	Drift     Number `json:"drift"`      // least-squares slope from the first session to the last
	HalfShift Number `json:"half_shift"` // mean of the second half minus that of the first
	Lag1      Number `json:"lag1"`       // autocorrelation at lag one
}

// Steadiness computes Stability. Drift, half shift and autocorrelation are taken over the values in the order they
// were measured, each divided by the mean of its own arm, so that a difference between the arms does not show. A pair
// of unknown order counts as AB. Drift is the fitted slope per session times (sessions - 1).
func Steadiness(pairs []Pair) Stability {
	r := Stability{missing, missing, missing, missing, missing}
	if len(pairs) < 2 {
		return r
	}
	a, b := arms(pairs)
	meanA, meanB := stat.Mean(a, nil), stat.Mean(b, nil)
	if meanA == 0 || meanB == 0 {
		return r
	}
	r.CVA = Number(stat.StdDev(a, nil) / math.Abs(meanA))
	r.CVB = Number(stat.StdDev(b, nil) / math.Abs(meanB))
	sessions := make([]float64, 0, 2*len(pairs))
	for _, p := range pairs {
		if p.Order == OrderBA {
			sessions = append(sessions, p.B/meanB, p.A/meanA)
		} else {
			sessions = append(sessions, p.A/meanA, p.B/meanB)
		}
	}
	n := len(sessions)
	first, second := stat.Mean(sessions[:n/2], nil), stat.Mean(sessions[n/2:], nil)
	r.HalfShift = Number(second - first)

	// Centred places and values: slope = sum xy / sum xx.
	mean := stat.Mean(sessions, nil)
	var xy, xx, yy, lagged float64
	for i, y := range sessions {
		x, y := float64(i)-float64(n-1)/2, y-mean
		xy += x * y
		xx += x * x
		yy += y * y
		if i > 0 {
			lagged += y * (sessions[i-1] - mean)
		}
	}
	r.Drift = Number(xy / xx * float64(n-1))
	if !allEqual(sessions) {
		r.Lag1 = Number(lagged / yy)
	}
	return r
}

// arms returns the values of either side.
func arms(pairs []Pair) (a, b []float64) {
	a, b = make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = p.A, p.B
	}
	return a, b
}

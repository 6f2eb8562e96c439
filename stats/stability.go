package stats

import (
	"gonum.org/v1/gonum/stat"
)

// Stability measures how steady a run was. All fields are fractions.
type Stability struct {
	CVA       Number `json:"cv_a"`       // sd of a over its mean
	CVB       Number `json:"cv_b"`       // sd of b over its mean
	Drift     Number `json:"drift"`      // least-squares slope from the first session to the last
	HalfShift Number `json:"half_shift"` // mean of the second half minus mean of the first half
	Lag1      Number `json:"lag1"`       // autocorrelation at lag one
}

// Steadiness computes Stability. Drift, half shift and autocorrelation use the values in measurement order, each
// divided by its arm's mean, so that a difference between the arms has no influence. A pair of unknown order counts as
// AB. Drift is the fitted slope per session times (sessions - 1).
func Steadiness(pairs []Pair) Stability {
	r := Stability{missing, missing, missing, missing, missing}
	if len(pairs) < 2 {
		return r
	}
	a, b := arms(pairs)
	normalisedA, normalisedB := normalised(a), normalised(b)
	r.CVA, r.CVB = variation(normalisedA), variation(normalisedB)
	if normalisedA == nil || normalisedB == nil {
		return r
	}
	sessions := make([]float64, 0, 2*len(pairs))
	for i, p := range pairs {
		if p.Order == OrderBA {
			sessions = append(sessions, normalisedB[i], normalisedA[i])
		} else {
			sessions = append(sessions, normalisedA[i], normalisedB[i])
		}
	}
	n := len(sessions)
	r.HalfShift = Number(mean(sessions[n/2:]) - mean(sessions[:n/2]))

	// Centred indices and values: slope = sum xy / sum xx.
	centre := mean(sessions)
	var xy, xx, yy, lagged float64
	for i, y := range sessions {
		x, y := float64(i)-float64(n-1)/2, y-centre
		xy += x * y
		xx += x * x
		yy += y * y
		if i > 0 {
			lagged += y * (sessions[i-1] - centre)
		}
	}
	r.Drift = Number(xy / xx * float64(n-1))
	if !allEqual(sessions) {
		r.Lag1 = Number(lagged / yy)
	}
	return r
}

// normalised returns x divided by its mean, or nil if the mean is 0. The results are fractions, so values of any
// magnitude can be squared.
func normalised(x []float64) []float64 {
	m := mean(x)
	if m == 0 {
		return nil
	}
	r := make([]float64, len(x))
	for i, value := range x {
		r[i] = value / m
	}
	return r
}

// variation is the coefficient of variation of normalised values.
func variation(normalised []float64) Number {
	switch {
	case normalised == nil:
		return missing
	case allEqual(normalised):
		return 0
	}
	return Number(stat.StdDev(normalised, nil))
}

// arms returns the values of each arm.
func arms(pairs []Pair) (a, b []float64) {
	a, b = make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = p.A, p.B
	}
	return a, b
}

package stats

import "math"

// TOST is the equivalence test that the mean of d lies within a margin: two one-sided t tests.
type TOST struct {
	Margin     Number `json:"margin"` // in units of d; does not exist if the test is off
	P          Number `json:"p"`      // the larger of the two one-sided p-values
	Equivalent bool   `json:"equivalent"`
}

// noTOST is a test that was not run. The margin may exist nevertheless.
func noTOST(margin Number) TOST { return TOST{Margin: margin, P: missing} }

// Margin converts the fraction m of Options.Equivalence to units of d: ln(1 + m) on the log scale, 100 m on percent,
// and m times the absolute mean of a on difference. It does not exist if that is 0.
func Margin(m float64, scale Scale, meanA float64) Number {
	margin := m * math.Abs(meanA)
	switch scale {
	case ScaleLog:
		margin = math.Log1p(m)
	case ScalePercent:
		margin = 100 * m
	}
	if margin == 0 || math.IsInf(margin, 0) {
		return missing
	}
	return Number(margin)
}

// Equivalence tests mean d <= -margin and mean d >= margin, and finds equivalence if both are rejected at alpha
// (Schuirmann): the 1 - 2 alpha interval then lies inside the margin. If all d are equal, p is 0 inside the margin,
// else 1.
func Equivalence(t TTest, margin Number, alpha float64) TOST {
	r := noTOST(margin)
	switch {
	case !margin.Exists() || !t.SE.Exists():
		return r
	case t.constant():
		r.P = certain(math.Abs(float64(t.Mean)) >= float64(margin))
	default:
		df := float64(t.DF)
		above := studentUpper(float64((t.Mean+margin)/t.SE), df) // against mean <= -margin
		below := studentUpper(float64((margin-t.Mean)/t.SE), df) // against mean >= margin
		r.P = Number(max(above, below))
	}
	r.Equivalent = float64(r.P) <= alpha
	return r
}

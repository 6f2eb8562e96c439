package stats

import "math"

// Spread splits the scatter of a run, as standard deviations in units of d. A part that the data cannot determine does
// not exist.
type Spread struct {
	Pair    Number `json:"pair"`    // of a pair: both components together
	Within  Number `json:"within"`  // of a pair around its unit's mean, adjusted for order
	Between Number `json:"between"` // between units, beyond the scatter within them; 0 if negative
}

// spreadOf splits the variance of d by sampling unit.
func spreadOf(d []float64, pairs []Pair, unit Unit) Spread {
	r := Spread{missing, missing, missing}
	if unit == UnitPair {
		r.Pair = PairedT(d, DefaultAlpha).SD
		return r
	}
	components := components(d, pairs, unit)
	within, between := components[0], components[1]
	if within.SD.Exists() && between.SD.Exists() {
		r.Within, r.Between, r.Pair = within.SD, between.SD, Number(math.Hypot(float64(within.SD), float64(between.SD)))
	}
	return r
}

package stats

import "math"

// Spread says where the scatter of a run comes from, as standard deviations in units of d. What the data cannot give
// does not exist.
type Spread struct {
	Pair    Number `json:"pair"`    // of a pair: both others together
	Within  Number `json:"within"`  // of a pair around its unit, an effect of the order taken out
	Between Number `json:"between"` // between units, beyond what their pairs explain; 0 where that is nothing
}

// spreadOf splits the variance of d by the unit of the tests.
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

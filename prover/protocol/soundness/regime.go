package soundness

import (
	"fmt"
	"math"
	"sort"
)

// Regime is the analysis of a shape for one choice of alpha.
type Regime struct {
	Name         string
	Multiplicity int     // m; 0 under unique decoding
	Alpha        float64 // agreement
	ListSize     float64 // L
	Gap          string  // g(n), used in formulas of terms
	Terms        []Term
	Bits         float64 // the minimum over the terms, not capped
	Why          string  // why the regime does not apply to this shape; empty if it does
}

// shortest returns the term with the fewest bits.
func (r Regime) shortest() Term {
	shortest := Term{Bits: math.Inf(1)}
	for _, term := range r.Terms {
		if term.Bits < shortest.Bits {
			shortest = term
		}
	}
	return shortest
}

// maxMultiplicity bounds the search for m. Beyond it a query gains less than 2^-20 bits.
const maxMultiplicity = 1 << 20

func unique(shape Shape) Regime {
	rho := math.Exp2(-float64(shape.LogBlowup))
	alpha := (1 + ratePlus(shape)) / 2
	if alpha >= 1 {
		return Regime{Name: "unique decoding", Why: tooSmall(shape)}
	}
	return evaluate("unique decoding", analysis{
		shape:     shape,
		agreement: agreement{rho: rho, alpha: alpha, logLargest: shape.Classes()[0].LogHeight + shape.LogBlowup},
		list:      1,
		proximity: uniqueDecoding,
	})
}

// johnson finds the best m. The query term increases with m and every other term decreases, so the minimum increases
// until they cross and decreases after.
func johnson(name string, shape Shape, proximity theorem, others ...theorem) Regime {
	at := func(m int) (Regime, bool) {
		a, ok := johnsonAt(shape, m)
		if !ok {
			return Regime{}, false
		}
		a.proximity, a.others = proximity, others
		return evaluate(name, a), true
	}
	best, ok := at(3)
	if !ok {
		return Regime{Name: name, Why: tooSmall(shape)}
	}
	crossing := 3 + sort.Search(maxMultiplicity-3, func(i int) bool {
		r, ok := at(3 + i)
		return !ok || r.Bits < r.Terms[len(r.Terms)-1].Bits
	})
	for _, m := range []int{crossing - 1, crossing} {
		if r, ok := at(m); m >= 3 && ok && r.Bits > best.Bits {
			best = r
		}
	}
	return best
}

// johnsonAt determines alpha from m, and bounds the list at the rate rho+ of the smallest class. There is no bound
// unless alpha exceeds sqrt(rho+).
func johnsonAt(shape Shape, m int) (analysis, bool) {
	rho := math.Exp2(-float64(shape.LogBlowup))
	alpha := math.Sqrt(rho) * (1 + 1/(2*float64(m)))
	rootPlus := math.Sqrt(ratePlus(shape))
	eta := alpha - rootPlus
	if eta <= 0 || alpha >= 1 {
		return analysis{}, false
	}
	listMultiplicity := math.Max(3, math.Ceil(rootPlus/(2*eta)))
	return analysis{
		shape:     shape,
		agreement: agreement{rho: rho, alpha: alpha, m: m, logLargest: shape.Classes()[0].LogHeight + shape.LogBlowup},
		list:      (listMultiplicity + 0.5) / rootPlus,
	}, true
}

// ratePlus returns (k+2)/n for the smallest class.
func ratePlus(shape Shape) float64 {
	return math.Exp2(-float64(shape.LogBlowup)) * (1 + 2/math.Exp2(float64(smallest(shape))))
}

func tooSmall(shape Shape) string {
	return fmt.Sprintf("no bound holds for a table of 2^%d rows at blowup %d", smallest(shape), 1<<shape.LogBlowup)
}

// smallest returns the smallest log height.
func smallest(shape Shape) int {
	classes := shape.Classes()
	return classes[len(classes)-1].LogHeight
}

func evaluate(name string, a analysis) Regime {
	r := Regime{Name: name, Multiplicity: a.agreement.m, Alpha: a.agreement.alpha, ListSize: a.list,
		Gap: a.proximity.formula, Terms: a.terms()}
	r.Bits = r.shortest().Bits
	return r
}

package stats

import (
	"math"
	"slices"
)

// RepeatedP is the smallest alpha at which the same plan would have stopped with p at its analysis after the given
// number of pairs: the repeated p-value (Jennison and Turnbull, "Group Sequential Methods", 1999, section 9.2). It is p
// itself in a plan with one analysis, and 1 if p exceeds that analysis's level. Levels increase with alpha, so
// RepeatedP bisects.
func (design Design) RepeatedP(pairs int, p Number) Number {
	at := func(analysis Analysis) bool { return analysis.Pairs == pairs }
	now := slices.IndexFunc(design.Analyses, at)
	switch {
	case design.asked == 1:
		return p
	case now < 0 || !(float64(p) <= design.Analyses[now].Level):
		return 1
	}
	low, high := 0.0, design.Alpha
	for range halvings { // to a millionth of alpha
		alpha := (low + high) / 2
		// NewDesign fails if this number of units cannot reach alpha.
		other, err := NewDesign(design.Pairs, design.asked, alpha, design.Sampling)
		then := slices.IndexFunc(other.Analyses, at)
		if err == nil && other.Unit == design.Unit && then >= 0 && other.Analyses[then].Level >= float64(p) {
			high = alpha
		} else {
			low = alpha
		}
	}
	return Number(high)
}

// SmallestP is the repeated p-value of a difference far larger than the noise: all units have the same sign, and the
// run stops at the first analysis whose level the sign-flip test can reach. A smaller difference may stop later, with a
// smaller p.
func (design Design) SmallestP() Number {
	analysis, possible := design.firstStop()
	return design.RepeatedP(analysis.Pairs, Number(possible))
}

// firstStop returns the analysis at which a difference far larger than the noise stops the run, and its p there.
func (design Design) firstStop() (Analysis, float64) {
	for _, analysis := range design.Analyses {
		if possible := smallestP(design.unitsAt(analysis.Pairs)); possible <= analysis.Level {
			return analysis, possible
		}
	}
	return design.Analyses[len(design.Analyses)-1], 1
}

// halvings is the number of bisection steps of RepeatedP, which sets its precision.
const halvings = 20

// Upholds reports whether a difference far larger than the noise is significant in a family of the given size, by
// Holm's procedure: SmallestP times the size is at most alpha. It makes one design, where SmallestP makes 20.
func (design Design) Upholds(tests int) bool {
	analysis, possible := design.firstStop()
	if design.asked == 1 {
		return possible*float64(max(1, tests)) <= design.Alpha
	}
	if tests <= 1 {
		return possible <= analysis.Level
	}
	alpha := design.Alpha/float64(tests) - math.Ldexp(design.Alpha, 1-halvings) // the bisection error of RepeatedP
	stricter, err := NewDesign(design.Pairs, design.asked, alpha, design.Sampling)
	if err != nil || stricter.Unit != design.Unit {
		return false
	}
	at := slices.IndexFunc(stricter.Analyses, func(l Analysis) bool { return l.Pairs == analysis.Pairs })
	return at >= 0 && possible <= stricter.Analyses[at].Level
}

// unitsAt is the number of units in the first n pairs.
func (design Design) unitsAt(pairs int) int {
	if design.Unit == UnitPair {
		return pairs
	}
	return pairs / blockPairs * design.Units / (design.Pairs / blockPairs)
}

package stats

import (
	"cmp"
	"slices"
)

// Holm returns the adjusted p-values of one family of tests, in the order given (Holm's step-down procedure): the
// k-th smallest of m is multiplied by m - k + 1, kept from falling below the one before it, and capped at 1. A test
// whose adjusted p is at or under alpha may be rejected with a family-wise error of at most alpha, whatever the
// dependence between the tests. A p that does not exist is no member of the family and stays so.
func Holm(p []Number) []Number {
	return stepDown(p, func(p float64, left int) float64 { return min(1, p*float64(left)) })
}

// stepDown adjusts the p-values from the smallest to the largest, each for the number of tests that are left, and keeps
// one from falling below the one before it.
func stepDown(p []Number, adjust func(p float64, left int) float64) []Number {
	adjusted := make([]Number, len(p))
	var tested []int
	for i := range p {
		adjusted[i] = missing
		if p[i].Exists() {
			tested = append(tested, i)
		}
	}
	slices.SortStableFunc(tested, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	floor := Number(0)
	for k, i := range tested {
		floor = max(floor, Number(adjust(float64(p[i]), len(tested)-k)))
		adjusted[i] = floor
	}
	return adjusted
}

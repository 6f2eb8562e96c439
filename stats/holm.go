package stats

import (
	"cmp"
	"slices"
)

// Holm returns the adjusted p-values of a family of tests, in the given order (Holm's step-down procedure): the k-th
// smallest of m is multiplied by m - k + 1, made monotone, and capped at 1. Rejecting the tests whose adjusted p is at
// most alpha has a family-wise error of at most alpha, whatever the dependence between the tests. A p that does not
// exist stays so and does not count in the family.
func Holm(p []Number) []Number {
	return stepDown(p, func(p float64, left int) float64 { return min(1, p*float64(left)) })
}

// stepDown adjusts the p-values from the smallest to the largest, each for the number of tests left, and makes the
// result monotone.
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

package stats

import "math"

// rankSumCounts counts, for each sum s up to limit, the subsets of weights that add up to s. Each subset is one
// assignment of signs, and the sum of its members is twice W+ when the weights are doubled midranks. That makes the
// null distribution exact with ties as well: given the |d|, all 2^n assignments are equally likely.
//
// Counts stay exact to 2^53 and have a relative error under n 2^-53 beyond, all terms being positive; n at most 1000
// keeps them finite.
func rankSumCounts(weights []int, limit int) []float64 {
	counts := make([]float64, limit+1)
	counts[0] = 1
	reach := 0
	for _, w := range weights {
		reach = min(reach+w, limit)
		for s := reach; s >= w; s-- {
			counts[s] += counts[s-w]
		}
	}
	return counts
}

// lowerTail is the probability that a random subset of weights adds up to limit or less.
func lowerTail(weights []int, limit int) float64 {
	even := limit%2 == 0
	for _, w := range weights {
		even = even && w%2 == 0
	}
	if even { // no ties: halving the doubled ranks halves the work
		halves := make([]int, len(weights))
		for i, w := range weights {
			halves[i] = w / 2
		}
		weights, limit = halves, limit/2
	}
	total := 0.0
	for _, c := range rankSumCounts(weights, limit) {
		total += c
	}
	return math.Ldexp(total, -len(weights))
}

// smallestP is the two-sided p of n non-zero differences that all have one sign: min(1, 2^(1-n)).
func smallestP(n int) float64 { return min(1, math.Ldexp(1, 1-n)) }

// SmallestUnits is the least number of units with which the sign-flip test can reject at the level at all, and the
// signed-rank test too.
func SmallestUnits(level float64) int {
	n := 1
	for smallestP(n) > level {
		n++
	}
	return n
}

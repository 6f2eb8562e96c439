package stats

import "math"

// rankSumCounts counts, for each sum s up to limit, the subsets of weights that sum to s. Each subset is one assignment
// of signs; with doubled midranks as weights, its sum is twice W+. That makes the null distribution exact with ties as
// well: given the |d|, all 2^n assignments are equally likely.
//
// Counts are exact up to 2^53 and have a relative error below n 2^-53 beyond, because all terms are positive. They are
// finite for n up to 1000.
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

// lowerTail is the probability that a random subset of weights sums to at most limit.
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

// smallestP is the two-sided p of n non-zero differences of equal sign: min(1, 2^(1-n)).
func smallestP(n int) float64 { return min(1, math.Ldexp(1, 1-n)) }

// SmallestUnits is the smallest number of units with which the sign-flip test, or the signed-rank test, can reject at
// the level.
func SmallestUnits(level float64) int {
	n := 1
	for smallestP(n) > level {
		n++
	}
	return n
}

package stats

import (
	"cmp"
	"math"
	"slices"
)

// RankSum is the Mann-Whitney (1947) or Wilcoxon (1945) rank-sum test: whether values of one sample tend to be larger
// than values of the other.
type RankSum struct {
	U      Number `json:"u"`      // pairs (a, b) with a > b, plus half of those with a = b
	Ties   int    `json:"ties"`   // values that occur more than once
	P      Number `json:"p"`      // two-sided: twice the smaller tail, at most 1
	Method string `json:"method"` // MethodExact or MethodNormal
	Z      Number `json:"z"`      // with continuity correction and the sign of U minus its mean
}

// rankSumLimit is the size of either sample up to which the test is exact.
const rankSumLimit = 50

// MannWhitney tests whether a and b have the same distribution. Samples of up to 50 values without ties are tested
// exactly, by counting all assignments of ranks; others by the normal approximation, with corrections for ties and
// continuity. The result does not exist if a sample is empty.
//
// Assumes independent values.
func MannWhitney(a, b []float64) RankSum {
	r := RankSum{U: missing, P: missing, Method: MethodExact, Z: missing}
	if len(a) == 0 || len(b) == 0 {
		return r
	}
	ranks, cubes, ties := midranks(a, b)
	n, m := float64(len(a)), float64(len(b))
	u := ranks - n*(n+1)/2
	r.U, r.Ties = Number(u), ties
	total := n + m
	variance := n * m / 12 * (total + 1 - cubes/(total*(total-1)))
	distance := u - n*m/2
	if variance > 0 {
		z := max(0, math.Abs(distance)-0.5) / math.Sqrt(variance)
		r.Z = Number(math.Copysign(z, distance) + 0)
	}
	if ties == 0 && len(a) <= rankSumLimit && len(b) <= rankSumLimit {
		r.P = Number(min(1, 2*rankSumTail(len(a), len(b), int(min(u, n*m-u)))))
		return r
	}
	r.Method, r.P = MethodNormal, 1 // all values are equal
	if r.Z.Exists() {
		r.P = Number(math.Erfc(math.Abs(float64(r.Z)) / math.Sqrt2))
	}
	return r
}

// midranks returns the sum of the ranks of a among both samples, the sum of t³ - t over groups of t equal values, and
// the number of values in such groups.
func midranks(a, b []float64) (sum, cubes float64, ties int) {
	type value struct {
		x   float64
		ofA bool
	}
	all := make([]value, 0, len(a)+len(b))
	for _, x := range a {
		all = append(all, value{x: x, ofA: true})
	}
	for _, x := range b {
		all = append(all, value{x: x})
	}
	slices.SortFunc(all, func(x, y value) int { return cmp.Compare(x.x, y.x) })
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].x == all[i].x {
			j++
		}
		if t := float64(j - i); t > 1 {
			cubes += t*t*t - t
			ties += j - i
		}
		for k := i; k < j; k++ {
			if all[k].ofA {
				sum += float64(i+1+j) / 2
			}
		}
		i = j
	}
	return sum, cubes, ties
}

// rankSumTail is the probability that U is at most limit: among the ways to choose n of n + m ranks, the fraction whose
// sum exceeds the smallest sum by at most limit. counts[k][u] is the number of ways to choose k of the ranks seen so
// far with an excess of u; choosing rank i as the k-th smallest adds i - k.
func rankSumTail(n, m, limit int) float64 {
	counts := make([][]float64, n+1)
	for k := range counts {
		counts[k] = make([]float64, limit+1)
	}
	counts[0][0] = 1
	for rank := 1; rank <= n+m; rank++ {
		for k := min(rank, n); k >= 1; k-- {
			for u := limit; u >= rank-k; u-- {
				counts[k][u] += counts[k-1][u-(rank-k)]
			}
		}
	}
	total := 0.0
	for _, c := range counts[n] {
		total += c
	}
	logN, _ := math.Lgamma(float64(n + 1))
	logM, _ := math.Lgamma(float64(m + 1))
	logAll, _ := math.Lgamma(float64(n + m + 1))
	return total * math.Exp(logN+logM-logAll)
}

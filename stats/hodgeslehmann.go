package stats

import (
	"math"
	"slices"
	"sort"
)

// HodgesLehmann is the pseudomedian of d with its interval, in units of d.
type HodgesLehmann struct {
	Estimate   Number   `json:"estimate"`
	CI         Interval `json:"ci"`
	Confidence Number   `json:"confidence"` // the confidence that the interval achieves, not the requested one
}

// exactIntervalLimit is the largest number of differences for which the null distribution is counted exactly. Above it,
// a series is accurate to about eight digits.
const exactIntervalLimit = 500

// PseudoMedian is the median of the Walsh averages (d_i + d_j)/2, i <= j, zeros included. Its interval runs from the
// k-th smallest to the k-th largest average, with the largest k whose confidence 1 - 2 P(W+ <= k - 1) under the
// tie-free null distribution is at least 1 - level. If even k = 1 has less, the interval is that of k = 1 at its actual
// confidence. With ties the true confidence is at least the stated one.
//
// Assumes independent d, symmetric about a common centre, which is the estimand.
func PseudoMedian(d []float64, level float64) HodgesLehmann {
	if len(d) == 0 {
		return HodgesLehmann{Estimate: missing, CI: noInterval, Confidence: missing}
	}
	sorted := slices.Clone(d)
	slices.Sort(sorted)
	count := len(d) * (len(d) + 1) / 2
	middle := walshAverage(sorted, (count+1)/2)
	if count%2 == 0 {
		middle = (middle + walshAverage(sorted, count/2+1)) / 2
	}
	k, confidence := intervalRank(len(d), level)
	return HodgesLehmann{
		Estimate:   Number(middle),
		CI:         Interval{walshAverage(sorted, k), walshAverage(sorted, count+1-k)},
		Confidence: Number(confidence),
	}
}

// intervalRank returns the k of PseudoMedian and its confidence.
func intervalRank(n int, level float64) (k int, confidence float64) {
	if n > exactIntervalLimit {
		above := sort.Search(n*(n+1)/4, func(w int) bool { return 2*signedRankCDF(n, w) > level })
		k = max(1, above)
		return k, 1 - 2*signedRankCDF(n, k-1)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	tail, achieved := 0.0, 0.0 // P(W+ <= k-1), and the tail of the k kept
	for w, c := range rankSumCounts(ranks, n*(n+1)/4) {
		tail += math.Ldexp(c, -n)
		if w > 0 && 2*tail > level {
			break
		}
		k, achieved = w+1, tail
	}
	return k, 1 - 2*achieved
}

// signedRankCDF is P(W+ <= w) without ties for large n, by an Edgeworth series up to the sixth cumulant (Fellingham and
// Stoker; Kolassa and McCullagh for lattices). W+ is a sum of independent terms that are r or 0 with equal probability;
// their cumulants are r²/4, -r⁴/8 and r⁶/4. Adding a uniform variable of width 1, with cumulants 1/12, -1/120 and
// 1/252, makes the continuity correction exact. Odd cumulants vanish.
func signedRankCDF(n, w int) float64 {
	second, fourth, sixth := 1.0/12, -1.0/120, 1.0/252
	for rank := 1; rank <= n; rank++ {
		square := float64(rank) * float64(rank)
		second += square / 4
		fourth -= square * square / 8
		sixth += square * square * square / 4
	}
	x := (float64(w) + 0.5 - float64(n)*float64(n+1)/4) / math.Sqrt(second)
	fourth /= second * second
	sixth /= second * second * second
	// Hermite's polynomials of degree 3, 5 and 7.
	square := x * x
	third := x * (square - 3)
	fifth := x * (square*(square-10) + 15)
	seventh := x * (square*(square*(square-21)+105) - 105)
	return normalTail(-x) - normalDensity(x)*(fourth/24*third+sixth/720*fifth+fourth*fourth/1152*seventh)
}

// walshAverage returns the k-th smallest Walsh average of sorted d, counted from 1. Rounding is monotone, so for fixed
// i the computed averages increase with j, and one pass with two pointers counts the averages up to a value. Bisection
// over that count is exact and never stores the n (n + 1) / 2 averages.
func walshAverage(sorted []float64, k int) float64 {
	return smallestFloat(sorted[0], sorted[len(sorted)-1], func(x float64) bool { return walshCount(sorted, x) >= k })
}

// walshCount counts the Walsh averages that are at most x.
func walshCount(sorted []float64, x float64) int {
	count, j := 0, len(sorted)-1
	for i := range sorted {
		for j >= i && (sorted[i]+sorted[j])/2 > x {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}

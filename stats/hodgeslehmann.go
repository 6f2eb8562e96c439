package stats

import (
	"math"
	"slices"
)

// HodgesLehmann is the pseudomedian of d with its interval, in units of d.
type HodgesLehmann struct {
	Estimate   Number   `json:"estimate"`
	CI         Interval `json:"ci"`
	Confidence Number   `json:"confidence"` // what the interval achieves, not what was asked for
}

// exactIntervalLimit is the number of differences up to which the interval comes from the exact null distribution;
// beyond, the normal approximation places an order statistic within one of the exact one.
const exactIntervalLimit = 500

// PseudoMedian is the median of the Walsh averages (d_i + d_j)/2, i <= j, zeros included. Its interval runs from the
// k-th smallest to the k-th largest of them, with the largest k whose confidence 1 - 2 P(W+ <= k - 1) under the
// tie-free null distribution is at least 1 - level. Where even k = 1 has less, the interval is that of k = 1 with the
// confidence it has. With ties the true confidence is at least the one stated.
//
// Assumes independent d, each symmetric about one centre, which is what is estimated.
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
		return normalIntervalRank(n, level)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	tail, achieved := 0.0, 0.0 // P(W+ <= k-1), and that of the k kept
	for w, c := range rankSumCounts(ranks, n*(n+1)/4) {
		tail += math.Ldexp(c, -n)
		if w > 0 && 2*tail > level {
			break
		}
		k, achieved = w+1, tail
	}
	return k, 1 - 2*achieved
}

// normalIntervalRank is intervalRank from the normal approximation with continuity correction.
func normalIntervalRank(n int, level float64) (k int, confidence float64) {
	size := float64(n)
	mean, sd := size*(size+1)/4, math.Sqrt(size*(size+1)*(2*size+1)/24)
	k = max(1, int(math.Floor(mean+0.5-normalUpper(level/2)*sd)))
	return k, 1 - math.Erfc((mean-float64(k)+0.5)/sd/math.Sqrt2)
}

// walshAverage returns the k-th smallest Walsh average of sorted d, counted from 1. It bisects over the float64s
// between the extremes: rounding is monotone, so the averages of a fixed i rise with j as computed, and one pass with
// two pointers counts those at or under a value. That is exact, takes at most 64 passes of n steps, and never holds
// the n (n + 1) / 2 averages.
func walshAverage(sorted []float64, k int) float64 {
	low, high := ordinal(sorted[0]), ordinal(sorted[len(sorted)-1])
	for low < high {
		middle := low + int64(uint64(high-low)/2)
		if walshCount(sorted, fromOrdinal(middle)) >= k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return fromOrdinal(low)
}

// walshCount counts the Walsh averages at or under x.
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

// ordinal numbers the float64s in ascending order, 0 and -0 both as 0, so that neighbours differ by one.
func ordinal(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

// fromOrdinal is the inverse of ordinal.
func fromOrdinal(o int64) float64 {
	if o < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - o))
	}
	return math.Float64frombits(uint64(o))
}

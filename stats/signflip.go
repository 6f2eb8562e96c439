package stats

import "math"

// SignFlip is the randomization test of mean d = 0. Under the null hypothesis every assignment of signs to the |d| is
// equally likely, because the order of each block was randomized (Fisher, "The Design of Experiments", section 21). The
// statistic is the sum of d.
type SignFlip struct {
	N      int    `json:"n"`      // units
	Zeros  int    `json:"zeros"`  // d of exactly 0, which have no sign
	P      Number `json:"p"`      // two-sided
	MinP   Number `json:"min_p"`  // the smallest p possible with this number of non-zero d
	Method string `json:"method"` // MethodExact or MethodNormal
}

// The number of non-zero d up to which assignments are counted: by merging two halves, or by their sums on a grid.
const halvesLimit, gridLimit = 30, 500

// SignFlipTest computes the fraction of sign assignments whose sum is at least as far from 0 as that of d. With up to
// 30 non-zero d it counts every assignment. With up to 500 it rounds the |d| to a grid of 400 steps each on average:
// the null distribution of the rounded statistic is counted exactly, and the statistic is within a thousandth of a
// standard deviation. Beyond that it uses the normal approximation.
func SignFlipTest(d []float64) SignFlip {
	r := SignFlip{N: len(d), Method: MethodExact}
	total := 0.0
	for _, x := range d {
		if x == 0 {
			r.Zeros++
		}
		total += math.Abs(x)
	}
	nonzero := r.N - r.Zeros
	r.MinP = Number(smallestP(nonzero))
	switch {
	case nonzero == 0:
		r.P = 1
	case nonzero <= halvesLimit:
		// Scaling by a power of two is exact, so equal sums stay equal.
		_, exponent := math.Frexp(total)
		weights, limit := signWeights(d, math.Ldexp(1, 52-exponent))
		r.P = Number(min(1, 2*halvesTail(weights, limit)))
	case nonzero <= gridLimit:
		weights, limit := signWeights(d, 400*float64(nonzero)/total)
		r.P = Number(min(1, 2*lowerTail(weights, limit)))
	default:
		r.Method = MethodNormal
		sum, squares := 0.0, 0.0
		for _, x := range d {
			sum += x / total
			squares += x / total * (x / total)
		}
		r.P = Number(2 * normalTail(math.Abs(sum)/math.Sqrt(squares)))
	}
	return r
}

// signWeights rounds the non-zero |d|, times scale, to integers. limit is the smaller of the two signs' sums.
func signWeights(d []float64, scale float64) (weights []int, limit int) {
	plus, minus := 0, 0
	for _, x := range d {
		if x == 0 {
			continue
		}
		w := int(math.Round(math.Abs(x) * scale))
		weights = append(weights, w)
		if x > 0 {
			plus += w
		} else {
			minus += w
		}
	}
	return weights, min(plus, minus)
}

// halvesTail is the probability that a random subset of the weights sums to at most limit. It lists the subset sums of
// each half in order and counts the qualifying pairs in one pass.
func halvesTail(weights []int, limit int) float64 {
	low, high := subsetSums(weights[:len(weights)/2]), subsetSums(weights[len(weights)/2:])
	count, j := 0, len(high)
	for _, sum := range low {
		for j > 0 && sum+high[j-1] > limit {
			j--
		}
		count += j
	}
	return math.Ldexp(float64(count), -len(weights))
}

// subsetSums lists the sums of all subsets in ascending order. Each weight merges the list with a shifted copy.
func subsetSums(weights []int) []int {
	sums := []int{0}
	for _, w := range weights {
		merged := make([]int, 0, 2*len(sums))
		for i, j := 0, 0; j < len(sums); {
			if i < len(sums) && sums[i] <= sums[j]+w {
				merged = append(merged, sums[i])
				i++
			} else {
				merged = append(merged, sums[j]+w)
				j++
			}
		}
		sums = merged
	}
	return sums
}

package stats

import "math"

// SignFlip is the randomisation test of mean d = 0: under the null hypothesis every assignment of signs to the |d| was
// equally likely, because the order of each block was drawn (Fisher, "The Design of Experiments", section 21). Its
// statistic is the sum of d.
type SignFlip struct {
	N      int    `json:"n"`      // units
	Zeros  int    `json:"zeros"`  // d of exactly 0, which have no sign
	P      Number `json:"p"`      // two-sided
	MinP   Number `json:"min_p"`  // the smallest that so many non-zero d can give
	Method string `json:"method"` // MethodExact or MethodNormal
}

// The sizes up to which assignments are counted: all of them by two halves, or by their sums on a grid.
const halvesLimit, gridLimit = 30, 500

// SignFlipTest computes the share of sign assignments whose sum is as far from 0 as that of d, or further. Up to 30
// non-zero d every assignment is counted. Up to 500 the |d| are rounded to a grid of 400 steps for each of them on
// average: that is another statistic, with a null distribution that is counted exactly, a thousandth of a standard
// deviation away. Beyond, the sum over its standard deviation is compared with a normal.
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
		// A power of two moves no digit, so that sums which are equal stay so.
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

// signWeights rounds the non-zero |d|, times scale, to whole numbers, and sums those of the sign that has less.
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

// halvesTail is the probability that a random subset of the weights adds up to limit or less. The sums of the subsets
// of either half are listed in order, and one pass over both counts the pairs of them.
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

// subsetSums lists the sums of all subsets in ascending order: each weight merges the list with itself moved on by it.
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

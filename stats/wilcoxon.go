package stats

import (
	"cmp"
	"math"
	"slices"
)

// ExactLimit is the largest number of ranked pairs for which the signed-rank test is exact.
const ExactLimit = 200

// SignedRank is Wilcoxon's signed-rank test.
type SignedRank struct {
	N      int    `json:"n"`     // ranked pairs, including zeros under Pratt
	Zeros  int    `json:"zeros"` // d of exactly 0
	Ties   int    `json:"ties"`  // non-zero d that share their |d| with another
	WPlus  Number `json:"w_plus"`
	WMinus Number `json:"w_minus"`
	P      Number `json:"p"`      // two-sided: twice the smaller tail, at most 1
	Method string `json:"method"` // MethodExact or MethodNormal
	Z      Number `json:"z"`      // with continuity correction and the sign of W+ minus its mean
	MinP   Number `json:"min_p"`  // the smallest p possible with this number of non-zero pairs
}

// The methods of computing a p-value.
const (
	MethodExact  = "exact"  // every assignment of signs counted
	MethodNormal = "normal" // normal, with corrections for ties, zeros and continuity
)

// WilcoxonSignedRank tests whether d is distributed symmetrically about 0. Ties share the mean of their ranks
// (midranks); ties and zeros are exact floating-point equality.
//
// Assumes independent d, symmetric about a common centre.
func WilcoxonSignedRank(d []float64, zeros Zeros) SignedRank {
	ranks := rankDifferences(d, zeros)
	r := SignedRank{N: ranks.n, Zeros: ranks.zeros, Ties: ranks.ties, Method: MethodExact, Z: missing}
	r.WPlus, r.WMinus = Number(ranks.plus)/2, Number(ranks.minus)/2
	r.MinP = Number(smallestP(len(ranks.doubled)))
	r.Z = Number(ranks.z())
	if r.N <= ExactLimit {
		r.P = Number(min(1, 2*lowerTail(ranks.doubled, min(ranks.plus, ranks.minus))))
		return r
	}
	r.Method = MethodNormal
	r.P = 1 // no differences but zeros
	if r.Z.Exists() {
		r.P = Number(math.Erfc(math.Abs(float64(r.Z)) / math.Sqrt2))
	}
	return r
}

// ranking holds doubled midranks, which are integers.
type ranking struct {
	doubled        []int // of the non-zero differences, ascending
	plus, minus    int   // their sums by sign
	n, zeros, ties int
}

// rankDifferences ranks |d|.
func rankDifferences(d []float64, zeros Zeros) ranking {
	sorted := slices.Clone(d)
	slices.SortFunc(sorted, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	r := ranking{n: len(d)}
	for r.zeros < len(sorted) && sorted[r.zeros] == 0 {
		r.zeros++
	}
	before := r.zeros // ranks taken by the zeros
	if zeros == ZerosWilcox {
		before, r.n = 0, r.n-r.zeros
	}
	sorted = sorted[r.zeros:]
	r.doubled = make([]int, 0, len(sorted))
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && math.Abs(sorted[j]) == math.Abs(sorted[i]) {
			j++
		}
		if j-i > 1 {
			r.ties += j - i
		}
		// The group has ranks before+i+1 to before+j; twice their mean is the sum of first and last.
		rank := 2*before + i + 1 + j
		for ; i < j; i++ {
			r.doubled = append(r.doubled, rank)
			if sorted[i] > 0 {
				r.plus += rank
			} else {
				r.minus += rank
			}
		}
	}
	return r
}

// z standardises W+. Under the null hypothesis each rank r adds r/2 to the mean and r²/4 to the variance; with midranks
// this is the usual variance corrected for ties and zeros. The continuity correction reduces the distance to the mean
// by half a rank, but not below 0.
func (r ranking) z() float64 {
	squares := 0.0
	for _, rank := range r.doubled {
		squares += float64(rank) * float64(rank)
	}
	if squares == 0 {
		return math.NaN()
	}
	distance := float64(r.plus-r.minus) / 4 // W+ minus its mean; plus and minus are doubled
	corrected := max(0, math.Abs(distance)-0.5) / (math.Sqrt(squares) / 4)
	if distance < 0 && corrected > 0 { // never -0
		return -corrected
	}
	return corrected
}

package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// CUSUM is Page's one-sided cumulative sum chart of standard normal scores: the sum S becomes max(0, S + z - K), and
// the chart signals when S reaches H. It is most sensitive to a shift of 2 K standard deviations.
type CUSUM struct{ K, H float64 }

// Next returns the sum after another score.
func (c CUSUM) Next(sum, score float64) float64 { return max(0, sum+score-c.K) }

// Signals reports whether a sum has reached the limit.
func (c CUSUM) Signals(sum float64) bool { return sum >= c.H }

// RunLength is the mean number of scores until the chart signals, starting from a sum of 0, for scores with mean shift
// and standard deviation 1. It solves Page's integral equation
//
//	N(s) = 1 + N(0) P(z <= K - s) + integral over y from 0 to H of N(y) p(y + K - s) dy
//
// at the nodes of a Gauss-Legendre rule (Goel and Wu). It fails if a limit is not a valid number, or if the run length
// exceeds the precision of floating point.
func (c CUSUM) RunLength(shift float64) (float64, error) {
	if !(c.H > 0) || !(c.K >= 0) || math.IsInf(c.H+c.K, 0) || math.IsNaN(shift) {
		return 0, fmt.Errorf("a CUSUM with k %g and h %g at shift %g: want finite k of at least 0 and finite h above 0",
			c.K, c.H, shift)
	}
	nodes := powerNodes()
	size := len(nodes.x) + 1 // the atom at 0 comes first
	at := func(i int) float64 {
		if i == 0 {
			return 0
		}
		return c.H * nodes.x[i-1]
	}
	system, ones := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	for i := range size {
		ones.SetVec(i, 1)
		system.Set(i, 0, -normalTail(at(i)-c.K+shift)) // P(z <= K - s) for z with mean shift
		for j := 1; j < size; j++ {
			z := at(j) + c.K - at(i) - shift
			system.Set(i, j, -c.H*nodes.weight[j-1]*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
		}
		system.Set(i, i, system.At(i, i)+1)
	}
	var lengths mat.VecDense
	if err := lengths.SolveVec(system, ones); err != nil || !(lengths.AtVec(0) >= 1) {
		return 0, fmt.Errorf("a CUSUM with k %g and h %g at shift %g: the run length exceeds floating-point precision",
			c.K, c.H, shift)
	}
	return lengths.AtVec(0), nil
}

// Sample summarizes a series of values: their number, their mean, and the sum of squares about the mean with its
// degrees of freedom. N and DF are separate because the level can restart while the scatter estimate stays.
type Sample struct {
	N       int     `json:"n"`
	Mean    float64 `json:"mean"`
	Squares float64 `json:"squares"`
	DF      int     `json:"df"`
}

// With returns the sample with one more value (Welford).
func (s Sample) With(x float64) Sample { return s.And(Sample{N: 1, Mean: x}) }

// And merges two samples of one level (Chan, Golub and LeVeque).
func (s Sample) And(other Sample) Sample {
	if s.N == 0 || other.N == 0 {
		level := s
		if s.N == 0 {
			level = other
		}
		return Sample{N: level.N, Mean: level.Mean, Squares: s.Squares + other.Squares, DF: s.DF + other.DF}
	}
	n, m := float64(s.N), float64(other.N)
	apart := other.Mean - s.Mean
	return Sample{
		N: s.N + other.N, Mean: s.Mean + apart*m/(n+m),
		Squares: s.Squares + other.Squares + apart*apart*n*m/(n+m), DF: s.DF + other.DF + 1,
	}
}

// Restarted forgets the level and keeps the scatter estimate.
func (s Sample) Restarted() Sample { return Sample{Squares: s.Squares, DF: s.DF} }

// Variance is the variance about the level, or NaN if unknown.
func (s Sample) Variance() float64 {
	if s.DF < 1 {
		return math.NaN()
	}
	return s.Squares / float64(s.DF)
}

// SelfStarting is Hawkins's score of the next value of a series. It measures the distance from the mean of the
// preceding values in their standard deviations, and transforms it through Student's distribution to a standard normal
// score, independent of the earlier ones as long as nothing changes. A [CUSUM] of these scores needs no known mean and
// variance, and its run length between false signals is that of a chart that knows them.
//
// There is no score before the scatter has a degree of freedom. If all values so far are equal, the score is 0 for
// another equal value and otherwise the limit.
func SelfStarting(s Sample, x float64) Number {
	return Score(s, x, s.Variance())
}

// scoreLimit bounds scores: a larger score has a probability below the float64 range.
const scoreLimit = 37

// Score is SelfStarting with a given variance, such as one with a floor, and the sample's degrees of freedom.
func Score(s Sample, x, variance float64) Number {
	if s.N < 1 || s.DF < 1 || math.IsNaN(variance) {
		return missing
	}
	apart := x - s.Mean
	if apart == 0 {
		return 0
	}
	t := math.Abs(apart) / math.Sqrt(variance*(1+1/float64(s.N)))
	score := float64(scoreLimit)
	if p := studentUpper(t, float64(s.DF)); p > 0 {
		score = min(score, normalUpper(p))
	}
	return Number(math.Copysign(score, apart))
}

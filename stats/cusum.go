package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// CUSUM is a one-sided cumulative sum of standard normal scores (Page): S becomes max(0, S + z - K), and the chart
// signals where S reaches H. K is half of the shift, in standard deviations, that it is best at.
type CUSUM struct{ K, H float64 }

// Next is the sum after a score.
func (c CUSUM) Next(sum, score float64) float64 { return max(0, sum+score-c.K) }

// Signals reports whether a sum has reached the limit.
func (c CUSUM) Signals(sum float64) bool { return sum >= c.H }

// RunLength is the mean number of scores until the signal, from a sum of 0, when the scores have mean shift and
// standard deviation 1. It solves Page's integral equation
//
//	N(s) = 1 + N(0) P(z <= K - s) + integral over y from 0 to H of N(y) p(y + K - s) dy
//
// at the nodes of a Gauss-Legendre rule, as Goel and Wu did. It is an error for limits that are no numbers, or a run
// longer than floating point can tell.
func (c CUSUM) RunLength(shift float64) (float64, error) {
	if !(c.H > 0) || !(c.K >= 0) || math.IsInf(c.H+c.K, 0) || math.IsNaN(shift) {
		return 0, fmt.Errorf("a CUSUM with k %g and h %g, shift %g: k from 0 and h above 0 are needed", c.K, c.H, shift)
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
		system.Set(i, 0, -normalTail(at(i)-c.K+shift)) // P(z <= K - s) for z of mean shift
		for j := 1; j < size; j++ {
			z := at(j) + c.K - at(i) - shift
			system.Set(i, j, -c.H*nodes.weight[j-1]*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
		}
		system.Set(i, i, system.At(i, i)+1)
	}
	var lengths mat.VecDense
	if err := lengths.SolveVec(system, ones); err != nil || !(lengths.AtVec(0) >= 1) {
		return 0, fmt.Errorf("a CUSUM with k %g and h %g runs too long for a figure at shift %g", c.K, c.H, shift)
	}
	return lengths.AtVec(0), nil
}

// Sample is what is known of a series of values: their number, their mean, and the sum of squares about it, with its
// degrees of freedom. These are kept apart because a level may begin anew while what is known of the scatter stays.
type Sample struct {
	N       int     `json:"n"`
	Mean    float64 `json:"mean"`
	Squares float64 `json:"squares"`
	DF      int     `json:"df"`
}

// With is the sample after one more value (Welford).
func (s Sample) With(x float64) Sample { return s.And(Sample{N: 1, Mean: x}) }

// And is both samples of one level together (Chan, Golub and LeVeque).
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

// Restarted forgets the level and keeps the scatter.
func (s Sample) Restarted() Sample { return Sample{Squares: s.Squares, DF: s.DF} }

// Variance is the variance about the level, NaN where nothing is known of it.
func (s Sample) Variance() float64 {
	if s.DF < 1 {
		return math.NaN()
	}
	return s.Squares / float64(s.DF)
}

// SelfStarting is Hawkins's score of the next value of a series: how far it lies from the mean of those before it, in
// standard deviations as those before it give them, turned by Student's distribution into a score that is standard
// normal while nothing changes, and independent of the earlier scores. So a [CUSUM] of such scores needs no known mean
// and variance, and runs as long between false signals as one that knows them.
//
// It does not exist before the scatter has a degree of freedom. Where all values so far are equal, it is 0 for another
// equal one and else as far out as scores go.
func SelfStarting(s Sample, x float64) Number {
	return Score(s, x, s.Variance())
}

// scoreLimit is as far out as scores go: what is beyond has a probability that float64 cannot hold.
const scoreLimit = 37

// Score is SelfStarting with a variance that may be another than the sample's own, such as one with a floor. The
// degrees of freedom stay those of the sample.
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

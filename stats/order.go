package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// OrderTest compares the two orders of a pair, in units of d. A part that the data cannot determine does not exist.
type OrderTest struct {
	Effect       Number   `json:"effect"` // mean d of AB pairs minus that of BA pairs
	P            Number   `json:"p"`      // two-sided, of effect = 0
	AdjustedMean Number   `json:"adjusted_mean"`
	AdjustedP    Number   `json:"adjusted_p"`
	AdjustedCI   Interval `json:"adjusted_ci"`
}

// OrderEffect compares the pairs measured base first with those measured head first (Hills and Armitage). The effect is
// the difference of their mean d. A linear drift appears here in ABBA, because it has opposite signs in the two orders.
// The adjusted mean is the mean of the two means, in which the effect cancels even if the orders are unequally
// frequent. Both are tested by t with the pooled variance and n - 2 degrees of freedom, and the interval has confidence
// 1 - level. orders[i] belongs to d[i]; pairs of unknown order are ignored.
//
// Assumes independent d, normal within each order, with equal variance.
func OrderEffect(d []float64, orders []Order, level float64) OrderTest {
	r := OrderTest{Effect: missing, P: missing, AdjustedMean: missing, AdjustedP: missing, AdjustedCI: noInterval}
	var ab, ba []float64
	for i, x := range d {
		switch orders[i] {
		case OrderAB:
			ab = append(ab, x)
		case OrderBA:
			ba = append(ba, x)
		}
	}
	if len(ab) == 0 || len(ba) == 0 {
		return r
	}
	meanAB, squaresAB := meanAndSquares(ab)
	meanBA, squaresBA := meanAndSquares(ba)
	effect, adjusted := meanAB-meanBA, (meanAB+meanBA)/2
	r.Effect, r.AdjustedMean = Number(effect), Number(adjusted)
	df := len(ab) + len(ba) - 2
	if df < 1 {
		return r
	}
	if squaresAB == 0 && squaresBA == 0 {
		r.P, r.AdjustedP = certain(effect == 0), certain(adjusted == 0)
		r.AdjustedCI = Interval{adjusted, adjusted}
		return r
	}
	variance := (squaresAB + squaresBA) / float64(df)
	se := math.Sqrt(variance * (1/float64(len(ab)) + 1/float64(len(ba))))
	half := studentCritical(level, float64(df)) * se / 2
	r.P = Number(studentTwoSided(effect/se, float64(df)))
	r.AdjustedP = Number(studentTwoSided(adjusted/(se/2), float64(df)))
	r.AdjustedCI = Interval{adjusted - half, adjusted + half}
	return r
}

// meanAndSquares returns the mean and the sum of squared deviations, which is exactly 0 if all values are equal.
func meanAndSquares(x []float64) (mean, squares float64) {
	if allEqual(x) {
		return x[0], 0
	}
	mean, variance := stat.MeanVariance(x, nil)
	return mean, variance * float64(len(x)-1)
}

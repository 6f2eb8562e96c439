package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// TTest is Student's t test of mean d = 0, with the interval that inverts it. All but DF, T and P are in units of d.
type TTest struct {
	Mean     Number   `json:"mean"`
	SD       Number   `json:"sd"` // with n - 1
	SE       Number   `json:"se"` // sd / sqrt n
	DF       int      `json:"df"`
	T        Number   `json:"t"`
	P        Number   `json:"p"`        // two-sided
	Critical Number   `json:"critical"` // the quantile at 1 - level/2
	CI       Interval `json:"ci"`       // mean ± critical se
}

// constant reports whether all of two or more d are equal.
func (t TTest) constant() bool { return t.SD == 0 }

// PairedT tests whether the mean of d is 0, and computes the 1 - level confidence interval. It needs two differences;
// with one it returns only the mean.
//
// If all d are equal there is no t: the interval is [d, d], and p is 1 for d = 0, else 0.
//
// Assumes independent d and, for small n, normal ones.
func PairedT(d []float64, level float64) TTest {
	n := len(d)
	r := TTest{Mean: missing, SD: missing, SE: missing, T: missing, P: missing, Critical: missing, CI: noInterval}
	if n == 0 {
		return r
	}
	r.DF = n - 1
	if n == 1 {
		r.Mean = Number(d[0])
		return r
	}
	critical := studentCritical(level, float64(r.DF))
	r.Critical = Number(critical)
	if allEqual(d) {
		r.Mean, r.SD, r.SE, r.CI = Number(d[0]), 0, 0, Interval{d[0], d[0]}
		r.P = certain(d[0] == 0)
		return r
	}
	mean, variance := stat.MeanVariance(d, nil)
	sd := math.Sqrt(variance)
	se := sd / math.Sqrt(float64(n))
	t := mean / se
	r.Mean, r.SD, r.SE, r.T = Number(mean), Number(sd), Number(se), Number(t)
	r.P = Number(studentTwoSided(t, float64(r.DF)))
	r.CI = Interval{mean - critical*se, mean + critical*se}
	return r
}

// certain is the p-value of a hypothesis in the absence of noise.
func certain(holds bool) Number {
	if holds {
		return 1
	}
	return 0
}

// studentTwoSided is P(|T| >= |t|) with df degrees of freedom, by the regularised incomplete beta function
// (Abramowitz and Stegun 26.7.1), which keeps its relative precision in the far tail.
func studentTwoSided(t, df float64) float64 {
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// studentUpper is P(T >= t).
func studentUpper(t, df float64) float64 {
	if t < 0 {
		return 1 - studentTwoSided(t, df)/2
	}
	return studentTwoSided(t, df) / 2
}

// criticals caches studentCritical: inverting the beta function dominates the cost of a verdict, and a run needs few
// distinct values.
var criticals sync.Map // of criticalKey to float64

type criticalKey struct{ level, df float64 }

// studentCritical is the t that |T| exceeds with probability level. It bisects over the float64s, because gonum's
// inverse of the incomplete beta function is inaccurate for small levels at thousands of degrees of freedom.
func studentCritical(level, df float64) float64 {
	key := criticalKey{level, df}
	if known, ok := criticals.Load(key); ok {
		return known.(float64)
	}
	t := smallestFloat(0, math.MaxFloat64, func(t float64) bool { return studentTwoSided(t, df) <= level })
	criticals.Store(key, t)
	return t
}

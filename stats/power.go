package stats

import (
	"math"
	"sort"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// TargetPower is the power that UnitsNeeded and MinimumDetectableEffect plan for.
const TargetPower = 0.8

// flipUnits is how many units more than the t test a verdict needs, because the sign-flip test must reject too. The two
// agree for many units; with few the p-values of the second are coarse. TestPowerAtPlannedEffect holds it.
const flipUnits = 1

// mostUnits is where the search for units gives up: nobody measures a million.
const mostUnits = 1_000_000

// Power is the probability that the two-sided t test of n normal differences with standard deviation sd rejects at
// the level when their mean is effect.
func Power(n int, sd, effect, level float64) float64 {
	if sd == 0 {
		if effect == 0 {
			return level
		}
		return 1
	}
	return newNoncentral(float64(n-1), level).power(math.Abs(effect) / sd * math.Sqrt(float64(n)))
}

// UnitsNeeded is the number of units, whose differences have the standard deviation sd, with which a verdict finds an
// effect of the given size with TargetPower: that of the two-sided t test and one more for the sign-flip test, and at
// least as many as the latter needs to reject at all. It does not exist without an effect, or beyond a million.
func UnitsNeeded(sd, effect, level float64) Number { return UnitsFor(TargetPower, sd, effect, level) }

// UnitsFor is UnitsNeeded for another power.
func UnitsFor(target, sd, effect, level float64) Number {
	if !(effect > 0) || math.IsNaN(sd) {
		return missing
	}
	// The normal approximation with its first correction is within a few pairs of the answer; step out from there.
	z := normalUpper(level / 2)
	ratio := (z + normalUpper(1-target)) * sd / effect
	guess := ratio*ratio + z*z/2
	if guess > mostUnits {
		return missing
	}
	enough := func(n int) bool { return Power(n, sd, effect, level) >= target }
	low, high := max(2, int(guess)), max(2, int(guess))
	for step := 1; !enough(high); step *= 2 {
		if low, high = high+1, high+step; high > mostUnits {
			return missing
		}
	}
	for step := 1; low > 2 && enough(low); step *= 2 {
		low, high = max(2, low-step), low
	}
	n := low + sort.Search(high-low, func(i int) bool { return enough(low + i) })
	return Number(max(n+flipUnits, SmallestUnits(level)))
}

// boundConfidence is how often UpperSD lies above the standard deviation that it bounds. A plan made with it has its
// power in four runs of five; one made with the estimate itself has it in half of them.
const boundConfidence = 0.8

// UpperSD is the upper confidence bound of a standard deviation of which sd is an estimate with df degrees of freedom:
// df sd² over the variance is chi-square distributed, for normal differences. It does not exist without df.
func UpperSD(sd float64, df int) float64 {
	if df < 1 {
		return math.NaN()
	}
	return sd * math.Sqrt(float64(df)/distuv.ChiSquared{K: float64(df)}.Quantile(1-boundConfidence))
}

// pairsOfUnits is how many pairs so many units are, in whole blocks, where the units seen are of so many pairs.
func pairsOfUnits(units Number, pairs, seen int) Number {
	if !units.Exists() {
		return missing
	}
	return Number(blockPairs * math.Ceil(float64(units)*float64(pairs)/float64(seen)/blockPairs))
}

// MinimumDetectableEffect is the effect, in units of d, that n units find with TargetPower: the inverse of
// UnitsNeeded. It does not exist where the sign-flip test cannot reject with n units.
func MinimumDetectableEffect(n int, sd, level float64) Number {
	if n < SmallestUnits(level) || n < 3 || math.IsNaN(sd) {
		return missing
	}
	units := float64(n - flipUnits)
	return Number(newNoncentral(units-1, level).solve() * sd / math.Sqrt(units))
}

// noncentral is the two-sided t test under alternatives. With S = sqrt(chi²/df), T > c is Z > c S for a normal Z of
// mean noncentrality, so the power is the mean over S of two normal tails.
type noncentral struct {
	df, critical float64
	s, mass      []float64 // nodes of S, and its density there times the weight of the rule
}

func newNoncentral(df, level float64) noncentral {
	r := noncentral{df: df, critical: studentCritical(level, df)}
	// S has mean close to 1 and sd close to 1/sqrt(2 df); nine of them either side leave out less than 1e-15.
	spread := 9 / math.Sqrt(2*df)
	low, high := max(0, 1-spread), 1+spread
	gamma, _ := math.Lgamma(df / 2)
	constant := math.Ln2 + df/2*math.Log(df/2) - gamma
	rule := powerNodes()
	for i, node := range rule.x {
		s := low + (high-low)*node*node // squared: with one degree of freedom the tails turn at an S of 1/critical
		density := math.Exp(constant + (df-1)*math.Log(s) - df*s*s/2)
		r.s = append(r.s, s)
		r.mass = append(r.mass, 2*node*(high-low)*rule.weight[i]*density)
	}
	return r
}

// power is P(|T| > critical).
func (r noncentral) power(noncentrality float64) float64 {
	total := 0.0
	for i, s := range r.s {
		total += r.mass[i] * (normalTail(r.critical*s-noncentrality) + normalTail(r.critical*s+noncentrality))
	}
	return min(1, total)
}

// solve returns the noncentrality with TargetPower, by the secant method.
func (r noncentral) solve() float64 {
	x0 := r.critical + normalUpper(1-TargetPower)
	x1 := x0 * (1 + 0.1/r.df)
	y0, y1 := r.power(x0)-TargetPower, r.power(x1)-TargetPower
	for range 50 {
		if y1 == y0 || math.Abs(x1-x0) < 1e-13*x1 {
			break
		}
		x0, x1, y0 = x1, x1-y1*(x1-x0)/(y1-y0), y1
		y1 = r.power(x1) - TargetPower
	}
	return x1
}

// nodes are those of a Gauss-Legendre rule on [0, 1].
type nodes struct{ x, weight []float64 }

func legendre(n int) nodes {
	r := nodes{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(r.x, r.weight, 0, 1)
	return r
}

// powerNodes resolves an integrand no narrower than an eighteenth of its range to rounding.
var powerNodes = sync.OnceValue(func() nodes { return legendre(64) })

// normalTail is P(Z >= z).
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// normalUpper is the z with P(Z >= z) = p.
func normalUpper(p float64) float64 { return -distuv.UnitNormal.Quantile(p) }

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

// flipUnits is the number of units that a verdict needs beyond the t test, because the sign-flip test must reject too.
// With many units the tests agree; with few, the sign-flip test's p-values are coarse. TestPowerAtPlannedEffect checks
// this value.
const flipUnits = 1

// mostUnits bounds the search for a number of units.
const mostUnits = 1_000_000

// Power is the probability that the two-sided t test of n normal differences with mean effect and standard deviation sd
// rejects at the level.
func Power(n int, sd, effect, level float64) float64 {
	if sd == 0 {
		if effect == 0 {
			return level
		}
		return 1
	}
	return newNoncentral(float64(n-1), level).power(math.Abs(effect) / sd * math.Sqrt(float64(n)))
}

// UnitsNeeded is the number of units, with standard deviation sd, at which a verdict detects an effect with
// TargetPower. It is the number for the two-sided t test plus flipUnits, and at least SmallestUnits. It does not exist
// for an effect of 0, or beyond a million.
func UnitsNeeded(sd, effect, level float64) Number { return UnitsFor(TargetPower, sd, effect, level) }

// UnitsFor is UnitsNeeded for a given power.
func UnitsFor(target, sd, effect, level float64) Number {
	if !(effect > 0) || math.IsNaN(sd) {
		return missing
	}
	// The corrected normal approximation is within a few units of the answer; step out from there.
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

// boundConfidence is the probability that UpperSD exceeds the true standard deviation. A plan with UpperSD reaches its
// power in four of five runs; a plan with the point estimate, in half of them.
const boundConfidence = 0.8

// UpperSD is the upper confidence bound of a standard deviation with estimate sd and df degrees of freedom: for normal
// differences, df sd² over the variance is chi-square distributed. It is NaN if df is 0.
func UpperSD(sd float64, df int) float64 {
	if df < 1 {
		return math.NaN()
	}
	return sd * math.Sqrt(float64(df)/distuv.ChiSquared{K: float64(df)}.Quantile(1-boundConfidence))
}

// pairsOfUnits converts a number of units to pairs, in whole blocks, given that seen units had the given pairs.
func pairsOfUnits(units Number, pairs, seen int) Number {
	if !units.Exists() {
		return missing
	}
	return Number(blockPairs * math.Ceil(float64(units)*float64(pairs)/float64(seen)/blockPairs))
}

// MinimumDetectableEffect is the effect, in units of d, that n units detect with TargetPower: the inverse of
// UnitsNeeded. It does not exist if the sign-flip test cannot reject with n units.
func MinimumDetectableEffect(n int, sd, level float64) Number {
	if n < SmallestUnits(level) || n < 3 || math.IsNaN(sd) {
		return missing
	}
	units := float64(n - flipUnits)
	return Number(newNoncentral(units-1, level).solve() * sd / math.Sqrt(units))
}

// noncentral is the two-sided t test under alternatives. With S = sqrt(chi²/df), T > c is Z > c S for a normal Z with
// mean noncentrality, so the power is the mean over S of two normal tails.
type noncentral struct {
	df, critical float64
	s, mass      []float64 // nodes of S, and its density there times the weight of the rule
}

func newNoncentral(df, level float64) noncentral {
	r := noncentral{df: df, critical: studentCritical(level, df)}
	// S has mean near 1 and sd near 1/sqrt(2 df); the range of ±9 sd omits less than 1e-15.
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

// nodes are the nodes and weights of a Gauss-Legendre rule on [0, 1].
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

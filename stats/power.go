package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// TargetPower is the power that PairsNeeded and MinimumDetectableEffect plan for.
const TargetPower = 0.8

// wilcoxonAllowance is what a verdict needs beyond the t test's pairs because the signed-rank test must reject too.
// Its asymptotic efficiency for normal d is 3/pi, which is 5 % more pairs; small samples take the rest.
const wilcoxonAllowance = 1.08

// mostPairs is where the search for pairs gives up: nobody measures a million.
const mostPairs = 1_000_000

// Power is the probability that the two-sided t test of n normal differences with standard deviation sd rejects at
// the level when their mean is effect.
func Power(n int, sd, effect, level float64) float64 {
	if sd == 0 {
		if effect == 0 {
			return level
		}
		return 1
	}
	return powerAt(math.Abs(effect)/sd*math.Sqrt(float64(n)), float64(n-1), level)
}

// PairsNeeded is the number of pairs with which a verdict finds an effect of the given size with TargetPower: that of
// the two-sided t test, plus 8 % for the signed-rank test, and at least as many as the latter needs to reject at all.
// It does not exist without an effect, or beyond a million.
func PairsNeeded(sd, effect, level float64) Number {
	if !(effect > 0) || math.IsNaN(sd) {
		return missing
	}
	low, high := 1, 2 // low is too few, high is tried
	for Power(high, sd, effect, level) < TargetPower {
		low, high = high, 2*high
		if low > mostPairs {
			return missing
		}
	}
	for high-low > 1 {
		if middle := (low + high) / 2; Power(middle, sd, effect, level) < TargetPower {
			low = middle
		} else {
			high = middle
		}
	}
	return Number(max(math.Ceil(wilcoxonAllowance*float64(high)), float64(SmallestPairs(level))))
}

// MinimumDetectableEffect is the effect, in units of d, that n pairs find with TargetPower: the inverse of
// PairsNeeded, 8 % included. It does not exist where the signed-rank test cannot reject with n pairs.
func MinimumDetectableEffect(n int, sd, level float64) Number {
	if n < SmallestPairs(level) || math.IsNaN(sd) {
		return missing
	}
	pairs := float64(n) / wilcoxonAllowance
	return Number(noncentrality(pairs-1, level) * sd / math.Sqrt(pairs))
}

// noncentrality returns the noncentrality at which the two-sided t test has TargetPower, by the secant method from
// the normal approximation.
func noncentrality(df, level float64) float64 {
	x0 := normalUpper(level/2) + normalUpper(1-TargetPower)
	x1 := x0 * (1 + 1/df)
	y0, y1 := powerAt(x0, df, level)-TargetPower, powerAt(x1, df, level)-TargetPower
	for range 50 {
		if y1 == y0 || math.Abs(x1-x0) < 1e-13*x1 {
			break
		}
		x0, x1, y0 = x1, x1-y1*(x1-x0)/(y1-y0), y1
		y1 = powerAt(x1, df, level) - TargetPower
	}
	return x1
}

// powerAt is P(|T| > critical) for a noncentral t. With S = sqrt(chi²/df), T > c is Z > c S for a normal Z of mean
// noncentrality, so the power is the mean over S of two normal tails.
func powerAt(noncentrality, df, level float64) float64 {
	critical := studentCritical(level, df)
	// S has mean close to 1 and sd close to 1/sqrt(2 df); ten of them either side leave out less than 1e-15.
	spread := 10 / math.Sqrt(2*df)
	low, high := max(0, 1-spread), 1+spread
	gamma, _ := math.Lgamma(df / 2)
	constant := math.Ln2 + df/2*math.Log(df/2) - gamma
	total := 0.0
	for i, node := range powerNodes().x {
		s := low + (high-low)*node
		density := math.Exp(constant + (df-1)*math.Log(s) - df*s*s/2)
		total += powerNodes().weight[i] * density * (normalTail(critical*s-noncentrality) + normalTail(critical*s+noncentrality))
	}
	return min(1, total*(high-low))
}

// nodes are those of a Gauss-Legendre rule on [0, 1].
type nodes struct{ x, weight []float64 }

func legendre(n int) nodes {
	r := nodes{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(r.x, r.weight, 0, 1)
	return r
}

// powerNodes is enough for an integrand no narrower than a twentieth of its range.
var powerNodes = sync.OnceValue(func() nodes { return legendre(96) })

// normalTail is P(Z >= z).
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// normalUpper is the z with P(Z >= z) = p.
func normalUpper(p float64) float64 { return -distuv.UnitNormal.Quantile(p) }

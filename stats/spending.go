package stats

import (
	"math"
)

// spent is the error rate spent on both sides together when a fraction of the planned pairs has been seen: twice the
// O'Brien-Fleming-type function 2 (1 - Phi(z_(alpha/4) / sqrt fraction)) of Lan and DeMets at alpha/2 a side.
func spent(fraction, alpha float64) float64 {
	if fraction >= 1 {
		return alpha
	}
	return 4 * normalTail(normalUpper(alpha/4)/math.Sqrt(fraction))
}

// spentEarly is the one-sided error rate spent by a test of equivalence, by the Pocock-type function
// alpha ln(1 + (e - 1) fraction) of Lan and DeMets: it lets early looks find that there is nothing to be found, where
// that of O'Brien and Fleming would wait.
func spentEarly(fraction, alpha float64) float64 {
	return alpha * min(1, math.Log1p((math.E-1)*fraction))
}

// farthest is a z that no path reaches: the bound of a side at which a test does not stop.
const farthest = 9

// monitor follows the score process of a group-sequential test under its null hypothesis: a Brownian motion seen at
// the fractions of its looks, of which only the paths that no look has stopped remain. The density of those is kept on
// the nodes of a Gauss-Legendre rule (Armitage, McPherson and Rowe; Jennison and Turnbull, chapter 19).
type monitor struct {
	fraction float64   // of the last look, 0 before the first
	at, mass []float64 // scores, and the density there times the weight of the rule
}

// crossing is the probability that a path which went on at the last look is at or above z sqrt(fraction) in the next.
func (m *monitor) crossing(z, fraction float64) float64 {
	if m.fraction == 0 {
		return normalTail(z)
	}
	step, bound := math.Sqrt(fraction-m.fraction), z*math.Sqrt(fraction)
	total := 0.0
	for i, at := range m.at {
		total += m.mass[i] * normalTail((bound-at)/step)
	}
	return total
}

// boundary returns the z that paths reach or exceed with the given probability at the next look, by bisection.
func (m *monitor) boundary(probability, fraction float64) float64 {
	if m.fraction == 0 {
		return normalUpper(probability)
	}
	low, high := 0.0, 40.0
	for range 200 {
		middle := (low + high) / 2
		if middle == low || middle == high {
			break
		}
		if m.crossing(middle, fraction) > probability {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// proceed moves the density to the next look and keeps what lies inside low to high, in units of z.
func (m *monitor) proceed(low, high, fraction float64) {
	step, from := math.Sqrt(fraction-m.fraction), low*math.Sqrt(fraction)
	width := high*math.Sqrt(fraction) - from
	// Ten nodes for each step width resolve a normal density of that width to rounding.
	rule := legendre(max(64, int(math.Ceil(10*width/step))))
	next := monitor{fraction, make([]float64, len(rule.x)), make([]float64, len(rule.x))}
	for i, x := range rule.x {
		next.at[i] = from + width*x
		next.mass[i] = width * rule.weight[i] * m.density(next.at[i], step)
	}
	*m = next
}

// density is that of the score at the next look, a step further, before anything is cut off.
func (m *monitor) density(score, step float64) float64 {
	if m.fraction == 0 {
		return normalDensity(score/step) / step
	}
	total := 0.0
	for i, at := range m.at {
		total += m.mass[i] * normalDensity((score-at)/step)
	}
	return total / step
}

func normalDensity(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

package stats

import (
	"math"
)

// spent is the two-sided error rate spent when a fraction of the planned pairs has been measured: twice the
// O'Brien-Fleming-type function 2 (1 - Phi(z_(alpha/4) / sqrt fraction)) of Lan and DeMets at alpha/2 per side.
func spent(fraction, alpha float64) float64 {
	if fraction >= 1 {
		return alpha
	}
	return 4 * normalTail(normalUpper(alpha/4)/math.Sqrt(fraction))
}

// spentEarly is the one-sided error rate spent by an equivalence test, by the Pocock-type function alpha ln(1 + (e - 1)
// fraction) of Lan and DeMets. It allows early stops for equivalence, which the O'Brien-Fleming type would delay.
func spentEarly(fraction, alpha float64) float64 {
	return alpha * min(1, math.Log1p((math.E-1)*fraction))
}

// farthest is a z that no path reaches: the bound on a side where the test does not stop.
const farthest = 9

// monitor follows the score process of a group-sequential test under its null hypothesis: a Brownian motion observed at
// the fractions of its analyses, restricted to the paths that have not stopped. Their density is tabulated at the nodes
// of a Gauss-Legendre rule (Armitage, McPherson and Rowe; Jennison and Turnbull, chapter 19).
type monitor struct {
	fraction float64   // of the last analysis, 0 before the first
	at, mass []float64 // scores, and the density there times the rule's weight
}

// crossing is the probability that a continuing path is at least z sqrt(fraction) at the next analysis.
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

// boundary returns the z that paths reach with the given probability at the next analysis, by bisection.
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

// proceed advances the density to the next analysis and keeps the part within low to high, in units of z.
func (m *monitor) proceed(low, high, fraction float64) {
	step, from := math.Sqrt(fraction-m.fraction), low*math.Sqrt(fraction)
	width := high*math.Sqrt(fraction) - from
	// Ten nodes per step width resolve a normal density of that width to rounding error.
	rule := legendre(max(64, int(math.Ceil(10*width/step))))
	next := monitor{fraction, make([]float64, len(rule.x)), make([]float64, len(rule.x))}
	for i, x := range rule.x {
		next.at[i] = from + width*x
		next.mass[i] = width * rule.weight[i] * m.density(next.at[i], step)
	}
	*m = next
}

// density is the density of the score at the next analysis, before truncation.
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

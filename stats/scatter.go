package stats

import (
	"math"
	"slices"
)

// WarnScatter marks arms with different scatter.
const WarnScatter WarningKind = "scatter"

// A ScatterTest tests whether the two arms of a paired comparison have equal scatter. Tests of means miss such
// differences: if 2 % of head's proofs take 50 % longer, head's mean is within 1 % of base's.
type ScatterTest struct {
	// Ratio is b's root mean square deviation from its median, divided by a's. The log scale uses logarithms.
	Ratio Number `json:"ratio"`
	P     Number `json:"p"` // two-sided
}

// CompareScatter runs the test. Let x and y be the deviations of a and b from their medians, taken per host. x + y and
// x - y are uncorrelated if and only if both have equal variance, whatever the pairs have in common (Pitman 1939, "A
// note on normal correlation", Biometrika 31; Morgan 1939, in the same volume). Their product is x² - y², and the test
// is Student's for a mean of 0.
//
// The denominator is the observed scatter of the products, not the scatter implied by a normal distribution, so that
// rare slow proofs do not cause a rejection by themselves. If k proofs of one arm are slow, t is about the square root
// of k: fewer than seven are never significant at 1 %.
func CompareScatter(pairs []Pair, scale Scale) ScatterTest {
	r := ScatterTest{missing, missing}
	if len(pairs) < 3 {
		return r
	}
	x, y := make([]float64, 0, len(pairs)), make([]float64, 0, len(pairs))
	for _, own := range byHost(pairs) {
		a, b := arms(own)
		x, y = append(x, deviations(a, scale)...), append(y, deviations(b, scale)...)
	}
	products := make([]float64, len(x))
	var sumX, sumY float64
	for i := range x {
		sumX += x[i] * x[i]
		sumY += y[i] * y[i]
		products[i] = x[i]*x[i] - y[i]*y[i]
	}
	r.Ratio = Number(math.Sqrt(sumY / sumX))
	if t := PairedT(products, DefaultAlpha); !t.constant() {
		r.P = t.P
	}
	return r
}

// deviations returns the deviations from the median, of logarithms on the log scale. A value without a logarithm gives
// NaN, which makes the test not exist.
func deviations(values []float64, scale Scale) []float64 {
	out := slices.Clone(values)
	for i := range out {
		if scale == ScaleLog {
			out[i] = math.Log(out[i])
		}
	}
	middle := median(out)
	for i := range out {
		out[i] -= middle
	}
	return out
}

// scatterWarningP is the p-value under which a difference in scatter is worth a warning.
const scatterWarningP = 0.01

// Warning returns a caveat if the test is significant.
func (s ScatterTest) Warning() (w Warning, ok bool) {
	if !s.P.Exists() || s.P > scatterWarningP || !s.Ratio.Exists() {
		return w, false
	}
	return warning(WarnScatter,
		"head scatters %.2g times as much as base (p = %.2g): the verdict is about typical proofs; inspect the slowest",
		float64(s.Ratio), float64(s.P)), true
}

// Quantile is the value below which the fraction q of a distribution lies, interpolated between two values of the
// sample (definition 7 of Hyndman and Fan 1996, "Sample quantiles in statistical packages", The American Statistician
// 50). It does not exist if the sample is too small to bound the quantile from above: if all values lie below it with a
// probability above 5 %, that is q^n > 0.05. A quantile of 0.9 needs 29 values, and 0.99 needs 299.
func Quantile(values []float64, q float64) Number {
	n := len(values)
	if n == 0 || math.Pow(q, float64(n)) > 0.05 {
		return missing
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(n-1)
	low := int(at)
	high := min(low+1, n-1)
	return Number(sorted[low] + (at-float64(low))*(sorted[high]-sorted[low]))
}

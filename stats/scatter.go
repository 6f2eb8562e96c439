package stats

import (
	"math"
	"slices"
)

// WarnScatter is of arms that scatter differently.
const WarnScatter WarningKind = "scatter"

// A ScatterTest asks whether two arms that were measured in pairs scatter alike, which the tests of means do not look
// at: a head of which one proof in fifty takes half as long again has the mean of base within a hundredth.
type ScatterTest struct {
	// Ratio is the root mean square deviation of b from its median over that of a: on the log scale of relative ones.
	Ratio Number `json:"ratio"`
	P     Number `json:"p"` // two-sided
}

// CompareScatter tests it. With x and y the deviations of a and b from their medians, x + y and x - y are uncorrelated
// where, and only where, both have one variance (Pitman 1939, "A note on normal correlation", Biometrika 31; Morgan
// 1939, in the same volume), whatever pairs have in common. Medians are those of the pair's host. Their product is x^2
// - y^2, and the test is Student's of its mean being 0: with the scatter of these products themselves in the
// denominator, not what a normal distribution would give them, so that rare slow proofs do not make it reject by
// themselves. Among proofs of which k are slow, and on one side alone, t is about the root of k: fewer than seven are
// never told from chance at 1 %.
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

// deviations are those from the median, of logarithms on the log scale. A value without one gives NaN, which no test
// takes.
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

// Warning says what the test found; ok is false where that is nothing.
func (s ScatterTest) Warning() (w Warning, ok bool) {
	if !s.P.Exists() || s.P > scatterWarningP || !s.Ratio.Exists() {
		return w, false
	}
	return warning(WarnScatter,
		"head scatters %.2g times as much as base (p = %.2g): the verdict is of typical proofs, look at the largest ones",
		float64(s.Ratio), float64(s.P)), true
}

// Quantile is the value below which the fraction q of a distribution lies, estimated between two values of the sample
// (definition 7 of Hyndman and Fan 1996, "Sample quantiles in statistical packages", The American Statistician 50). It
// does not exist where the sample is too small to bound it from above: where all of its values are below the quantile
// with a probability of more than 5 %, that is q^n > 0.05. It takes 29 values for 0.9 and 299 for 0.99.
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

package stats

import (
	"fmt"
	"math"
)

// ApartSchema names the JSON of [Apart].
const ApartSchema = "chiasmus.apart/1"

// Apart compares samples that were measured one after the other, so there are no pairs. The tests are for two
// independent samples. Drift between the samples is not excluded, so the strongest verdict is that the samples differ,
// never that head improved or regressed.
type Apart struct {
	Schema      string       `json:"schema"`
	Scale       Scale        `json:"scale"`
	Alpha       float64      `json:"alpha"`
	Comparisons []Comparison `json:"comparisons"`
	Warnings    []Warning    `json:"warnings"`
}

// Comparison is one pair of samples of an [Apart].
type Comparison struct {
	Name            string        `json:"name"`
	Unit            string        `json:"unit"`
	A               SampleSummary `json:"a"`
	B               SampleSummary `json:"b"`
	Welch           Welch         `json:"welch"`
	MannWhitney     RankSum       `json:"mann_whitney"`
	EffectPercent   Number        `json:"effect_percent"` // positive: head's values are lower
	EffectCIPercent Interval      `json:"effect_ci_percent"`
	P               Number        `json:"p"`      // the larger of both tests' p
	PHolm           Number        `json:"p_holm"` // adjusted over all comparisons
	Verdict         ApartVerdict  `json:"verdict"`
}

// SampleSummary describes one sample.
type SampleSummary struct {
	Values int    `json:"values"`
	Mean   Number `json:"mean"`
	SD     Number `json:"sd"`
	Median Number `json:"median"`
}

// Welch is Welch's t test for equal means, with the interval that inverts it. On the log scale it tests logarithms.
type Welch struct {
	Mean Number   `json:"mean"` // mean of a minus mean of b
	SE   Number   `json:"se"`
	DF   Number   `json:"df"` // Welch-Satterthwaite; not an integer in general
	T    Number   `json:"t"`
	P    Number   `json:"p"` // two-sided
	CI   Interval `json:"ci"`
}

// ApartVerdict is the answer of a [Comparison].
type ApartVerdict string

// The verdicts on samples that were measured apart.
const (
	ApartDiffers ApartVerdict = "differs (not interleaved)"             // both tests reject
	ApartPerhaps ApartVerdict = "perhaps differs (not interleaved)"     // one does
	ApartUnknown ApartVerdict = "no difference found (not interleaved)" // neither does
)

// WarnNotInterleaved marks samples that were measured one after the other.
const WarnNotInterleaved WarningKind = "not interleaved"

// CompareApart compares every pair of samples, base first, on the log or the difference scale. Holm's procedure adjusts
// the p-values over all comparisons.
func CompareApart(sides [][2]Samples, scale Scale, alpha float64) (Apart, error) {
	r := Apart{Schema: ApartSchema, Scale: scale, Alpha: alpha}
	if err := checkAlpha(alpha); err != nil {
		return r, err
	}
	if scale != ScaleLog && scale != ScaleDifference {
		return r, fmt.Errorf("scale %s needs pairs, but these values were not measured in pairs: want log or difference",
			scale)
	}
	if len(sides) == 0 {
		return r, fmt.Errorf("no samples: there is nothing to compare")
	}
	var p, welch, ranks []Number
	for _, side := range sides {
		c, err := compareSamples(side[0], side[1], scale, alpha)
		if err != nil {
			return r, err
		}
		r.Comparisons = append(r.Comparisons, c)
		p, welch, ranks = append(p, c.P), append(welch, c.Welch.P), append(ranks, c.MannWhitney.P)
	}
	adjusted, adjustedWelch, adjustedRanks := Holm(p), Holm(welch), Holm(ranks)
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.PHolm, c.Verdict = adjusted[i], ApartUnknown
		switch {
		case float64(adjusted[i]) <= alpha:
			c.Verdict = ApartDiffers
		case float64(adjustedWelch[i]) <= alpha, float64(adjustedRanks[i]) <= alpha:
			c.Verdict = ApartPerhaps
		}
	}
	r.Warnings = []Warning{warning(WarnNotInterleaved,
		"base and head were measured one after the other: drift between them cannot be distinguished from a difference")}
	return r, nil
}

// compareSamples runs both tests on two samples.
func compareSamples(base, head Samples, scale Scale, alpha float64) (Comparison, error) {
	c := Comparison{Name: head.Name, Unit: head.Unit, EffectPercent: missing, EffectCIPercent: noInterval, P: missing}
	a, err := base.on(scale)
	if err != nil {
		return c, err
	}
	b, err := head.on(scale)
	if err != nil {
		return c, err
	}
	c.A, c.B = describe(base.Values), describe(head.Values)
	c.Welch, c.MannWhitney = WelchT(a, b, alpha), MannWhitney(base.Values, head.Values)
	if c.Welch.P.Exists() {
		c.P = max(c.Welch.P, c.MannWhitney.P)
	}
	meanA := float64(c.A.Mean)
	c.EffectPercent = Number(percent(float64(c.Welch.Mean), scale, meanA))
	if c.Welch.CI.Exists() {
		low, high := percent(c.Welch.CI.Low, scale, meanA), percent(c.Welch.CI.High, scale, meanA)
		c.EffectCIPercent = Interval{min(low, high), max(low, high)}
	}
	return c, nil
}

// on converts the values to a scale, and fails on a value that the scale cannot take.
func (s Samples) on(scale Scale) ([]float64, error) {
	out := make([]float64, len(s.Values))
	for i, x := range s.Values {
		if out[i] = x; scale != ScaleLog {
			continue
		}
		if x <= 0 {
			return nil, fmt.Errorf("%s: value %d is %g: the log scale needs values above 0 (--scale difference does not)",
				s.Name, i+1, x)
		}
		out[i] = math.Log(x)
	}
	return out, nil
}

func describe(values []float64) SampleSummary {
	t := PairedT(values, DefaultAlpha)
	return SampleSummary{Values: len(values), Mean: t.Mean, SD: t.SD, Median: Number(median(values))}
}

// WelchT tests whether a and b have equal means (Welch, "The generalization of Student's problem when several different
// population variances are involved", 1947). It needs at least two values in each sample.
//
// If all values of each sample are equal there is no t: p is 1 if the means are equal, else 0.
func WelchT(a, b []float64, level float64) Welch {
	r := Welch{Mean: missing, SE: missing, DF: missing, T: missing, P: missing, CI: noInterval}
	if len(a) == 0 || len(b) == 0 {
		return r
	}
	meanA, squaresA := meanAndSquares(a)
	meanB, squaresB := meanAndSquares(b)
	mean := meanA - meanB
	r.Mean = Number(mean)
	if len(a) < 2 || len(b) < 2 {
		return r
	}
	n, m := float64(len(a)), float64(len(b))
	varA, varB := squaresA/(n-1)/n, squaresB/(m-1)/m
	if varA+varB == 0 {
		r.SE, r.P, r.CI = 0, certain(mean == 0), Interval{mean, mean}
		return r
	}
	se := math.Sqrt(varA + varB)
	df := (varA + varB) * (varA + varB) / (varA*varA/(n-1) + varB*varB/(m-1))
	half := studentCritical(level, df) * se
	r.SE, r.DF, r.T = Number(se), Number(df), Number(mean/se)
	r.P, r.CI = Number(studentTwoSided(mean/se, df)), Interval{mean - half, mean + half}
	return r
}

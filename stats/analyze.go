package stats

import (
	"errors"
	"math"
	"slices"
)

// Schema names the JSON of a Result. Its keys do not change within a version.
const Schema = "chiasmus.stats/1"

// Result is everything that is known about a set of pairs. Marshalled, it is the JSON of Schema: numbers that do not
// exist are null, never NaN and never left out.
type Result struct {
	Schema                  string        `json:"schema"`
	Pairs                   int           `json:"pairs"`
	Scale                   Scale         `json:"scale"`
	Alpha                   float64       `json:"alpha"`
	MeanA                   Number        `json:"mean_a"`
	MeanB                   Number        `json:"mean_b"`
	MedianD                 Number        `json:"median_d"`
	T                       TTest         `json:"t"`
	Wilcoxon                SignedRank    `json:"wilcoxon"`
	HodgesLehmann           HodgesLehmann `json:"hodges_lehmann"`
	Order                   OrderTest     `json:"order"`
	TOST                    TOST          `json:"tost"`
	Stability               Stability     `json:"stability"`
	PairsNeeded             Number        `json:"pairs_needed"`
	MinimumDetectableEffect Number        `json:"minimum_detectable_effect"`
	EffectPercent           Number        `json:"effect_percent"`
	EffectCIPercent         Interval      `json:"effect_ci_percent"`
	Verdict                 Verdict       `json:"verdict"`
	Warnings                []Warning     `json:"warnings"`
}

// Analyze computes everything, with one look at alpha. It fails on options out of range, no pairs, or a value that
// the scale cannot take, naming it.
func Analyze(pairs []Pair, options Options) (Result, error) {
	options, err := options.complete()
	if err != nil {
		return Result{}, err
	}
	return analyze(pairs, options, options.Alpha, true)
}

// analyze tests at the level, which a sequential plan sets below alpha, and judges equivalence at alpha where that is
// due.
func analyze(pairs []Pair, options Options, level float64, judgeEquivalence bool) (Result, error) {
	if len(pairs) == 0 {
		return Result{}, errors.New("no pairs: there is nothing to analyse")
	}
	d, err := Differences(pairs, options.Scale)
	if err != nil {
		return Result{}, err
	}
	a, b := arms(pairs)
	meanA := mean(a)
	margin := Margin(options.Equivalence, options.Scale, meanA)
	j := judge(d, options, level, margin, judgeEquivalence)
	r := Result{
		Schema: Schema, Pairs: len(pairs), Scale: options.Scale, Alpha: options.Alpha,
		MeanA: Number(meanA), MeanB: Number(mean(b)), MedianD: Number(median(d)),
		T: j.t, Wilcoxon: j.wilcoxon, TOST: j.tost, Verdict: j.verdict,
		HodgesLehmann: PseudoMedian(d, level),
		Order:         OrderEffect(d, orders(pairs), level),
		Stability:     Steadiness(pairs),
	}
	r.PairsNeeded = PairsNeeded(float64(r.T.SD), float64(margin), options.Alpha)
	r.MinimumDetectableEffect = MinimumDetectableEffect(len(d), float64(r.T.SD), options.Alpha)
	r.EffectPercent = Number(percent(float64(r.T.Mean), options.Scale, float64(r.MeanA)))
	low := percent(r.T.CI.Low, options.Scale, float64(r.MeanA))
	high := percent(r.T.CI.High, options.Scale, float64(r.MeanA))
	r.EffectCIPercent = Interval{min(low, high), max(low, high)}
	r.Warnings = r.warnings(pairs, options, level)
	return r, nil
}

// judgement is what a verdict rests on.
type judgement struct {
	t        TTest
	wilcoxon SignedRank
	tost     TOST
	verdict  Verdict
}

// judge makes the tests of a verdict and decides.
func judge(d []float64, options Options, level float64, margin Number, judgeEquivalence bool) judgement {
	j := judgement{t: PairedT(d, level), wilcoxon: WilcoxonSignedRank(d, options.Zeros), tost: noTOST(margin)}
	if judgeEquivalence {
		j.tost = Equivalence(j.t, margin, options.Alpha)
	}
	j.verdict = Decide(j.t, j.wilcoxon, j.tost, level, options.HigherIsBetter)
	return j
}

// P is the p-value of the verdict's question, whether both tests reject: the larger of the two. Families of secondary
// metrics and stages are adjusted on it.
func (r Result) P() Number { return bothP(r.T, r.Wilcoxon) }

func bothP(t TTest, w SignedRank) Number {
	if !t.P.Exists() {
		return missing
	}
	return max(t.P, w.P)
}

// Percent turns an amount in units of d into an effect in percent of base.
func (r Result) Percent(d float64) float64 { return percent(d, r.Scale, float64(r.MeanA)) }

// percent is 100 (1 - exp(-d)) on the log scale, d itself on percent, and 100 d over the mean of a on difference.
func percent(d float64, scale Scale, meanA float64) float64 {
	switch scale {
	case ScaleLog:
		return -100 * math.Expm1(-d)
	case ScalePercent:
		return d
	}
	return 100 * d / meanA
}

// median is the middle of d, or the mean of the two middles.
func median(d []float64) float64 {
	sorted := slices.Sorted(slices.Values(d))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// orders returns the order of each pair.
func orders(pairs []Pair) []Order {
	list := make([]Order, len(pairs))
	for i, p := range pairs {
		list[i] = p.Order
	}
	return list
}

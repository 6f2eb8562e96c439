package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Result is the full analysis of a set of pairs. Its JSON follows Schema: a number that does not exist is null, never
// NaN and never omitted.
type Result struct {
	Schema string `json:"schema"`
	// Phase is 1 if the baseline pre-check decided, 2 if pairs did after one.
	Phase                   int           `json:"tier,omitempty"`
	Pairs                   int           `json:"pairs"`
	Unit                    Unit          `json:"unit"`     // the sampling unit
	Units                   int           `json:"units"`    // the number of sampling units
	Processes               int           `json:"launches"` // processes per arm, 0 if unknown
	Builds                  int           `json:"builds"`   // builds per arm, 0 if unknown
	Scale                   Scale         `json:"scale"`
	Alpha                   float64       `json:"alpha"`
	MeanA                   Number        `json:"mean_a"`
	MeanB                   Number        `json:"mean_b"`
	MedianD                 Number        `json:"median_d"`
	T                       TTest         `json:"t"`         // over units
	SignFlip                SignFlip      `json:"sign_flip"` // over units, or over the hosts' own units if hosts are few
	Spread                  Spread        `json:"spread"`
	Wilcoxon                SignedRank    `json:"wilcoxon"`
	HodgesLehmann           HodgesLehmann `json:"hodges_lehmann"`
	Order                   OrderTest     `json:"order"`
	TOST                    TOST          `json:"tost"`
	Stability               Stability     `json:"stability"`
	PairsNeeded             Number        `json:"pairs_needed"` // see plan, also for the next field
	MinimumDetectableEffect Number        `json:"minimum_detectable_effect"`
	EffectPercent           Number        `json:"effect_percent"`
	EffectCIPercent         Interval      `json:"effect_ci_percent"`
	Verdict                 Verdict       `json:"verdict"`
	Warnings                []Warning     `json:"warnings"`
}

// Analyze computes a complete Result in a single analysis at alpha. If the units are hosts, and too few for the
// sign-flip test to reach alpha, that test flips the signs of the hosts' own units instead. Analyze fails on options
// out of range, on no pairs, and on a value that the scale cannot take.
func Analyze(pairs []Pair, options Options) (Result, error) {
	options, err := options.complete()
	if err != nil {
		return Result{}, err
	}
	return analyze(pairs, options, options.Alpha, options.Alpha)
}

// analyze tests for a difference at level, and for equivalence at a one-sided level, which a sequential plan sets below
// alpha. An equivalence level of 0 skips that test.
func analyze(pairs []Pair, options Options, level, equivalence float64) (Result, error) {
	if len(pairs) == 0 {
		return Result{}, errors.New("no pairs: there is nothing to analyse")
	}
	of, err := Differences(pairs, options.Scale)
	if err != nil {
		return Result{}, err
	}
	if options.Unit == "" {
		options.Unit = UnitOf(pairs, options.Alpha)
	}
	if options.Unit != UnitPair && distinct(pairs, options.Unit) == 0 {
		return Result{}, fmt.Errorf("sampling unit %s: not every pair names its %[1]s", options.Unit)
	}
	d := unitDifferences(of, pairs, options.Unit)
	a, b := arms(pairs)
	meanA := mean(a)
	margin := options.margin(pairs)
	flipped := d
	if options.Unit == UnitHost && smallestP(len(d))*float64(max(1, options.Family)) > level {
		flipped = hostShares(of, pairs, options.Alpha)
	}
	j := judge(d, flipped, options, level, margin, equivalence)
	r := Result{
		Schema: Schema, Pairs: len(pairs), Unit: options.Unit, Units: len(d), Scale: options.Scale, Alpha: options.Alpha,
		MeanA: Number(meanA), MeanB: Number(mean(b)), MedianD: Number(median(of)),
		Processes: distinct(pairs, UnitProcess), Builds: distinct(pairs, UnitBuild),
		T: j.t, SignFlip: j.flips, TOST: j.tost, Verdict: j.verdict,
		Spread:        spreadOf(of, pairs, options.Unit),
		Wilcoxon:      WilcoxonSignedRank(d, options.Zeros),
		HodgesLehmann: PseudoMedian(d, level),
		Order:         OrderEffect(of, orders(pairs), level),
		Stability:     Steadiness(pairs),
	}
	r.plan(float64(margin), options)
	r.EffectPercent = Number(percent(float64(r.T.Mean), options.Scale, float64(r.MeanA)))
	low := percent(r.T.CI.Low, options.Scale, float64(r.MeanA))
	high := percent(r.T.CI.High, options.Scale, float64(r.MeanA))
	r.EffectCIPercent = Interval{min(low, high), max(low, high)}
	r.Warnings = r.warnings(pairs, options, level)
	return r, nil
}

// plan sets the pairs that a run of this noise needs and the effect that this run could detect. Both use UpperSD: a
// plan with the point estimate of the standard deviation misses its power in half of the runs. The detectable effect is
// at least the margin, because a smaller effect may be called equivalent.
func (r *Result) plan(margin float64, options Options) {
	sd := UpperSD(float64(r.T.SD), r.T.DF)
	alpha := options.Alpha / float64(max(1, options.Family))
	r.PairsNeeded = pairsOfUnits(UnitsNeeded(sd, margin, alpha), r.Pairs, r.Units)
	r.MinimumDetectableEffect = MinimumDetectableEffect(r.Units, sd, alpha)
	if float64(r.MinimumDetectableEffect) < margin {
		r.MinimumDetectableEffect = Number(margin)
	}
}

// judgement holds a verdict and its tests.
type judgement struct {
	t       TTest
	flips   SignFlip
	tost    TOST
	verdict Verdict
}

// judge tests the differences of units and decides. flipped are the differences for the sign-flip test: d itself, or
// the differences of the hosts' own units if hosts are too few (see hostShares).
func judge(d, flipped []float64, options Options, level float64, margin Number, equivalence float64) judgement {
	j := judgement{t: PairedT(d, level), flips: SignFlipTest(flipped), tost: noTOST(margin)}
	if equivalence > 0 {
		j.tost = Equivalence(j.t, margin, equivalence)
	}
	j.verdict = Decide(j.t, j.flips, j.tost, level, options.HigherIsBetter)
	return j
}

// margin returns the equivalence margin in units of d.
func (o Options) margin(pairs []Pair) Number {
	a, _ := arms(pairs)
	return Margin(o.Equivalence, o.Scale, mean(a))
}

// P is the p-value for adjusting families of secondary metrics and stages: the p of the t test alone. With few units,
// the smallest p of the sign-flip test is too large to survive multiplication by the family's size.
func (r Result) P() Number { return r.T.P }

// BothP is the p-value of the verdict, for which both tests must reject: the larger of the two. A pre-check has no
// sign-flip test, so BothP is the t test's p.
func (r Result) BothP() Number {
	if !r.SignFlip.P.Exists() {
		return r.T.P
	}
	return bothP(r.T, r.SignFlip)
}

// bothP is the larger of the two p-values.
func bothP(t TTest, flips SignFlip) Number {
	if !t.P.Exists() {
		return missing
	}
	return max(t.P, flips.P)
}

// Percent converts an amount in units of d to an effect in percent of base.
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

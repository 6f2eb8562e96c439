package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Result is everything that is known about a set of pairs. Marshalled, it is the JSON of Schema: numbers that do not
// exist are null, never NaN and never left out.
type Result struct {
	Schema                  string        `json:"schema"`
	Tier                    int           `json:"tier,omitempty"` // of a gate of tiers, the one that decided
	Pairs                   int           `json:"pairs"`
	Unit                    Unit          `json:"unit"`     // what the tests count
	Units                   int           `json:"units"`    // how many of them the pairs are from
	Launches                int           `json:"launches"` // processes of either arm, 0 when unknown
	Builds                  int           `json:"builds"`   // builds of either arm, 0 when unknown
	Scale                   Scale         `json:"scale"`
	Alpha                   float64       `json:"alpha"`
	MeanA                   Number        `json:"mean_a"`
	MeanB                   Number        `json:"mean_b"`
	MedianD                 Number        `json:"median_d"`
	T                       TTest         `json:"t"`         // over units
	SignFlip                SignFlip      `json:"sign_flip"` // over units; of few hosts over theirs
	Spread                  Spread        `json:"spread"`
	Wilcoxon                SignedRank    `json:"wilcoxon"`
	HodgesLehmann           HodgesLehmann `json:"hodges_lehmann"`
	Order                   OrderTest     `json:"order"`
	TOST                    TOST          `json:"tost"`
	Stability               Stability     `json:"stability"`
	PairsNeeded             Number        `json:"pairs_needed"` // see Result.plan, and so the next
	MinimumDetectableEffect Number        `json:"minimum_detectable_effect"`
	EffectPercent           Number        `json:"effect_percent"`
	EffectCIPercent         Interval      `json:"effect_ci_percent"`
	Verdict                 Verdict       `json:"verdict"`
	Warnings                []Warning     `json:"warnings"`
}

// Analyze computes everything, with one look at alpha. Where the units are hosts, and too few for the sign-flip test to
// reach alpha, it flips the signs of their own units instead. It fails on options out of range, no pairs, or a value
// that the scale cannot take, naming it.
func Analyze(pairs []Pair, options Options) (Result, error) {
	options, err := options.complete()
	if err != nil {
		return Result{}, err
	}
	return analyze(pairs, options, options.Alpha, options.Alpha)
}

// analyze tests at the level, and equivalence at a one-sided level, which a sequential plan sets below alpha;
// equivalence is not judged at 0.
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
		return Result{}, fmt.Errorf("the tests count each %s, and not every pair says which it belongs to", options.Unit)
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
		Launches: distinct(pairs, UnitLaunch), Builds: distinct(pairs, UnitBuild),
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

// plan says what a run of this noise takes, and what this one could find. Both rest on UpperSD: a promise by the
// estimate of the standard deviation is broken in every other run. An effect below the margin is never called
// detectable, since a verdict on it may be that it is equivalent.
func (r *Result) plan(margin float64, options Options) {
	sd := UpperSD(float64(r.T.SD), r.T.DF)
	alpha := options.Alpha / float64(max(1, options.Family))
	r.PairsNeeded = pairsOfUnits(UnitsNeeded(sd, margin, alpha), r.Pairs, r.Units)
	r.MinimumDetectableEffect = MinimumDetectableEffect(r.Units, sd, alpha)
	if float64(r.MinimumDetectableEffect) < margin {
		r.MinimumDetectableEffect = Number(margin)
	}
}

// judgement is what a verdict rests on.
type judgement struct {
	t       TTest
	flips   SignFlip
	tost    TOST
	verdict Verdict
}

// judge makes the tests of a verdict over the differences of units and decides. The signs that are flipped are those of
// the same units, but where hosts are too few for that: see hostShares.
func judge(d, flipped []float64, options Options, level float64, margin Number, equivalence float64) judgement {
	j := judgement{t: PairedT(d, level), flips: SignFlipTest(flipped), tost: noTOST(margin)}
	if equivalence > 0 {
		j.tost = Equivalence(j.t, margin, equivalence)
	}
	j.verdict = Decide(j.t, j.flips, j.tost, level, options.HigherIsBetter)
	return j
}

// margin is that of the options in units of d.
func (o Options) margin(pairs []Pair) Number {
	a, _ := arms(pairs)
	return Margin(o.Equivalence, o.Scale, mean(a))
}

// P is what families of secondary metrics and stages are adjusted on: the p-value of t alone, because that of the
// sign-flip test of few units cannot be small enough to be multiplied by the size of a family.
func (r Result) P() Number { return r.T.P }

// BothP is the p-value of the verdict's question, whether both tests reject: the larger of theirs. A result without a
// sign-flip test, which is that of a first tier, has that of t.
func (r Result) BothP() Number {
	if !r.SignFlip.P.Exists() {
		return r.T.P
	}
	return bothP(r.T, r.SignFlip)
}

// bothP is the p-value of the verdict's question, whether both tests reject.
func bothP(t TTest, flips SignFlip) Number {
	if !t.P.Exists() {
		return missing
	}
	return max(t.P, flips.P)
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

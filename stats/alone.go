package stats

import (
	"cmp"
	"math"
	"slices"
)

// Alone is what one run saw of the processes of one build, without pairs: what the first tier of a gate compares.
type Alone struct {
	// At is when, in hours on a clock that all runs share.
	At float64 `json:"at"`
	// Means are of the logarithm of the metric, over the proofs of each process.
	Means []float64 `json:"means"`
}

// known is an estimate of a variance, with its degrees of freedom.
type known struct{ variance, df float64 }

// noise is what processes leave in their mean.
func (a Alone) noise() known {
	n := float64(len(a.Means))
	sd := float64(PairedT(a.Means, DefaultAlpha).SD)
	return known{sd * sd / n, n - 1}
}

// A Move is by how much one build's mean moved from one run to a later one: what the host did, and noise.
type Move struct {
	From, To   float64 // hours
	Difference float64
	Noise      float64 // the variance that the processes explain
}

// FewestMoves is how many moves say how far a host moves, and FewestProcesses how many processes how far one differs
// from another.
const FewestMoves, FewestProcesses = 4, 3

// Moves lists how the host moved over at least so many hours: of each build's runs, given in lists of one build each,
// every run with the newest that lies as far before it. No two of them overlap in time, since what the host does moves
// all builds: they are as many as there can be, those that end first taken first, whatever they say.
func Moves(builds [][]Alone, hours float64) []Move {
	var all []Move
	for _, runs := range builds {
		runs = slices.Clone(runs)
		slices.SortFunc(runs, func(a, b Alone) int { return cmp.Compare(a.At, b.At) })
		for i, to := range runs {
			for _, from := range slices.Backward(runs[:i]) {
				if to.At-from.At >= hours && to.At > from.At {
					explained := from.noise().variance + to.noise().variance
					all = append(all, Move{from.At, to.At, mean(to.Means) - mean(from.Means), explained})
					break
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Move) int { return cmp.Compare(a.To, b.To) })
	var apart []Move
	for _, m := range all {
		if len(apart) == 0 || m.From >= apart[len(apart)-1].To {
			apart = append(apart, m)
		}
	}
	return apart
}

// tierShare is the part of alpha that the first tier may spend.
const tierShare = 0.2

// SplitTiers divides the error rate of a gate of two tiers: first is for head alone against a baseline, second for the
// pairs that follow where that ended nothing. A false call of either has at most the sum of the two, by Bonferroni's
// inequality, whatever the first tier did to the runs that the second one sees. The same holds of false equivalence.
func SplitTiers(alpha float64) (first, second float64) {
	return tierShare * alpha, (1 - tierShare) * alpha
}

// TierMargins is how many margins a change has to lie beyond for the first tier to end a run.
const TierMargins = 10

// width is one estimate of how far the difference of two runs scatters: a standard error and its degrees of freedom.
type width struct{ se, df float64 }

// widths are two estimates for base and head, of which the wider one counts. The first is what the host's moves say:
// their mean square, which is drift and the noise of their own processes, and what the processes of these two runs
// explain beyond that. The second is that of the processes alone (Welch and Satterthwaite), for moves that were small
// by chance.
//
// A move shares a run with the next one. Were all of a move noise of its runs, the mean square of J successive moves
// would have the variance of one with 2 J² / (3 J - 1) degrees of freedom (von Neumann and others, 1941); where it is
// drift that adds up, moves are independent and it has J. The smaller number is taken.
func widths(base, head known, moves []Move) [2]width {
	noise := base.variance + head.variance
	noiseDF := noise * noise / (base.variance*base.variance/base.df + head.variance*head.variance/head.df)
	square, explained := 0.0, 0.0
	count := float64(len(moves))
	for _, m := range moves {
		square += m.Difference * m.Difference / count
		explained += m.Noise / count
	}
	beyond := max(0, noise-explained)
	total := square + beyond
	df := total * total / (square*square/(2*count*count/(3*count-1)) + beyond*beyond/noiseDF)
	return [2]width{{math.Sqrt(total), df}, {math.Sqrt(noise), noiseDF}}
}

// reach is half of the interval of confidence 1 - level.
func (w width) reach(level float64) float64 { return w.se * studentCritical(level, w.df) }

// JudgeAlone compares head alone with a baseline of base. Its verdict is equivalent, or negligible, where the interval
// of confidence 1 - 2 alpha lies within the margin; a change where the one of confidence 1 - alpha lies beyond
// TierMargins margins; else inconclusive, and pairs have to tell. alpha of the options is the first part of SplitTiers;
// the scale is that of logarithms. It is inconclusive, too, with too few moves or processes, or where all times of a
// side are the same.
func JudgeAlone(base, head Alone, moves []Move, options Options) Result {
	r := Result{
		Schema:   Schema,
		Tier:     1,
		Unit:     UnitLaunch,
		Units:    len(head.Means),
		Launches: len(head.Means),
		Scale:    ScaleLog,
		Alpha:    options.Alpha,
		MeanA:    Number(math.Exp(mean(base.Means))),
		MeanB:    Number(math.Exp(mean(head.Means))),
		MedianD:  missing,
		T: TTest{
			Mean:     Number(mean(base.Means) - mean(head.Means)),
			SD:       missing,
			SE:       missing,
			T:        missing,
			P:        missing,
			Critical: missing,
			CI:       noInterval,
		},
		SignFlip:                SignFlip{P: missing, MinP: missing},
		Spread:                  Spread{missing, missing, missing},
		Wilcoxon:                WilcoxonSignedRank(nil, ZerosPratt),
		HodgesLehmann:           PseudoMedian(nil, options.Alpha),
		Order:                   OrderEffect(nil, nil, options.Alpha),
		TOST:                    noTOST(Margin(options.Equivalence, ScaleLog, 1)),
		Stability:               Steadiness(nil),
		PairsNeeded:             missing,
		MinimumDetectableEffect: missing,
		EffectPercent:           missing,
		EffectCIPercent:         noInterval,
		Verdict:                 Inconclusive,
		Warnings:                []Warning{},
	}
	if len(moves) < FewestMoves || len(base.Means) < FewestProcesses || len(head.Means) < FewestProcesses {
		return r
	}
	baseNoise, headNoise := base.noise(), head.noise()
	if !(baseNoise.variance > 0) || !(headNoise.variance > 0) { // all times alike, or no numbers
		return r
	}
	wide := widths(baseNoise, headNoise, moves)
	widest := wide[0]
	if wide[1].reach(options.Alpha) > widest.reach(options.Alpha) {
		widest = wide[1]
	}
	at, half := float64(r.T.Mean), widest.reach(options.Alpha)
	r.T.SE, r.T.DF, r.T.T = Number(widest.se), int(widest.df), Number(at/widest.se)
	r.T.P, r.T.Critical = Number(studentTwoSided(at/widest.se, widest.df)), Number(half/widest.se)
	r.T.CI = Interval{at - half, at + half}
	r.EffectPercent = Number(percent(at, ScaleLog, 1))
	r.EffectCIPercent = Interval{percent(at-half, ScaleLog, 1), percent(at+half, ScaleLog, 1)}
	margin := float64(r.TOST.Margin)
	r.TOST.P = 0
	for _, w := range wide {
		r.TOST.P = max(r.TOST.P, Number(studentUpper((margin-math.Abs(at))/w.se, w.df)))
	}
	r.TOST.Equivalent = float64(r.TOST.P) <= options.Alpha
	beyond := float64(Margin(TierMargins*options.Equivalence, ScaleLog, 1))
	switch {
	case r.TOST.Equivalent && math.Abs(at) > half:
		r.Verdict = Negligible
	case r.TOST.Equivalent:
		r.Verdict = Equivalent
	case at-half > beyond && !options.HigherIsBetter, at+half < -beyond && options.HigherIsBetter:
		r.Verdict = Improvement
	case at+half < -beyond, at-half > beyond:
		r.Verdict = Regression
	}
	return r
}

// PlanAlone is how many blocks head alone is to measure, with so many processes each, before the pairs of a plan of so
// many blocks: the number that makes the run shortest on average where nothing has changed, at so many blocks of pairs
// for one of head's. It is 0 where no number would save a tenth, and where too little is known.
func PlanAlone(base Alone, moves []Move, options Options, blocks, processes int, price float64) int {
	if len(moves) < FewestMoves || len(base.Means) < FewestProcesses {
		return 0
	}
	noise := base.noise()
	if !(noise.variance > 0) {
		return 0
	}
	one := noise.variance * float64(len(base.Means)) // what one process leaves, head's as well
	margin := float64(Margin(options.Equivalence, ScaleLog, 1))
	best, shortest := 0, 0.9*float64(blocks)
	for b := 1; b <= blocks; b++ {
		n := float64(b * processes)
		if n < FewestProcesses {
			continue
		}
		chance := 1.0
		for _, w := range widths(noise, known{one / n, n - 1}, moves) {
			chance = min(chance, max(0, 1-2*normalTail((margin-w.reach(2*options.Alpha))/w.se)))
		}
		if expected := float64(b)*price + (1-chance)*float64(blocks); expected < shortest {
			best, shortest = b, expected
		}
	}
	return best
}

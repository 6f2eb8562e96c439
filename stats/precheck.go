package stats

import (
	"cmp"
	"math"
	"slices"
)

// Unpaired has one run's measurements of one build's processes, without pairs. The baseline pre-check compares two of
// them.
type Unpaired struct {
	// At is the time of the run, in hours on a clock that all runs share.
	At float64 `json:"at"`
	// Means has one mean per process: the mean logarithm of the metric over the process's proofs.
	Means []float64 `json:"means"`
}

// known is an estimate of a variance, with its degrees of freedom.
type known struct{ variance, df float64 }

// noise is the variance of the mean of a.Means, estimated from the scatter between processes.
func (a Unpaired) noise() known {
	n := float64(len(a.Means))
	sd := float64(PairedT(a.Means, DefaultAlpha).SD)
	return known{sd * sd / n, n - 1}
}

// A Move is the shift of one build's mean between two runs. It consists of host drift and process noise.
type Move struct {
	From, To   float64 // hours
	Difference float64
	Noise      float64 // the variance that the processes explain
}

// FewestMoves is the minimum number of moves for an estimate of host drift. FewestProcesses is the minimum number of
// processes for an estimate of the scatter between processes.
const FewestMoves, FewestProcesses = 4, 3

// Moves returns the host's shifts over at least the given hours. builds has one list of runs per build. Each run is
// paired with the newest run of its build that is at least that much older.
//
// Moves never overlap in time, because a shift of the host affects all builds. The selection takes the earliest end
// first, which yields the maximum number of moves and does not depend on their values.
func Moves(builds [][]Unpaired, hours float64) []Move {
	var all []Move
	for _, runs := range builds {
		runs = slices.Clone(runs)
		slices.SortFunc(runs, func(a, b Unpaired) int { return cmp.Compare(a.At, b.At) })
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

// preCheckShare is the fraction of alpha that the pre-check spends.
const preCheckShare = 0.2

// SplitPreCheck divides the error rate of a run with a baseline pre-check. first is the level for head against a
// baseline; second is the level for the pairs that follow if the pre-check was inconclusive. By Bonferroni's
// inequality, the probability of a false call is at most first + second, even though the pre-check selects the runs
// that measure pairs. The same bound holds for false equivalence.
func SplitPreCheck(alpha float64) (first, second float64) {
	return preCheckShare * alpha, (1 - preCheckShare) * alpha
}

// PreCheckMargins is the number of margins that a change must exceed for the pre-check to end a run.
const PreCheckMargins = 10

// width is an estimate of the scatter of the difference of two runs: a standard error and its degrees of freedom.
type width struct{ se, df float64 }

// widths returns two estimates for the difference of base and head; the wider one counts. The first combines the mean
// square of the host's moves (drift plus process noise) with the process noise of these two runs in excess of the
// moves' own. The second is process noise alone (Welch and Satterthwaite), in case the moves were small by chance.
//
// Consecutive moves share a run. If a move were only noise of its runs, the mean square of J successive moves would
// have the variance of a mean square with 2 J² / (3 J - 1) degrees of freedom (von Neumann and others, 1941). If it is
// accumulating drift, moves are independent and there are J. The smaller number is used.
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

// reach is the half-width of the 1 - level confidence interval.
func (w width) reach(level float64) float64 { return w.se * studentCritical(level, w.df) }

// JudgePreCheck compares head with a baseline of base, without pairs. options.Alpha is the first part of SplitPreCheck,
// and the scale is logarithmic. The verdict is Equivalent or Negligible if the 1 - 2 alpha interval lies within the
// margin, a change if the 1 - alpha interval lies beyond PreCheckMargins margins, and otherwise Inconclusive: pairs
// must decide. It is also Inconclusive with too few moves or processes, or if all times of an arm are equal.
func JudgePreCheck(base, head Unpaired, moves []Move, options Options) Result {
	r := Result{
		Schema:    Schema,
		Phase:     1,
		Unit:      UnitProcess,
		Units:     len(head.Means),
		Processes: len(head.Means),
		Scale:     ScaleLog,
		Alpha:     options.Alpha,
		MeanA:     Number(math.Exp(mean(base.Means))),
		MeanB:     Number(math.Exp(mean(head.Means))),
		MedianD:   missing,
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
	if !(baseNoise.variance > 0) || !(headNoise.variance > 0) { // all times equal, or not finite
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
	beyond := float64(Margin(PreCheckMargins*options.Equivalence, ScaleLog, 1))
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

// PlanPreCheck returns the number of blocks to measure of head alone before a plan of the given number of blocks of
// pairs. It minimizes the expected duration when nothing has changed, if one block of pairs costs price blocks of head.
// It returns 0 if no number would save a tenth, or if too little is known.
func PlanPreCheck(base Unpaired, moves []Move, options Options, blocks, processes int, price float64) int {
	if len(moves) < FewestMoves || len(base.Means) < FewestProcesses {
		return 0
	}
	noise := base.noise()
	if !(noise.variance > 0) {
		return 0
	}
	one := noise.variance * float64(len(base.Means)) // variance of one process, assumed equal for head
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

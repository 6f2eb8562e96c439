package stats

import (
	"errors"
	"fmt"
	"slices"
)

// Design is a group-sequential plan: when to analyse the data, and at which level each analysis may stop the run. It is
// fixed before the first pair is measured.
type Design struct {
	Pairs    int               `json:"pairs"` // at the final analysis
	Alpha    float64           `json:"alpha"` // over all analyses, two-sided
	Sampling Sampling          `json:"-"`
	Unit     Unit              `json:"unit"`
	Units    int               `json:"units"` // at the final analysis
	Analyses []Analysis        `json:"looks"`
	LeftOut  []LeftOutAnalysis `json:"left_out"`

	asked int // the requested number of analyses, some of which may coincide
}

// Analysis is one planned analysis of the data.
type Analysis struct {
	Pairs int     `json:"pairs"` // measured by then
	Level float64 `json:"level"` // nominal and two-sided: a p-value at most Level stops the run
	Spent float64 `json:"spent"` // of alpha by then, both sides together
	// Equivalence is the one-sided level at which both equivalence tests stop the run. It has its own alpha.
	Equivalence float64 `json:"equivalence_level"`
}

// LeftOutAnalysis is an analysis whose level the sign-flip test cannot reach. It can stop the run only for equivalence.
type LeftOutAnalysis struct {
	Pairs int     `json:"pairs"`
	Level float64 `json:"level"`
	MinP  float64 `json:"min_p"` // the smallest possible p with this number of units
}

// blockPairs is the number of pairs in a block of four sessions. Analyses happen after whole blocks.
const blockPairs = 2

// fewestUnits is the minimum number of units at an analysis: with fewer, the variance estimate is too poor.
const fewestUnits = 3

// NewDesign plans analyses, spread evenly over an even number of pairs and aligned to the ends of units. Testing for a
// difference spends alpha by the O'Brien-Fleming-type function of Lan and DeMets; each one-sided equivalence test
// spends its alpha by their Pocock-type function. Levels come from numerical integration of the joint distribution of
// the analyses, for normal d with known variance; each analysis then uses Student's t with its own degrees of freedom.
func NewDesign(pairs, analyses int, alpha float64, sampling Sampling) (Design, error) {
	if err := checkAlpha(alpha); err != nil {
		return Design{}, err
	}
	if pairs < blockPairs || pairs%blockPairs != 0 {
		return Design{}, fmt.Errorf("pairs %d: want an even number from %d, because analyses follow whole blocks of %d pairs",
			pairs, blockPairs, blockPairs)
	}
	if blocks := pairs / blockPairs; analyses < 1 || analyses > blocks {
		return Design{}, fmt.Errorf("analyses %d: want 1 to %d, the number of blocks in %d pairs", analyses, blocks, pairs)
	}
	if smallestP(pairs) > alpha {
		return Design{}, fmt.Errorf("pairs %d: the sign-flip test cannot reach alpha %g with fewer than %d", pairs, alpha,
			SmallestUnits(alpha))
	}
	if err := sampling.check(pairs, alpha); err != nil {
		return Design{}, err
	}
	design := Design{Pairs: pairs, Alpha: alpha, Sampling: sampling, LeftOut: []LeftOutAnalysis{}, asked: analyses}
	design.Unit, design.Units = sampling.units(pairs, alpha)
	if analyses == 1 {
		design.Analyses = []Analysis{{pairs, alpha, alpha, alpha}}
		return design, nil
	}
	var either, within monitor // for a difference, and for the equivalence tests
	used, usedWithin := 0.0, 0.0
	for k := 1; k <= analyses; k++ {
		seen, units := design.place(k, analyses)
		if units < fewestUnits || len(design.Analyses) > 0 && seen <= design.Analyses[len(design.Analyses)-1].Pairs {
			continue // both fall at the end of the same unit
		}
		fraction := float64(seen) / float64(pairs)
		budget := spent(fraction, alpha)
		z := either.boundary((budget-used)/2, fraction)
		level := 2 * normalTail(z)
		if len(design.Analyses) == 0 {
			level = budget // what normalTail returns, without its rounding error
		}
		if possible := smallestP(design.unitsAt(seen)); possible > level {
			design.LeftOut = append(design.LeftOut, LeftOutAnalysis{seen, level, possible})
		}
		budgetWithin := spentEarly(fraction, alpha)
		equivalence := within.boundary(budgetWithin-usedWithin, fraction)
		design.Analyses = append(design.Analyses, Analysis{seen, level, budget, normalTail(equivalence)})
		used, usedWithin = budget, budgetWithin
		if k < analyses {
			either.proceed(-z, z, fraction)
			within.proceed(-farthest, equivalence, fraction)
		}
	}
	if last := design.Analyses[len(design.Analyses)-1]; smallestP(design.Units) > last.Level {
		return Design{}, fmt.Errorf("pairs %d with %d analyses: the sign-flip test cannot reach the level of the last one",
			pairs, analyses)
	}
	return design, nil
}

// place returns the position of analysis k: the number of pairs at the end of the unit nearest to its share of the
// blocks, and the number of units by then.
func (design Design) place(k, analyses int) (pairs, units int) {
	blocks := design.Pairs / blockPairs
	if design.Unit == UnitPair {
		pairs = (2*k*blocks + analyses) / (2 * analyses) * blockPairs
		return pairs, pairs
	}
	units = max(1, (2*k*design.Units+analyses)/(2*analyses))
	return (units*blocks + design.Units - 1) / design.Units * blockPairs, units
}

// Sequential is the course of a run under its design: "sequential" in report.json.
type Sequential struct {
	Analyses []AnalysisResult  `json:"looks"`
	LeftOut  []LeftOutAnalysis `json:"left_out"`
}

// AnalysisResult is a planned analysis, with its results once it has taken place.
type AnalysisResult struct {
	Analysis
	P       Number   `json:"p"`             // the larger of the p-values of t and sign-flip
	PWithin Number   `json:"p_equivalence"` // the larger of the two one-sided p-values; null without a margin
	CI      Interval `json:"ci"`            // repeated interval of the mean, in units of d; null before the analysis
	Stopped bool     `json:"stopped"`
}

// Done reports whether the run is over: an analysis stopped it, or the final one has taken place.
func (s Sequential) Done() bool {
	for _, analysis := range s.Analyses {
		if analysis.Stopped {
			return true
		}
	}
	return len(s.Analyses) > 0 && s.Analyses[len(s.Analyses)-1].CI.Exists()
}

// Next returns the number of pairs needed for the next analysis, or 0 if the run is done.
func (s Sequential) Next() int {
	if s.Done() {
		return 0
	}
	for _, analysis := range s.Analyses {
		if !analysis.CI.Exists() {
			return analysis.Pairs
		}
	}
	return 0
}

// Analyze performs the analyses that the pairs reach. An analysis stops the run if the p-values of t and sign-flip are
// both at most its level, or both one-sided equivalence p-values are at most its equivalence level. The result's tests,
// intervals and verdict are those of the last analysis performed, at its levels, so all intervals are repeated
// confidence intervals. If pairs lie beyond the last analysis reached, the result is marked as between analyses and
// inconclusive. Analyze fails if there are more pairs than planned, or pairs after the analysis that stopped: extending
// a finished run invalidates its error rate.
func (design Design) Analyze(pairs []Pair, options Options) (Result, Sequential, error) {
	options.Alpha, options.Unit = design.Alpha, design.Unit
	options, err := options.complete()
	if err != nil {
		return Result{}, Sequential{}, err
	}
	if len(design.Analyses) == 0 {
		return Result{}, Sequential{}, errors.New("a design without analyses: create it with NewDesign")
	}
	d, err := Differences(pairs, options.Scale)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	history, at, err := design.walk(d, pairs, options)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	taken := design.plannedAt(len(pairs))
	if !taken {
		at.Equivalence = 0
	}
	result, err := analyze(pairs, options, at.Level, at.Equivalence)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	if !taken {
		result.Verdict = Inconclusive
		result.Warnings = append(result.Warnings,
			warning(WarnInterim, "%d pairs seen, the next analysis is at %d", len(pairs), history.Next()))
	}
	return result, history, nil
}

// walk performs every analysis that d reaches. It returns the last one performed, or the next one if the pairs lie
// before or between analyses.
func (design Design) walk(d []float64, pairs []Pair, options Options) (history Sequential, at Analysis, err error) {
	if len(d) > design.Pairs {
		return history, at, fmt.Errorf("%d pairs: the design ends at %d, and extending it would break its error rate", len(d),
			design.Pairs)
	}
	history = Sequential{Analyses: make([]AnalysisResult, len(design.Analyses)), LeftOut: design.LeftOut}
	for i, analysis := range design.Analyses {
		history.Analyses[i] = AnalysisResult{Analysis: analysis, P: missing, PWithin: missing, CI: noInterval}
	}
	for i := range history.Analyses {
		analysis := &history.Analyses[i]
		at = analysis.Analysis
		if len(d) < analysis.Pairs {
			break
		}
		seen := pairs[:analysis.Pairs]
		units := unitDifferences(d[:analysis.Pairs], seen, design.Unit)
		j := judge(units, units, options, analysis.Level, options.margin(seen), analysis.Equivalence)
		analysis.P, analysis.PWithin, analysis.CI = bothP(j.t, j.flips), j.tost.P, j.t.CI
		analysis.Stopped = float64(analysis.P) <= analysis.Level || j.tost.Equivalent
		if analysis.Stopped && len(d) > analysis.Pairs {
			return history, at, fmt.Errorf("%d pairs: the analysis at %d stopped the run, and extending it would break its "+
				"error rate", len(d), analysis.Pairs)
		}
		if analysis.Stopped || len(d) == analysis.Pairs {
			break
		}
	}
	return history, at, nil
}

// plannedAt reports whether an analysis is planned at the given number of pairs.
func (design Design) plannedAt(pairs int) bool {
	return slices.ContainsFunc(design.Analyses, func(analysis Analysis) bool { return analysis.Pairs == pairs })
}

package stats

import (
	"errors"
	"fmt"
	"slices"
)

// Design is a group-sequential plan: when to look, and at which level each look may stop the run. It is made before
// the first pair is measured and does not change.
type Design struct {
	Pairs   int           `json:"pairs"` // at the last look
	Alpha   float64       `json:"alpha"` // over all looks, two-sided
	Looks   []Look        `json:"looks"`
	LeftOut []LeftOutLook `json:"left_out"`
}

// Look is one planned look at the data.
type Look struct {
	Pairs int     `json:"pairs"` // seen by then
	Level float64 `json:"level"` // nominal and two-sided: p-values at or under it stop the run
	Spent float64 `json:"spent"` // of alpha by then, both sides together
}

// LeftOutLook is one at which the signed-rank test could not have reached the level.
type LeftOutLook struct {
	Pairs int     `json:"pairs"`
	Level float64 `json:"level"` // it would have had
	MinP  float64 `json:"min_p"` // the smallest p of so many pairs
}

// blockPairs is the number of pairs in a block of four sessions; looks fall on whole blocks.
const blockPairs = 2

// NewDesign plans looks, spread evenly over an even number of pairs, that spend alpha by the O'Brien-Fleming-type
// function of Lan and DeMets. Levels come from numerical integration of the joint distribution of the looks, for
// normal d of known variance; each look then uses Student's t with its own degrees of freedom. A look whose level the
// signed-rank test cannot reach is left out, and what it would have spent stays for the next.
func NewDesign(pairs, looks int, alpha float64) (Design, error) {
	if err := checkAlpha(alpha); err != nil {
		return Design{}, err
	}
	if pairs < blockPairs || pairs%blockPairs != 0 {
		return Design{}, fmt.Errorf("pairs %d: want an even number from %d, because looks fall on whole blocks of %d pairs", pairs, blockPairs, blockPairs)
	}
	if blocks := pairs / blockPairs; looks < 1 || looks > blocks {
		return Design{}, fmt.Errorf("looks %d: want 1 to %d, one for each block of %d pairs", looks, blocks, pairs)
	}
	if smallestP(pairs) > alpha {
		return Design{}, fmt.Errorf("pairs %d: the signed-rank test cannot reach alpha %g with fewer than %d", pairs, alpha, SmallestPairs(alpha))
	}
	design := Design{Pairs: pairs, Alpha: alpha, LeftOut: []LeftOutLook{}}
	if looks == 1 {
		design.Looks = []Look{{pairs, alpha, alpha}}
		return design, nil
	}
	var paths monitor
	used := 0.0
	for k := 1; k <= looks; k++ {
		seen := (2*k*pairs/blockPairs + looks) / (2 * looks) * blockPairs // k/looks of the blocks, rounded
		fraction := float64(seen) / float64(pairs)
		budget := spent(fraction, alpha)
		z := paths.boundary((budget-used)/2, fraction)
		level := 2 * normalTail(z)
		if len(design.Looks) == 0 {
			level = budget // what normalTail would give but for rounding
		}
		if possible := smallestP(seen); possible > level {
			design.LeftOut = append(design.LeftOut, LeftOutLook{seen, level, possible})
			continue
		}
		design.Looks = append(design.Looks, Look{seen, level, budget})
		used = budget
		if k < looks {
			paths.proceed(z, fraction)
		}
	}
	if len(design.Looks) == 0 || design.Looks[len(design.Looks)-1].Pairs != pairs {
		return Design{}, fmt.Errorf("pairs %d with %d looks: the signed-rank test cannot reach the level of the last look", pairs, looks)
	}
	return design, nil
}

// Sequential is how a run went by its design: what report.json shows as "sequential".
type Sequential struct {
	Looks   []LookResult  `json:"looks"`
	LeftOut []LeftOutLook `json:"left_out"`
}

// LookResult is a planned look, and what it saw once it has taken place.
type LookResult struct {
	Look
	P       Number   `json:"p"`  // the larger of the p-values of t and Wilcoxon
	CI      Interval `json:"ci"` // repeated interval of the mean, in units of d; null before the look
	Stopped bool     `json:"stopped"`
}

// Done reports whether the run is over: a look stopped it, or the last one has taken place.
func (s Sequential) Done() bool {
	for _, look := range s.Looks {
		if look.Stopped {
			return true
		}
	}
	return len(s.Looks) > 0 && s.Looks[len(s.Looks)-1].CI.Exists()
}

// Next returns how many pairs must have been measured before there is anything to decide, 0 when the run is done.
func (s Sequential) Next() int {
	if s.Done() {
		return 0
	}
	for _, look := range s.Looks {
		if !look.CI.Exists() {
			return look.Pairs
		}
	}
	return 0
}

// Analyze goes through the looks that the pairs reach. A look stops the run when the p-values of t and Wilcoxon are
// both at or under its level. Tests, intervals and verdict of the result are those of the last look taken, at its level, so
// that all its intervals are repeated ones; equivalence is judged at the last look alone. Pairs that reach no further
// look give a result that is marked as between looks and inconclusive. It fails when there are more pairs than were
// planned, or pairs after the look that stopped: extending a finished run breaks its error rate.
func (design Design) Analyze(pairs []Pair, options Options) (Result, Sequential, error) {
	options.Alpha = design.Alpha
	options, err := options.complete()
	if err != nil {
		return Result{}, Sequential{}, err
	}
	if len(design.Looks) == 0 {
		return Result{}, Sequential{}, errors.New("a design without looks: make it with NewDesign")
	}
	d, err := Differences(pairs, options.Scale)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	history, level, err := design.walk(d, options)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	result, err := analyze(pairs, options, level, len(pairs) == design.Pairs)
	if err != nil {
		return Result{}, Sequential{}, err
	}
	if !design.looksAt(len(pairs)) {
		result.Verdict = Inconclusive
		result.Warnings = append(result.Warnings, warning(WarnInterim, "%d pairs seen, the next look is at %d", len(pairs), history.Next()))
	}
	return result, history, nil
}

// walk takes every look that d reaches. The level returned is that of the last look taken, or before the first look
// and between looks that of the next.
func (design Design) walk(d []float64, options Options) (history Sequential, level float64, err error) {
	if len(d) > design.Pairs {
		return history, 0, fmt.Errorf("%d pairs: the design ends at %d, and extending it would break its error rate", len(d), design.Pairs)
	}
	history = Sequential{Looks: make([]LookResult, len(design.Looks)), LeftOut: design.LeftOut}
	for i, look := range design.Looks {
		history.Looks[i] = LookResult{Look: look, P: missing, CI: noInterval}
	}
	for i := range history.Looks {
		look := &history.Looks[i]
		level = look.Level
		if len(d) < look.Pairs {
			break
		}
		j := judge(d[:look.Pairs], options, level, missing, false)
		look.P, look.CI = bothP(j.t, j.wilcoxon), j.t.CI
		look.Stopped = float64(look.P) <= level
		if look.Stopped && len(d) > look.Pairs {
			return history, 0, fmt.Errorf("%d pairs: the look at %d stopped the run, and extending it would break its error rate", len(d), look.Pairs)
		}
		if look.Stopped || len(d) == look.Pairs {
			break
		}
	}
	return history, level, nil
}

// looksAt reports whether there is a look at so many pairs.
func (design Design) looksAt(pairs int) bool {
	return slices.ContainsFunc(design.Looks, func(look Look) bool { return look.Pairs == pairs })
}

package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// OfHead is the result for one of several heads measured against one base, adjusted for their number. Its p-values come
// from two closed test procedures. The probability that a run calls any unchanged head changed is at most alpha,
// whichever heads have changed.
type OfHead struct {
	P     Number `json:"p"`     // the larger of the next two: both tests must reject
	T     Number `json:"t"`     // of Student's t, by Šidák's step-down procedure
	Flips Number `json:"flips"` // of the randomization test, over all sets of heads that contain this one
	Units int    `json:"units"` // sampling units, of all arms
	// Critical is the quantile of the simultaneous interval: the intervals of a workload jointly have the confidence
	// level.
	Critical        Number   `json:"critical"`
	CI              Interval `json:"ci"` // in units of d
	EffectCIPercent Interval `json:"effect_ci_percent"`
}

// MostHeads is the largest number of heads of one base: the closed procedure tests each of their 2^n - 1 sets.
const MostHeads = 8

// assignments is the number of random arm assignments in a randomization test over several heads. enoughTails is the
// number of assignments at least as extreme as the data after which the test stops early: a p-value far above any level
// need not be exact (Besag and Clifford, Biometrika 78, 1991).
const (
	assignments = 19_999
	enoughTails = 1_000
)

// SmallestHeadsP is the smallest p-value of the randomization test over two or more heads.
const SmallestHeadsP = 1.0 / (assignments + 1)

// CompareHeads judges each head against base; all must have been measured in the same units. The results are those of
// [Analyze] for each head alone, and level is the error rate of all heads together. With one head, P is [Result.BothP]
// and the interval is that of [PairedT].
func CompareHeads(list []Measured, level float64) ([]OfHead, error) {
	if len(list) == 0 || len(list) > MostHeads {
		return nil, fmt.Errorf("%d heads: want 1 to %d", len(list), MostHeads)
	}
	d, err := differencesOfHeads(list)
	if err != nil {
		return nil, err
	}
	t := make([]Number, len(list))
	for i, m := range list {
		t[i] = m.Result.T.P
	}
	t = Sidak(t)
	flips := closedFlips(d)
	out := make([]OfHead, len(list))
	for i, m := range list {
		r := OfHead{P: missing, T: t[i], Flips: flips[i], Units: len(d[i]), Critical: missing, CI: noInterval,
			EffectCIPercent: noInterval}
		if r.T.Exists() {
			r.P = max(r.T, r.Flips)
			each := shareOf(level, len(list))
			critical := studentCritical(each, float64(m.Result.T.DF))
			half, mean := critical*float64(m.Result.T.SE), float64(m.Result.T.Mean)
			r.Critical, r.CI = Number(critical), Interval{mean - half, mean + half}
			low, high := m.Result.Percent(r.CI.Low), m.Result.Percent(r.CI.High)
			r.EffectCIPercent = Interval{min(low, high), max(low, high)}
		}
		out[i] = r
	}
	return out, nil
}

// differencesOfHeads returns each head's unit differences. The units must be the same for all heads.
func differencesOfHeads(list []Measured) ([][]float64, error) {
	var units []int
	d := make([][]float64, len(list))
	for i, m := range list {
		if m.Result == nil || m.Sequential {
			return nil, errors.New("several heads are judged once, at the end: interim analyses have no procedure for them")
		}
		scale, unit := m.Result.Scale, m.Result.Unit
		if scale == ScalePercent && len(list) > 1 {
			return nil, errors.New("several heads are compared on the log or the difference scale: on the percent scale, " +
				"exchanging two arms is more than a change of signs")
		}
		if scale != list[0].Result.Scale || unit != list[0].Result.Unit {
			return nil, fmt.Errorf("head %d is compared on the %s scale over each %s, head 1 on the %s scale over each %s",
				i+1, scale, unit, list[0].Result.Scale, list[0].Result.Unit)
		}
		var err error
		if d[i], err = UnitDifferences(m.Pairs, scale, unit); err != nil {
			return nil, fmt.Errorf("head %d: %w", i+1, err)
		}
		keys := unitKeys(m.Pairs, unit)
		if i == 0 {
			units = keys
		} else if !slices.Equal(keys, units) {
			return nil, fmt.Errorf("head %d was not measured in every %s that head 1 was", i+1, unit)
		}
	}
	return d, nil
}

// Sidak returns adjusted p-values by Šidák's step-down procedure: the k-th smallest of m becomes 1 - (1 - p)^(m-k+1),
// made monotone. It is sharper than [Holm] and valid for t tests against one base (see docs/spec/statistics.md). A p
// that does not exist stays so and does not count in the family.
func Sidak(p []Number) []Number {
	return stepDown(p, func(p float64, left int) float64 { return -math.Expm1(float64(left) * math.Log1p(-p)) })
}

// closedFlips returns the adjusted p-values of the closed procedure: for each head, the largest p of all sets that
// contain it. d holds the unit differences by head.
func closedFlips(d [][]float64) []Number {
	adjusted := make([]Number, len(d))
	for set := uint(1); set < 1<<len(d); set++ {
		p := setP(d, set)
		for i := range d {
			if set>>i&1 == 1 {
				adjusted[i] = max(adjusted[i], p)
			}
		}
	}
	return adjusted
}

// setP is the p-value of the hypothesis that base and all heads of a set run the same code. For one head it is the
// exact sign-flip test.
func setP(d [][]float64, set uint) Number {
	if bits.OnesCount(set) == 1 {
		return SignFlipTest(d[bits.TrailingZeros(set)]).P
	}
	units := valuesOf(d, set)
	arms := bits.OnesCount(set) + 1
	seen := clearest(units)
	if seen == 0 {
		return 1
	}
	seen *= 1 - 1e-12 // summation order changes the rounding
	random := rand.New(rand.NewPCG(0xc81a5b05, uint64(set)))
	tails := 0
	for drawn := 1; drawn <= assignments; drawn++ {
		for _, unit := range units {
			random.Shuffle(arms, func(i, j int) { unit[i], unit[j] = unit[j], unit[i] })
		}
		if clearest(units) < seen {
			continue
		}
		if tails++; tails == enoughTails {
			return Number(float64(tails) / float64(drawn))
		}
	}
	return Number(float64(tails+1) / (assignments + 1))
}

// valuesOf returns, per unit, the values of the set's arms relative to base: 0 for base, which comes first, and -d for
// each head. A constant shared by all arms of a unit does not matter.
func valuesOf(d [][]float64, set uint) [][]float64 {
	units := make([][]float64, len(d[0]))
	for u := range units {
		units[u] = []float64{0}
		for i := range d {
			if set>>i&1 == 1 {
				units[u] = append(units[u], -d[i][u])
			}
		}
	}
	return units
}

// clearest is the largest t² of any head against base, expressed as the monotone equivalent (sum d)² / sum d². It is 0
// if all d are 0, and the number of units if all d are equal. A plain sum would be large by chance if two heads lie far
// apart on opposite sides of base.
func clearest(units [][]float64) float64 {
	most := 0.0
	for head := 1; head < len(units[0]); head++ {
		sum, squares := 0.0, 0.0
		for _, unit := range units {
			d := unit[0] - unit[head]
			sum += d
			squares += d * d
		}
		if squares > 0 {
			most = max(most, sum*sum/squares)
		}
	}
	return most
}

// HolmOfGroups adjusts p-values over groups, such as workloads. Within a group they are already adjusted by a closed
// procedure. Sets across groups are tested by Bonferroni's inequality, which makes the whole a closed procedure. With
// groups of one it is [Holm]. Every p must exist.
//
// For a hypothesis with p-value p and a set that adds m other groups, the least favourable set takes the groups with
// the largest maximal p. Its p is m + 1 times the minimum of p and those maxima.
func HolmOfGroups(groups [][]Number) [][]Number {
	largest := make([]Number, len(groups))
	for g, group := range groups {
		largest[g] = slices.Max(group)
	}
	out := make([][]Number, len(groups))
	for g, group := range groups {
		others := slices.Delete(slices.Clone(largest), g, g+1)
		slices.SortFunc(others, func(a, b Number) int { return cmp.Compare(b, a) })
		out[g] = make([]Number, len(group))
		for i, p := range group {
			out[g][i] = p
			for m, other := range others {
				out[g][i] = max(out[g][i], min(1, Number(m+2)*min(p, other)))
			}
		}
	}
	return out
}

// shareOf is the level of each of n tests at which Šidák's inequality bounds the joint level.
func shareOf(level float64, n int) float64 {
	if n == 1 {
		return level
	}
	return -math.Expm1(math.Log1p(-level) / float64(n))
}

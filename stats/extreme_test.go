package stats

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The tail and the quantile at the extremes of a level and a number of pairs, where gonum's inverse of the incomplete
// beta function is wrong by orders of magnitude (45.4 instead of 6.1 for a level of 1e-9 and 30,880 degrees of
// freedom). The values are mpmath's at 40 digits.
func TestStudentCriticalAtTheEnds(t *testing.T) {
	for _, test := range []struct{ level, df, want float64 }{
		{1e-15, 1, 636619772367581.4}, {1e-15, 13, 45.55365541039514}, {1e-15, 30880, 8.031112745708988},
		{1e-12, 1e4, 7.139758936275992}, {1e-9, 30880, 6.1113062935562406}, {1e-6, 100, 5.213727574230077},
		{0.05, 13, 2.1603686564627926}, {0.05, 1e6, 1.959966356814107}, {0.9, 2, 0.14213381090374025},
	} {
		near(t, "critical", studentCritical(test.level, test.df), test.want, 1e-9, 0)
	}
}

// Planning at a level this small once searched without an end, because the quantile was wrong.
func TestUnitsNeededAtSmallLevels(t *testing.T) {
	for _, test := range []struct {
		sd, effect, level float64
		pairs             int
	}{ // the t test's own pairs, by scipy.integrate over the chi distribution
		{0.2, 0.01, 1e-15, 31493}, {0.2, 0.01, 1e-9, 19346}, {0.01, 0.01, 1e-9, 66},
	} {
		want := max(test.pairs+flipUnits, SmallestUnits(test.level))
		near(t, "pairs", float64(UnitsNeeded(test.sd, test.effect, test.level)), float64(want), 0, 0)
	}
	if n := UnitsNeeded(1, 1e-9, 0.05); n.Exists() {
		t.Errorf("%v pairs, want none: it takes more than a million", n)
	}
}

// The interval of many pairs comes from a series. Where counting is possible, both must agree.
func TestIntervalRankOfManyPairs(t *testing.T) {
	for _, n := range []int{501, 640} {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = i + 1
		}
		counts := rankSumCounts(ranks, n*(n+1)/4)
		for _, level := range []float64{0.5, 0.1, 0.05, 0.01, 1e-3, 1e-6} {
			k, confidence := intervalRank(n, level)
			below, above := 0.0, 0.0 // P(W+ <= k-1) and P(W+ <= k)
			for w, c := range counts[:k+1] {
				above += math.Ldexp(c, -n)
				if w == k-1 {
					below = above
				}
			}
			if 2*below > level || 2*above <= level {
				t.Errorf("n %d, level %g: k %d has %.9g, the next %.9g: want the largest at or under the level", n, level, k,
					2*below, 2*above)
			}
			near(t, "confidence", confidence, 1-2*below, 0, 1e-8)
		}
	}
}

// Two constant sides have no autocorrelation, whatever the rounding of their means: 14 times 0.3 does not add up to 14
// x 0.3.
func TestStabilityOfConstantSides(t *testing.T) {
	for _, value := range []float64{0.3, 3.7e-11, 3.7e8} {
		pairs := make([]Pair, 14)
		for i := range pairs {
			pairs[i] = Pair{A: value, B: 1.01 * value, Order: [...]Order{OrderAB, OrderBA}[i%2]}
		}
		s := Steadiness(pairs)
		if s.CVA != 0 || s.CVB != 0 || s.Drift != 0 || s.HalfShift != 0 || s.Lag1.Exists() {
			t.Errorf("%g: %+v, want zeros and no autocorrelation", value, s)
		}
	}
}

// Values whose squares or sums overflow a float64 are steady within the same relative bounds as others.
func TestStabilityKeepsItsUnits(t *testing.T) {
	pairs := func(unit float64) (list []Pair) {
		for i, x := range []float64{1, 1.02, 0.97, 1.05, 1.01, 0.99} {
			list = append(list, Pair{A: x * unit, B: (2 - x) * unit, Order: [...]Order{OrderAB, OrderBA}[i%2]})
		}
		return list
	}
	want := Steadiness(pairs(1))
	for _, unit := range []float64{math.Ldexp(1, -900), math.Ldexp(1, 900), math.Ldexp(1, 1021)} {
		result, err := Analyze(pairs(unit), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		got := result.Stability
		for what, both := range map[string][2]Number{
			"cv a":       {got.CVA, want.CVA},
			"cv b":       {got.CVB, want.CVB},
			"drift":      {got.Drift, want.Drift},
			"half shift": {got.HalfShift, want.HalfShift},
			"lag 1":      {got.Lag1, want.Lag1},
		} {
			near(t, what, float64(both[0]), float64(both[1]), 1e-12, 1e-15)
		}
		near(t, "mean of a", float64(result.MeanA), unit*6.04/6, 1e-12, 0)
	}
	// A side whose mean is 0 has no coefficient of variation. The other side has one.
	oneSided := Steadiness([]Pair{{A: -1, B: 1}, {A: 1, B: 3}})
	if oneSided.CVA.Exists() || !oneSided.CVB.Exists() || oneSided.Drift.Exists() {
		t.Errorf("%+v", oneSided)
	}
}

// -0 is never written.
func TestNoNegativeZero(t *testing.T) {
	balanced := analyzeDifferences(t, Options{}, 1, -1) // W+ equals W-
	leaning := analyzeDifferences(t, Options{}, -1)     // within the continuity correction
	equal, err := Analyze([]Pair{{A: -1, B: -1}}, Options{Scale: ScalePercent})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Result{balanced, leaning, equal} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(text); strings.Contains(text, ":-0,") || strings.Contains(text, "[-0,") {
			t.Error(text)
		}
	}
}

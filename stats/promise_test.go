package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The real code analyses a pilot run. The noncentral t distribution with the true standard deviation gives the power of
// the number of pairs that it recommends: at least 80 % for at least three pilots of four, both among all pilots and
// among those whose headline names the number.
func TestPairsNeededKeepThePromise(t *testing.T) {
	runs := max(300, *simulated)
	for _, units := range []int{6, 14, 30} {
		for _, effect := range []float64{0, 0.5} { // in standard deviations of a pair
			const sd, margin = 0.01, 0.005
			random := rand.New(rand.NewPCG(7, uint64(units)))
			kept, named, keptNamed := 0, 0, 0
			for range runs {
				pairs := make([]Pair, units)
				for i := range pairs {
					pairs[i] = Pair{A: math.Exp(sd * (effect + random.NormFloat64())), B: 1}
				}
				r, err := Analyze(pairs, Options{Equivalence: margin, Unit: UnitPair})
				if err != nil {
					t.Fatal(err)
				}
				power := Power(int(r.PairsNeeded)-flipUnits, sd, math.Log1p(margin), 0.05)
				if power >= TargetPower {
					kept++
				}
				if r.Verdict == Inconclusive && int(r.PairsNeeded) > r.Pairs {
					named++
					if power >= TargetPower {
						keptNamed++
					}
				}
			}
			t.Logf("%d units, effect %g sd: kept in %d of %d, of those named in %d of %d", units, effect, kept, runs, keptNamed,
				named)
			share := float64(kept) / float64(runs)
			if share < 0.75 || share > 0.9 || float64(keptNamed) < 0.75*float64(named) {
				t.Errorf("%d units, effect %g sd: kept in %d of %d, of those named in %d of %d", units, effect, kept, runs,
					keptNamed, named)
			}
		}
	}
}

// UpperSD against chi-square quantiles of R: qchisq(0.2, c(1, 6, 13)).
func TestUpperSD(t *testing.T) {
	for df, quantile := range map[int]float64{1: 0.06418475, 6: 3.070088, 13: 8.633861} {
		near(t, "bound", UpperSD(2, df), 2*math.Sqrt(float64(df)/quantile), 1e-6, 0)
	}
	if !math.IsNaN(UpperSD(2, 0)) {
		t.Error("a bound without degrees of freedom")
	}
}

// Effects below the margin are not reported as detectable: a run far more precise than its margin reports the margin.
func TestDetectableIsNeverBelowTheMargin(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, sd := range []float64{0.0001, 0.003, 0.02} {
		pairs := make([]Pair, 14)
		for i := range pairs {
			pairs[i] = Pair{A: math.Exp(sd * random.NormFloat64()), B: 1}
		}
		r, err := Analyze(pairs, Options{Equivalence: 0.01, Unit: UnitPair})
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(r.MinimumDetectableEffect); got < math.Log1p(0.01) || (got == math.Log1p(0.01)) != (sd < 0.01) {
			t.Errorf("sd %g: detectable %g", sd, got)
		}
	}
	narrow := Scatter{Pair: 0.0001}
	if narrow.Detectable(Draw{Pairs: 14, Processes: 7}, 0.05) > 0.01 {
		t.Error("the scatter itself has no margin")
	}
}

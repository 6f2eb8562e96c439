package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The analysis of variance of a small balanced design, by hand: two builds of two processes of two pairs. Pairs: 1,3 |
// 5,7 and 2,4 | 10,12, with order effects that cancel.
func TestComponentsByHand(t *testing.T) {
	var pairs []Pair
	for i, d := range []float64{1, 3, 5, 7, 2, 4, 10, 12} {
		pairs = append(pairs, Pair{A: d, Process: i/2 + 1, Build: i/4 + 1})
	}
	got, err := Components(pairs, ScaleDifference)
	if err != nil {
		t.Fatal(err)
	}
	// Within: squares 2 in each of four, df 4: 2. Process means 2, 6 | 3, 11: squares 8 and 32, df 2: 20, less 2/2.
	// Build means 4 and 7: 4.5, less 20/2, which is below 0.
	for i, want := range []struct {
		level Unit
		sd    float64
		df    int
	}{{UnitPair, math.Sqrt2, 4}, {UnitProcess, math.Sqrt(19), 2}, {UnitBuild, 0, 1}} {
		if got[i].Level != want.level || got[i].DF != want.df || math.Abs(float64(got[i].SD)-want.sd) > 1e-12 {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
	// The lowest level's interval is chi-square's: 8 / 11.143287 and 8 / 0.484419.
	near(t, "low", got[0].CI.Low, math.Sqrt(8/11.143286781877796), 1e-9, 0)
	near(t, "high", got[0].CI.High, math.Sqrt(8/0.48441855708793), 1e-9, 0)
	if _, err := Components([]Pair{{A: math.NaN()}}, ScaleDifference); err == nil {
		t.Error("a value that is no number has components")
	}
}

// Estimates are unbiased, an order effect is not scatter, and the intervals cover the true values at their level.
func TestComponentsRecover(t *testing.T) {
	const runs = 400
	w := world{Pairs: 96, Noise: "normal", Process: 0.5, Build: 0.7, Processes: 24, Builds: 8, Order: 2}
	truth := []float64{1, 0.5 * math.Sqrt2, 0.7 * math.Sqrt2} // of a difference: two arms
	random := rand.New(rand.NewPCG(1, 9))
	var mean [3]float64
	var held [3]int
	for range runs {
		list, err := Components(w.run(random), ScaleLog)
		if err != nil || len(list) != 3 {
			t.Fatal(list, err)
		}
		for i, c := range list {
			sd := float64(c.SD) / pairSD
			mean[i] += sd * sd / runs
			if c.CI.Low <= truth[i]*pairSD && truth[i]*pairSD <= c.CI.High {
				held[i]++
			}
		}
	}
	for i := range truth {
		// Five standard errors of a variance with 7 degrees of freedom over 400 runs are 0.13 of it; truncation at 0 adds.
		if math.Abs(mean[i]/(truth[i]*truth[i])-1) > 0.17 {
			t.Errorf("component %d: variance %.3f on average, want %.3f", i, mean[i], truth[i]*truth[i])
		}
		if held[i] < 368 || held[i] > 396 { // 95 % less five standard errors, for a method that may be conservative
			t.Errorf("component %d: the interval contained the true value in %d of %d runs", i, held[i], runs)
		}
	}
}

// The planned power equals the simulated power of the plan.
func TestPlannedPower(t *testing.T) {
	s := Scatter{Pair: pairSD, Process: 0.5 * math.Sqrt2 * pairSD}
	price := Price{Proof: 1, Start: 3}
	for _, target := range []float64{0.8, 0.9} {
		d, ok := s.Cheapest(price, 0.5*pairSD, target, 0.05)
		if !ok {
			t.Fatal("no plan")
		}
		w := world{Pairs: d.Pairs, Noise: "normal", Process: 0.5, Processes: d.Processes, Builds: d.Builds, Effect: 0.5}
		runs := max(500, *simulated)
		if rate := w.simulate(runs, 10).rate(Improvement); math.Abs(rate-target) > 0.08 {
			t.Errorf("%+v: planned for %g, found in %.3f", d, target, rate)
		}
	}
}

// The cheapest plan equals the result of an exhaustive search.
func TestCheapest(t *testing.T) {
	for _, test := range []struct {
		s     Scatter
		price Price
	}{
		{Scatter{1, 0, 0}, Price{1, 10, 0}}, {Scatter{1, 2, 0}, Price{1, 1, 0}}, {Scatter{1, 0.2, 0.5}, Price{1, 2, 30}},
	} {
		got, ok := test.s.Cheapest(test.price, 1, 0.8, 0.05)
		if !ok || test.s.Power(got, 1, 0.05) < 0.8 {
			t.Fatalf("%+v: %+v, %v", test, got, ok)
		}
		for builds := 1; builds <= 24; builds++ {
			if (builds == 1) != (test.s.Build == 0) {
				continue
			}
			for per := 1; per <= 60; per++ {
				if per*builds < SmallestUnits(0.05) {
					continue // processes are always randomized
				}
				for _, blocks := range []int{1, 2, 4, 8, 16} {
					d := Draw{2 * blocks * per * builds, per * builds, builds}
					// Numbers of builds are searched in steps of an eighth.
					if test.s.Power(d, 1, 0.05) >= 0.8 && test.price.Of(d) < 0.93*test.price.Of(got) {
						t.Fatalf("%+v: %+v costs %g, and %+v %g", test, got, test.price.Of(got), d, test.price.Of(d))
					}
				}
			}
		}
	}
	if d, ok := (Scatter{Pair: 1000}).Cheapest(Price{Proof: 1}, 0.001, 0.9, 0.05); ok {
		t.Errorf("a plan for an undetectable effect: %+v", d)
	}
}

package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

var simulated = flag.Int("simulate", 0,
	"simulate every cell of the table of false calls with `N` runs each, and print it")

// sizes are the numbers of pairs of the table.
var sizes = []int{8, 14, 20, 48, 100}

func (w world) name() string {
	return fmt.Sprintf("%s, %d pairs, process %g, build %g", w.Noise, w.Pairs, w.Process, w.Build)
}

// cells are the worlds of the table. Each samples a process for every block, or for every pair if there are few blocks.
// If builds differ, there are eight builds, or the number of processes if that is smaller.
func cells() []world {
	var list []world
	for _, noise := range []string{"normal", "laplace", "t2", "cauchy", "exponential", "ar 0.3", "ar 0.6", "drift",
		"order 1 %"} {
		for _, pairs := range sizes {
			for _, process := range []float64{0, 0.25, 0.5, 1} {
				for _, build := range []float64{0, 0.25, 0.5, 1} {
					w := world{Pairs: pairs, Noise: noise, Process: process, Build: build, Processes: pairs / blockPairs, Builds: 1}
					if pairs/blockPairs < SmallestUnits(0.05) {
						w.Processes = pairs
					}
					if build > 0 {
						w.Builds = min(8, w.Processes)
					}
					if strings.HasPrefix(noise, "order") {
						w.Order = 1
					}
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// mostCalls is the largest number of runs, of the given number, that may find a difference if the rate is 5 %: a larger
// one occurs once in a million.
func mostCalls(runs int) int {
	binomial := distuv.Binomial{N: float64(runs), P: 0.05}
	most := runs / 20
	for binomial.CDF(float64(most)) < 1-1e-6 {
		most++
	}
	return most
}

// TestFalseCalls holds the claim: whatever the noise, and however much processes and builds differ, at most alpha of
// the runs without a difference find one. Without -simulate a few cells are simulated, with few runs.
func TestFalseCalls(t *testing.T) {
	if raceDetector {
		t.Skip("processor time: not with -race")
	}
	runs, every, largest := 150, 7, 48
	if *simulated > 0 {
		runs, every, largest = *simulated, 1, 100
	}
	worst := map[string]float64{}
	var noises []string
	for i, w := range cells() {
		if i%every != 0 || w.Pairs > largest {
			continue
		}
		rate := w.simulate(runs, 1).rate(Improvement, Regression)
		if rate*float64(runs) > float64(mostCalls(runs)) {
			t.Errorf("%s: %.2f %% false calls", w.name(), 100*rate)
		}
		if !slices.Contains(noises, w.Noise) {
			noises = append(noises, w.Noise)
		}
		key := fmt.Sprint(w.Noise, w.Pairs)
		worst[key] = max(worst[key], rate)
	}
	if *simulated == 0 {
		return
	}
	for _, noise := range noises { // the table of docs/spec/statistics.md
		row := "| " + noise
		for _, pairs := range sizes {
			row += fmt.Sprintf(" | %.2f", 100*worst[fmt.Sprint(noise, pairs)])
		}
		fmt.Println(row + " |")
	}
}

// The simulation can detect a violation: with one process an arm, whose effect is half of a pair's sd, two runs in five
// find a difference.
func TestOneProcessMisleads(t *testing.T) {
	for _, test := range []struct {
		pairs       int
		least, most float64
	}{{14, 0.25, 0.5}, {100, 0.65, 0.85}} {
		w := world{Pairs: test.pairs, Noise: "normal", Process: 0.5, Processes: 1, Builds: 1}
		if rate := w.simulate(400, 3).rate(Improvement, Regression); rate < test.least || rate > test.most {
			t.Errorf("%d pairs: %.2f false calls", test.pairs, rate)
		}
	}
}

// With one build per arm, whose layouts differ by half of a pair's sd or more, a run without a change finds one
// far too often for any number of processes and pairs. Randomized builds are counted, and keep alpha.
func TestOneBuildMisleads(t *testing.T) {
	runs := max(400, *simulated)
	for _, pairs := range []int{14, 48} {
		for _, sd := range []float64{0.5, 1} {
			w := world{Pairs: pairs, Noise: "normal", Build: sd, Processes: pairs / blockPairs, Builds: 1}
			one := w.simulate(runs, 9).rate(Improvement, Regression)
			w.Builds = min(8, w.Processes)
			drawn := w.simulate(runs, 10).rate(Improvement, Regression)
			t.Logf("%d pairs, builds of %g sd: %.1f %% false calls with one build, %.1f %% with %d", pairs, sd, 100*one,
				100*drawn, w.Builds)
			if one < 0.2 || drawn*float64(runs) > float64(mostCalls(runs)) {
				t.Errorf("%d pairs, builds of %g sd: %.3f of runs with one build, %.3f with %d", pairs, sd, one, drawn, w.Builds)
			}
		}
	}
}

// An effect of the order, three times as large as a session's standard deviation, costs nothing.
func TestPowerUnderAnOrderEffect(t *testing.T) {
	w := world{Pairs: 14, Noise: "normal", SessionSD: 0.3, Order: 1, Effect: 0.5, Processes: 7, Builds: 1}
	runs := max(2000, *simulated)
	if rate := w.simulate(runs, 4).rate(Improvement); rate < 0.9 {
		t.Errorf("found in %.3f of runs", rate)
	}
}

// TestFalseCallsOfAnalyses is TestFalseCalls for plans that may stop early, for a difference or for equivalence.
func TestFalseCallsOfAnalyses(t *testing.T) {
	runs := max(400, *simulated)
	for _, noise := range []string{"normal", "t2", "exponential", "ar 0.6"} {
		for _, pairs := range []int{14, 48} {
			w := world{
				Pairs:       pairs,
				Noise:       noise,
				Process:     0.5,
				Processes:   pairs / blockPairs,
				Builds:      1,
				Analyses:    4,
				Equivalence: 0.003,
			}
			if calls := w.simulate(runs, 5).rate(Improvement, Regression) * float64(runs); calls > float64(mostCalls(runs)) {
				t.Errorf("%s: %g calls in %d runs", w.name(), calls, runs)
			}
		}
	}
}

// TestEarlyEquivalence: a run without a change ends soon, and a change of exactly the margin is called equivalent with
// probability alpha at most.
func TestEarlyEquivalence(t *testing.T) {
	runs := max(400, *simulated)
	for _, analyses := range []int{2, 3, 4, 6} {
		w := world{Pairs: 48, Noise: "normal", Processes: 24, Builds: 1, Analyses: analyses, Equivalence: 0.01}
		same := w.simulate(runs, 6)
		if average := float64(same.pairs) / float64(runs); average > 25 || same.rate(Equivalent, Negligible) < 0.95 {
			t.Errorf("%d analyses: %.1f pairs, equivalent in %.3f of runs", analyses, average, same.rate(Equivalent, Negligible))
		} else {
			t.Logf("%d analyses: %.1f pairs on average", analyses, average)
		}
		for _, sd := range []float64{0.2, 1 / math.Sqrt2, 1.5} {
			w.SessionSD, w.Effect = sd, 1.00001*math.Log1p(w.Equivalence)/pairSD
			if calls := w.simulate(runs, 7).rate(Equivalent, Negligible) * float64(runs); calls > float64(mostCalls(runs)) {
				t.Errorf("%d analyses, session sd %.2f: %g of %d runs at the margin are called equivalent", analyses, sd, calls,
					runs)
			}
		}
	}
}

// TestSkewedShapes measures the rates that the package's documentation gives for differences of mean zero that are
// skewed, which two arms that run the same code cannot have.
func TestSkewedShapes(t *testing.T) {
	if raceDetector {
		t.Skip("processor time: not with -race")
	}
	for _, shape := range []struct {
		name string
		draw func(random *rand.Rand) float64
		want [2]float64 // the rates documented, in percent, over 14, 20 and 48 pairs
	}{
		{"exponential", func(random *rand.Rand) float64 { return random.ExpFloat64() - 1 }, [2]float64{4, 6}},
		{"one outlier in twenty", func(random *rand.Rand) float64 {
			d := 0.05*random.NormFloat64() - 0.05
			if random.Float64() < 0.05 {
				d++
			}
			return d
		}, [2]float64{9, 41}},
	} {
		least, most := 100.0, 0.0
		for _, n := range []int{14, 20, 48} {
			design, err := NewDesign(n, 1, 0.05, Sampling{})
			if err != nil {
				t.Fatal(err)
			}
			runs := max(600, *simulated)
			random := rand.New(rand.NewPCG(3, uint64(n)))
			decided := 0
			for range runs {
				pairs := make([]Pair, n)
				for i := range pairs {
					pairs[i] = Pair{A: math.Exp(pairSD * shape.draw(random)), B: 1, Block: i/2 + 1}
				}
				if v, _ := verdictOf(design, pairs, 0); v == Improvement || v == Regression {
					decided++
				}
			}
			rate := 100 * float64(decided) / float64(runs)
			least, most = min(least, rate), max(most, rate)
		}
		// Four standard errors of a rate near 7 % are 4.2 with 600 runs, and of one near 40 % 8.
		if math.Abs(least-shape.want[0]) > 4.2 || math.Abs(most-shape.want[1]) > 8 {
			t.Errorf("%s: %.1f to %.1f %%, documented as %g to %g", shape.name, least, most, shape.want[0], shape.want[1])
		}
	}
}

// TestPowerAtPlannedEffect simulates an effect of exactly the margin with the units that UnitsNeeded asks for.
func TestPowerAtPlannedEffect(t *testing.T) {
	for _, test := range []struct {
		effect   float64 // in standard deviations of a unit
		analyses int
		least    float64
	}{{1.9, 1, TargetPower}, {1.5, 1, TargetPower}, {1.2, 1, TargetPower}, {0.8, 1, TargetPower}, {0.5, 1,
		TargetPower}, {0.5, 3, TargetPower - 0.02}} {
		units := int(UnitsNeeded(1, test.effect, 0.05))
		w := world{
			Pairs:     2 * units,
			Noise:     "normal",
			SessionSD: 1,
			Effect:    test.effect,
			Processes: units,
			Builds:    1,
			Analyses:  test.analyses,
		}
		runs := max(500, *simulated)
		o := w.simulate(runs, 8)
		t.Logf("effect %g, %d units, %d analyses: found in %.3f", test.effect, units, test.analyses, o.rate(Improvement))
		// Four standard errors of a rate of 0.8.
		// Whole units overshoot when there are few.
		if rate := o.rate(Improvement); rate < test.least-4*0.4/math.Sqrt(float64(runs)) || rate > TargetPower+0.15 {
			t.Errorf("effect %g, %d units, %d analyses: found in %.3f of runs", test.effect, units, test.analyses, rate)
		}
		if slices.Contains([]float64{0.8, 1.2}, test.effect) && o.verdicts[Regression] > 0 {
			t.Errorf("effect %g: %d runs in the wrong direction", test.effect, o.verdicts[Regression])
		}
	}
}

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// A gate is a host on which nights measured base. The pre-check and then pairs compare head. Sizes are in the units of
// world.
type gate struct {
	world
	Night   float64 // sd of the effect of a harness run on all of its processes
	Walk    float64 // sd of a day's effect, which adds to the days before
	History int     // runs of base, a day apart
	Age     float64 // age of the newest of them when head is measured, in days
}

// processes samples the means of processes with the given numbers of proofs.
func (g gate) processes(random *rand.Rand, count, proofs int, level float64) []float64 {
	means := make([]float64, count)
	for i := range means {
		sessions := make([]float64, proofs)
		g.noise(random, sessions)
		means[i] = pairSD * (level + g.Process*random.NormFloat64() + mean(sessions))
	}
	return means
}

// run simulates one comparison, and reports the step that ended it (1 is the pre-check, 2 the pairs) and the number of
// measured blocks.
func (g gate) run(random *rand.Rand) (verdict Verdict, preCheck int, blocks float64) {
	options := Options{Scale: ScaleLog, Zeros: ZerosPratt, Equivalence: g.Equivalence}
	first, second := SplitPreCheck(0.05)
	options.Alpha = first
	level := 0.0
	var runs []Unpaired
	for day := range g.History {
		level += g.Walk * random.NormFloat64()
		means := g.processes(random, g.Processes, 2, level+g.Night*random.NormFloat64())
		runs = append(runs, Unpaired{24 * float64(day), means})
	}
	level += g.Walk * math.Sqrt(g.Age) * random.NormFloat64()
	base := runs[len(runs)-1]
	moves := Moves([][]Unpaired{runs}, 24*g.Age)
	const price = 1 + 2.0/6 // base proves two seeds for a block of six proofs, for the verifiers
	total := g.Pairs / blockPairs
	if b := PlanPreCheck(base, moves, options, total, 2, price); b > 0 {
		head := Unpaired{Means: g.processes(random, 2*b, 2, level+g.Night*random.NormFloat64()-g.Effect)}
		blocks = price * float64(b)
		if r := JudgePreCheck(base, head, moves, options); r.Verdict != Inconclusive {
			return r.Verdict, 1, blocks
		}
	}
	design, err := NewDesign(g.Pairs, 1, second, Sampling{g.Processes, g.Builds})
	if err != nil {
		panic(err)
	}
	verdict, pairs := verdictOf(design, g.world.run(random), g.Equivalence)
	return verdict, 2, blocks + float64(pairs/blockPairs)
}

// gated counts the outcomes of a number of runs.
type gated struct {
	calls, equivalent, first int
	blocks                   float64
}

func (g gate) simulate(runs int, seed uint64) gated {
	parts := make([]gated, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for worker := range parts {
		part := &parts[worker]
		group.Go(func() {
			for run := worker; run < runs; run += len(parts) {
				verdict, preCheck, blocks := g.run(rand.New(rand.NewPCG(seed, uint64(run))))
				part.blocks += blocks
				if preCheck == 1 {
					part.first++
				}
				switch verdict {
				case Improvement, Regression:
					part.calls++
				case Equivalent, Negligible:
					part.equivalent++
				}
			}
		})
	}
	group.Wait()
	var total gated
	for _, part := range parts {
		total.calls += part.calls
		total.equivalent += part.equivalent
		total.first += part.first
		total.blocks += part.blocks
	}
	return total
}

// gates are the hosts of the table: the effects of nights and days, in sd of a pair.
func gates() (list []gate) {
	for _, pairs := range []int{14, 48, 100} {
		for _, process := range []float64{0, 0.5} {
			for _, host := range [][2]float64{{0, 0}, {0.1, 0}, {0, 0.1}, {0.25, 0}, {0, 0.25}, {0.5, 0}} {
				list = append(list, gate{
					world: world{
						Pairs:       pairs,
						Noise:       "normal",
						Process:     process,
						Processes:   pairs / blockPairs,
						Builds:      1,
						Equivalence: 0.02,
					},
					Night: host[0], Walk: host[1], History: 8, Age: 0.7,
				})
			}
		}
	}
	return list
}

// TestGate checks what a gate with a pre-check claims, through the real plan and rule. False calls of both steps
// together have probability alpha at most, and so has false equivalence at the margin. Where the host drifts little, a
// run without a change takes half the time. Without -simulate a few cells are simulated, with few runs.
func TestGate(t *testing.T) {
	if raceDetector {
		t.Skip("processor time: not with -race")
	}
	runs, every := 120, 7
	if *simulated > 0 {
		runs, every = *simulated, 1
	}
	for i, g := range gates() {
		if i%every != 0 {
			continue
		}
		same := g.simulate(runs, 1)
		changed := g
		changed.Effect = 1.00001 * math.Log1p(g.Equivalence) / pairSD
		at := changed.simulate(runs, 2)
		time := same.blocks / float64(runs) / float64(g.Pairs/blockPairs)
		if most := mostCalls(runs); same.calls > most || at.equivalent > most {
			t.Errorf("%+v: %d false calls and %d of equivalence in %d runs", g, same.calls, at.equivalent, runs)
		}
		if g.Process == 0 && g.Night == 0 && g.Walk <= 0.1 && time > 0.55 {
			t.Errorf("%+v: a run without a change takes %.2f of the time of pairs", g, time)
		}
		if *simulated > 0 { // the table of docs/spec/statistics.md
			fmt.Printf("| %d | %g | %g | %g | %.2f | %.2f | %.1f | %.2f |\n", g.Pairs, g.Process, g.Night, g.Walk,
				100*float64(same.calls)/float64(runs), 100*float64(at.equivalent)/float64(runs),
				100*float64(same.first)/float64(runs), time)
		}
	}
}

// The simulation can detect a violation: a host that drifts, but is modelled as stable, gives false equivalence.
func TestGateWithoutMovesMisleads(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	g := gate{world: world{Noise: "normal"}}
	options := Options{Scale: ScaleLog, Alpha: 0.01, Equivalence: 0.02}
	still := []Move{{Difference: 1e-9}, {Difference: -1e-9}, {Difference: 1e-9}, {Difference: -1e-9}}
	equivalent := 0
	const runs = 300
	for range runs {
		base := Unpaired{Means: g.processes(random, 24, 2, random.NormFloat64())}
		head := Unpaired{Means: g.processes(random, 8, 2, random.NormFloat64()-1.00001*math.Log1p(0.02)/pairSD)}
		if v := JudgePreCheck(base, head, still, options).Verdict; v == Equivalent || v == Negligible {
			equivalent++
		}
	}
	if equivalent < runs/5 {
		t.Errorf("%d of %d", equivalent, runs)
	}
}

func TestJudgePreCheck(t *testing.T) {
	near := func(centre float64) (means []float64) {
		for i := range 8 {
			means = append(means, centre+0.0005*float64(i%4))
		}
		return means
	}
	moves := []Move{{Difference: 0.001}, {Difference: -0.002}, {Difference: 0.001}, {Difference: -0.001}}
	options := Options{Scale: ScaleLog, Alpha: 0.01, Equivalence: 0.02}
	for name, test := range map[string]struct {
		base, head []float64
		moves      []Move
		higher     bool
		want       Verdict
	}{
		"the same":                    {near(1), near(1), moves, false, Equivalent},
		"less than the margin":        {near(1), near(0.991), moves, false, Negligible},
		"more than the margin":        {near(1), near(0.97), moves, false, Inconclusive},
		"faster by nine margins":      {near(1), near(1 - math.Log1p(0.18)), moves, false, Inconclusive},
		"faster by eleven":            {near(1), near(1 - math.Log1p(0.22)), moves, false, Improvement},
		"slower by eleven":            {near(1), near(1 + math.Log1p(0.22)), moves, false, Regression},
		"more by eleven, and better":  {near(1), near(1 + math.Log1p(0.22)), moves, true, Improvement},
		"less by eleven, and worse":   {near(1), near(1 - math.Log1p(0.22)), moves, true, Regression},
		"three moves":                 {near(1), near(1), moves[:3], false, Inconclusive},
		"two processes of head":       {near(1), near(1)[:2], moves, false, Inconclusive},
		"two processes of base":       {near(1)[:2], near(1), moves, false, Inconclusive},
		"all times of head are alike": {near(1), []float64{1, 1, 1, 1}, moves, false, Inconclusive},
		"a time of head is no number": {near(1), []float64{1, 1.1, math.NaN(), 1}, moves, false, Inconclusive},
		"the host moves by the margin": {near(1), near(1),
			[]Move{{Difference: 0.02}, {Difference: -0.02}, {Difference: 0.02}, {Difference: -0.02}}, false, Inconclusive},
		"it moved, by what noise makes": {near(1), near(1),
			[]Move{{Difference: 0.002, Noise: 1}, {Difference: 0.002}, {}, {}}, false, Equivalent},
	} {
		options.HigherIsBetter = test.higher
		r := JudgePreCheck(Unpaired{Means: test.base}, Unpaired{Means: test.head}, test.moves, options)
		if r.Verdict != test.want || r.Phase != 1 {
			t.Errorf("%s: %s, %+v", name, r.Verdict, r.T)
		}
	}
}

// By hand: base 0, 2, 4 and head 1, 3, 5 have variances of 4/3 of their means and Welch's 4 degrees of freedom. Shifts
// have a mean square of 10 with 2 * 16/11 degrees of freedom, none of which noise explains.
func TestWidths(t *testing.T) {
	moves := []Move{{Difference: 2}, {Difference: -4}, {Difference: 4}, {Difference: -2}}
	wide := widths(Unpaired{Means: []float64{0, 2, 4}}.noise(), Unpaired{Means: []float64{1, 3, 5}}.noise(), moves)
	noise := 8.0 / 3
	total := 10 + noise
	df := total * total / (100/(32.0/11) + noise*noise/4)
	for i, want := range []width{{math.Sqrt(total), df}, {math.Sqrt(noise), 4}} {
		if math.Abs(wide[i].se-want.se) > 1e-12 || math.Abs(wide[i].df-want.df) > 1e-9 {
			t.Errorf("%+v, want %+v", wide[i], want)
		}
	}
	for i := range moves {
		moves[i].Noise = 2
	}
	if wide := widths(Unpaired{Means: []float64{0, 2, 4}}.noise(), Unpaired{Means: []float64{1, 3, 5}}.noise(),
		moves); math.Abs(wide[0].se-math.Sqrt(10+noise-2)) > 1e-12 {
		t.Errorf("with moves that noise explains in part: %+v", wide)
	}
}

// Shifts belong to one build, span at least the requested time, and do not overlap, whichever builds were measured.
func TestMoves(t *testing.T) {
	at := func(hours ...float64) (runs []Unpaired) {
		for _, h := range hours {
			runs = append(runs, Unpaired{h, []float64{h, h, h}})
		}
		return runs
	}
	for _, test := range []struct {
		builds [][]Unpaired
		hours  float64
		want   []Move
	}{
		{[][]Unpaired{at(48, 0, 24)}, 24, []Move{{0, 24, 24, 0}, {24, 48, 24, 0}}},
		{[][]Unpaired{at(0, 24, 48)}, 25, []Move{{0, 48, 48, 0}}},
		{[][]Unpaired{at(0, 24), at(24, 48), at(0, 48)}, 20, []Move{{0, 24, 24, 0}, {24, 48, 24, 0}}},
		{[][]Unpaired{at(0), at(24)}, 1, nil},
		{[][]Unpaired{at(3, 3)}, 0, nil},
		{nil, 1, nil},
	} {
		if got := Moves(test.builds, test.hours); !slices.Equal(got, test.want) {
			t.Errorf("%v over %g hours: %v, want %v", test.builds, test.hours, got, test.want)
		}
	}
}

// The pre-check measures only as much as saves time, and nothing if the host drifts too far or too little is known.
func TestPlanPreCheck(t *testing.T) {
	base := Unpaired{Means: []float64{0, 0.002, 0.004, 0.001, 0.003, 0.002}}
	moves := []Move{{Difference: 0.001}, {Difference: -0.001}, {Difference: 0.001}, {Difference: -0.001}}
	options := Options{Alpha: 0.01, Equivalence: 0.02}
	few := PlanPreCheck(base, moves, options, 24, 2, 1)
	if few < 2 || few > 6 {
		t.Errorf("%d blocks of 24", few)
	}
	options.Equivalence = 0.005
	if more := PlanPreCheck(base, moves, options, 24, 2, 1); more <= few || more >= 24 {
		t.Errorf("%d blocks of 24 for a smaller margin, %d before", more, few)
	}
	options.Equivalence = 0.0005
	for name, blocks := range map[string]int{
		"a margin within the noise": PlanPreCheck(base, moves, options, 24, 2, 1),
		"three moves":               PlanPreCheck(base, moves[:3], options, 24, 2, 1),
		"two processes":             PlanPreCheck(Unpaired{Means: base.Means[:2]}, moves, options, 24, 2, 1),
		"equal times":               PlanPreCheck(Unpaired{Means: make([]float64, 6)}, moves, options, 24, 2, 1),
		"dearer than pairs":         PlanPreCheck(base, moves, Options{Alpha: 0.01, Equivalence: 0.02}, 2, 2, 1),
	} {
		if blocks != 0 {
			t.Errorf("%s: %d", name, blocks)
		}
	}
}

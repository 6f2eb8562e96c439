package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/chiasmus/chiasmus/harness/schedule"
	"gonum.org/v1/gonum/stat/distuv"
)

// A world is a host with two revisions, and the plan that compares them. All sizes are on the log scale, in units of
// pairSD, unless they say otherwise.
type world struct {
	Pairs             int
	Noise             string
	Process           float64 // sd of a process's effect on all of its proofs
	Build             float64 // sd of a build's effect
	Processes, Builds int     // of the plan
	Analyses          int
	Effect            float64 // by which head is faster
	Order             float64 // by which the first proof of a pair is slower
	SessionSD         float64 // instead of 1 / sqrt 2
	Equivalence       float64 // the margin, a fraction
}

// pairSD is the standard deviation of a pair's difference: 1 %.
const pairSD = 0.01

// draws are the shapes of a session's noise, each with scale 1.
var draws = map[string]func(random *rand.Rand) float64{
	"normal": (*rand.Rand).NormFloat64,
	"laplace": func(random *rand.Rand) float64 {
		return (random.ExpFloat64() - random.ExpFloat64()) / math.Sqrt2
	},
	"t2": func(random *rand.Rand) float64 {
		return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 2, Src: random}.Rand()
	},
	"cauchy":      func(random *rand.Rand) float64 { return math.Tan(math.Pi * (random.Float64() - 0.5)) },
	"exponential": func(random *rand.Rand) float64 { return random.ExpFloat64() - 1 },
}

// noise fills the sessions of a run in the order in which they are made. Besides the shapes above there are normal ones
// that depend on each other, that slow down by three standard deviations over the run, and whose first of a pair is
// slower.
func (w world) noise(random *rand.Rand, sessions []float64) {
	draw := draws["normal"]
	if shape, ok := draws[w.Noise]; ok {
		draw = shape
	}
	sd := 1 / math.Sqrt2
	if w.SessionSD > 0 {
		sd = w.SessionSD
	}
	correlation := map[string]float64{"ar 0.3": 0.3, "ar 0.6": 0.6}[w.Noise]
	previous := draw(random)
	for i := range sessions {
		drawn := draw(random)
		if correlation > 0 { // a draw from a heavy tail may be infinite, and 0 times it is no number
			drawn = correlation*previous + math.Sqrt(1-correlation*correlation)*drawn
		}
		previous = drawn
		sessions[i] = sd * previous
		if w.Noise == "drift" {
			sessions[i] += 3 * sd * float64(i) / float64(len(sessions))
		}
		if i%2 == 0 {
			sessions[i] += w.Order
		}
	}
}

// run simulates one run of the plan in this world.
func (w world) run(random *rand.Rand) []Pair {
	plan, err := schedule.New(w.Pairs, schedule.ABBA, random.Uint64())
	if err != nil {
		panic(err)
	}
	sessions := make([]float64, 2*w.Pairs)
	w.noise(random, sessions)
	effects := func(count int, sd float64) []float64 {
		list := make([]float64, 2*max(1, count))
		for i := range list {
			list[i] = sd * random.NormFloat64()
		}
		return list
	}
	processes, builds := effects(w.Processes, w.Process), effects(w.Builds, w.Build)
	pairs := make([]Pair, w.Pairs)
	for i := range pairs {
		planned := plan.Pair(i + 1)
		p := Pair{Number: planned.Number, Block: planned.Block, Order: Order(planned.Order)}
		p.Process = share(w.Pairs, planned.Number, max(1, w.Processes))
		p.Build = (p.Process-1)*max(1, w.Builds)/max(1, w.Processes) + 1
		for half, arm := range []schedule.Arm{planned.Order.First(), planned.Order.Last()} {
			of := arm.Number()
			y := sessions[2*i+half] + processes[2*(p.Process-1)+of] + builds[2*(p.Build-1)+of]
			y = max(-50_000, min(y, 50_000)) // the range of a float64 limits Cauchy's tails
			if arm == schedule.Base {
				p.A = math.Exp(pairSD * y)
			} else {
				p.B = math.Exp(pairSD * (y - w.Effect))
			}
		}
		pairs[i] = p
	}
	return pairs
}

// share is the process of a pair: one of n equal shares of the blocks, or its own.
func share(pairs, number, processes int) int {
	if processes == pairs {
		return number
	}
	return (number-1)/blockPairs*processes/(pairs/blockPairs) + 1
}

// design is the plan.
func (w world) design() Design {
	design, err := NewDesign(w.Pairs, max(1, w.Analyses), 0.05, Sampling{w.Processes, w.Builds})
	if err != nil {
		panic(err)
	}
	return design
}

// outcome counts the outcomes of a number of runs.
type outcome struct {
	verdicts map[Verdict]int
	pairs    int // measured in all
	runs     int
}

func (o outcome) rate(verdicts ...Verdict) float64 {
	sum := 0
	for _, v := range verdicts {
		sum += o.verdicts[v]
	}
	return float64(sum) / float64(o.runs)
}

// simulate makes runs by the real plan and the real rule. Every run has its own seed, so that the counts do not
// depend on the number of processors.
func (w world) simulate(runs int, seed uint64) outcome {
	for _, c := range fmt.Sprintf("%+v", w) {
		seed = seed*1_000_003 + uint64(c)
	}
	design := w.design()
	parts := make([]outcome, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for worker := range parts {
		part := &parts[worker]
		part.verdicts = map[Verdict]int{}
		group.Go(func() {
			for run := worker; run < runs; run += len(parts) {
				verdict, pairs := verdictOf(design, w.run(rand.New(rand.NewPCG(seed, uint64(run)))), w.Equivalence)
				part.verdicts[verdict]++
				part.pairs += pairs
			}
		})
	}
	group.Wait()
	total := outcome{verdicts: map[Verdict]int{}, runs: runs}
	for _, part := range parts {
		for v, n := range part.verdicts {
			total.verdicts[v] += n
		}
		total.pairs += part.pairs
	}
	return total
}

// verdictOf judges a run as the harness does, without the parts of a Result that no verdict uses, and returns the
// number of pairs that it took.
func verdictOf(design Design, pairs []Pair, equivalence float64) (Verdict, int) {
	options := Options{Scale: ScaleLog, Zeros: ZerosPratt, Alpha: design.Alpha, Equivalence: equivalence}
	d, err := Differences(pairs, options.Scale)
	if err != nil {
		panic(err)
	}
	for _, analysis := range design.Analyses {
		seen := pairs[:analysis.Pairs]
		history, at, err := design.walk(d[:analysis.Pairs], seen, options)
		if err != nil {
			panic(err)
		}
		if history.Done() {
			units := unitDifferences(d[:analysis.Pairs], seen, design.Unit)
			return judge(units, units, options, at.Level, options.margin(seen), at.Equivalence).verdict, analysis.Pairs
		}
	}
	panic("a run that never ends")
}

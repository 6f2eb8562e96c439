package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawPairs samples times in blocks of ABBA or BAAB. Coarse times are small whole numbers, which gives many ties and
// zeros.
func drawPairs(t *rapid.T, coarse bool) []Pair {
	time := rapid.Float64Range(1e-3, 1e3)
	if coarse {
		time = rapid.Map(rapid.IntRange(100, 110), func(i int) float64 { return float64(i) })
	}
	n := rapid.IntRange(1, 40).Draw(t, "n")
	pairs := make([]Pair, n)
	for i := range pairs {
		pairs[i] = Pair{
			A:     time.Draw(t, "a"),
			B:     time.Draw(t, "b"),
			Order: rapid.SampledFrom([]Order{OrderAB, OrderBA}).Draw(t, "order"),
		}
	}
	return pairs
}

func drawOptions(t *rapid.T) Options {
	return Options{
		Scale:       rapid.SampledFrom([]Scale{ScaleLog, ScalePercent, ScaleDifference}).Draw(t, "scale"),
		Zeros:       rapid.SampledFrom([]Zeros{ZerosPratt, ZerosWilcox}).Draw(t, "zeros"),
		Alpha:       rapid.SampledFrom([]float64{0.001, 0.01, 0.05, 0.2}).Draw(t, "alpha"),
		Equivalence: rapid.SampledFrom([]float64{0, 0.01, 0.1, 0.5}).Draw(t, "margin"),
	}
}

func mustAnalyze(t *rapid.T, pairs []Pair, o Options) Result {
	r, err := Analyze(pairs, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same compares two Numbers that must be identical, missing ones included.
func same(t *rapid.T, what string, got, want Number) {
	if got != want && (got.Exists() || want.Exists()) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// close12 compares to a relative 1e-12 of size.
func close12(t *rapid.T, what string, got, want, size float64) {
	if math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	if !(math.Abs(got-want) <= 1e-12*math.Max(size, math.Abs(want))) {
		t.Fatalf("%s: %.17g, want %.17g", what, got, want)
	}
}

func TestSwappingArmsMirrors(t *testing.T) {
	mirrored := map[Verdict]Verdict{Improvement: Regression, Regression: Improvement,
		Equivalent: Equivalent, Negligible: Negligible, Borderline: Borderline, Inconclusive: Inconclusive}
	rapid.Check(t, func(t *rapid.T) {
		pairs := drawPairs(t, rapid.Bool().Draw(t, "coarse"))
		o := drawOptions(t)
		if o.Scale == ScalePercent { // divides by a, and is not symmetric
			o.Scale = ScaleLog
		}
		if o.Scale == ScaleDifference {
			o.Equivalence = 0 // its margin is a fraction of a
		}
		swapped := make([]Pair, len(pairs))
		for i, p := range pairs {
			swapped[i] = Pair{A: p.B, B: p.A, Order: map[Order]Order{OrderAB: OrderBA, OrderBA: OrderAB}[p.Order]}
		}
		r, s := mustAnalyze(t, pairs, o), mustAnalyze(t, swapped, o)
		same(t, "mean", s.T.Mean, -r.T.Mean)
		same(t, "t", s.T.T, -r.T.T)
		same(t, "sd", s.T.SD, r.T.SD)
		same(t, "p", s.T.P, r.T.P)
		same(t, "ci", Number(s.T.CI.Low), Number(-r.T.CI.High))
		same(t, "w plus", s.Wilcoxon.WPlus, r.Wilcoxon.WMinus)
		same(t, "w p", s.Wilcoxon.P, r.Wilcoxon.P)
		same(t, "z", s.Wilcoxon.Z, -r.Wilcoxon.Z)
		same(t, "pseudomedian", s.HodgesLehmann.Estimate, -r.HodgesLehmann.Estimate)
		same(t, "hl ci", Number(s.HodgesLehmann.CI.High), Number(-r.HodgesLehmann.CI.Low))
		same(t, "median", s.MedianD, -r.MedianD)
		same(t, "order effect", s.Order.Effect, r.Order.Effect)
		same(t, "order p", s.Order.P, r.Order.P)
		same(t, "adjusted", s.Order.AdjustedMean, -r.Order.AdjustedMean)
		same(t, "tost", s.TOST.P, r.TOST.P)
		same(t, "cv", s.Stability.CVA, r.Stability.CVB)
		same(t, "drift", s.Stability.Drift, r.Stability.Drift)
		same(t, "lag", s.Stability.Lag1, r.Stability.Lag1)
		same(t, "pairs needed", s.PairsNeeded, r.PairsNeeded)
		same(t, "detectable", s.MinimumDetectableEffect, r.MinimumDetectableEffect)
		if s.Verdict != mirrored[r.Verdict] {
			t.Fatalf("%q became %q", r.Verdict, s.Verdict)
		}
		o.HigherIsBetter = true
		if higher := mustAnalyze(t, pairs, o).Verdict; higher != s.Verdict {
			t.Fatalf("higher is better: %q, swapped arms: %q", higher, s.Verdict)
		}
	})
}

func TestScalingTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs, o := drawPairs(t, false), drawOptions(t)
		o.Scale = ScaleLog
		factor := math.Ldexp(1, rapid.IntRange(-30, 30).Draw(t, "power of two"))
		scaled := slices.Clone(pairs)
		for i := range scaled {
			scaled[i].A *= factor
			scaled[i].B *= factor
		}
		r, s := mustAnalyze(t, pairs, o), mustAnalyze(t, scaled, o)
		// Logarithms near 20 lose their last bits next to those near 0, hence an absolute 1e-12.
		close12(t, "mean", float64(s.T.Mean), float64(r.T.Mean), 1)
		close12(t, "ci", s.T.CI.Low, r.T.CI.Low, 20)
		close12(t, "pseudomedian", float64(s.HodgesLehmann.Estimate), float64(r.HodgesLehmann.Estimate), 1)
		close12(t, "effect", float64(s.EffectPercent), float64(r.EffectPercent), 100)
		same(t, "w plus", s.Wilcoxon.WPlus, r.Wilcoxon.WPlus)
		same(t, "w p", s.Wilcoxon.P, r.Wilcoxon.P)
	})
}

func TestAddingToDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs, o := drawPairs(t, true), drawOptions(t)
		o.Scale, o.Equivalence = ScaleDifference, 0
		shift := float64(rapid.IntRange(-1000, 1000).Draw(t, "shift"))
		moved := slices.Clone(pairs)
		for i := range moved {
			moved[i].A += shift
		}
		r, s := mustAnalyze(t, pairs, o), mustAnalyze(t, moved, o)
		close12(t, "mean", float64(s.T.Mean), float64(r.T.Mean)+shift, 1)
		close12(t, "sd", float64(s.T.SD), float64(r.T.SD), 1000)
		same(t, "median", s.MedianD, r.MedianD+Number(shift))
		same(t, "pseudomedian", s.HodgesLehmann.Estimate, r.HodgesLehmann.Estimate+Number(shift))
		same(t, "hl ci", Number(s.HodgesLehmann.CI.High), Number(r.HodgesLehmann.CI.High+shift))
		close12(t, "order effect", float64(s.Order.Effect), float64(r.Order.Effect), 1000)
	})
}

// The verdicts cover every input and exclude each other: each is stated here as a separate condition.
func TestVerdictsPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{0, 0.01, 0.05, 0.0500001, 0.5, 1, math.NaN()})
		mean := rapid.SampledFrom([]float64{-1, 0, 1}).Draw(t, "mean")
		tt := TTest{Mean: Number(mean), P: Number(p.Draw(t, "t"))}
		w := SignFlip{P: Number(p.Draw(t, "flips")),
			MinP: Number(rapid.SampledFrom([]float64{0.03, 0.05, 0.06}).Draw(t, "min"))}
		e := TOST{Equivalent: rapid.Bool().Draw(t, "equivalent")}
		higher := rapid.Bool().Draw(t, "higher")
		const level = 0.05
		rt, rw := tt.P <= level, w.P <= level
		both := rt && rw
		reachable := w.MinP <= level
		holds := map[Verdict]bool{
			Negligible:   e.Equivalent && both,
			Equivalent:   e.Equivalent && !both,
			Improvement:  !e.Equivalent && reachable && both && (mean > 0 && !higher || mean <= 0 && higher),
			Regression:   !e.Equivalent && reachable && both && (mean > 0 && higher || mean <= 0 && !higher),
			Borderline:   !e.Equivalent && reachable && !both && (rt || rw),
			Inconclusive: !e.Equivalent && (!reachable || !rt && !rw),
		}
		count := 0
		for _, v := range Verdicts {
			if holds[v] {
				count++
			}
		}
		if got := Decide(tt, w, e, level, higher); count != 1 || !holds[got] {
			t.Fatalf("%q of %v", got, holds)
		}
	})
}

// For every accepted finite input, the JSON is valid and has no number that JSON cannot represent.
func TestAnyInput(t *testing.T) {
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 10),
		rapid.SampledFrom([]float64{0, 1, 1 + 0x1p-52, 5e-324, math.MaxFloat64, 1e140, -1e-140}))
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Pair {
			return Pair{
				A:     value.Draw(t, "a"),
				B:     value.Draw(t, "b"),
				Order: rapid.SampledFrom([]Order{"", OrderAB, OrderBA}).Draw(t, "order"),
			}
		}), 0, 12).Draw(t, "pairs")
		r, err := Analyze(pairs, drawOptions(t))
		if err != nil {
			return
		}
		if !slices.Contains(Verdicts, r.Verdict) {
			t.Fatalf("verdict %q", r.Verdict)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		if err := json.Unmarshal(text, &back); err != nil || len(back) != 25 {
			t.Fatalf("%d keys, %v", len(back), err)
		}
	})
}

func TestWalshAverageAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e3, 1e3), rapid.SampledFrom([]float64{-1, 0, 0.5, 5e-324})), 1,
			30).Draw(t, "d")
		slices.Sort(d)
		var all []float64
		for i := range d {
			for j := i; j < len(d); j++ {
				all = append(all, (d[i]+d[j])/2)
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := walshAverage(d, k+1); got != want {
				t.Fatalf("number %d of %v: %g, want %g", k+1, d, got, want)
			}
		}
	})
}

// The exact p of the sign-flip test against an enumeration of all signs, and the p of the grid close to it.
func TestSignFlipAgainstEnumeration(t *testing.T) {
	value := rapid.OneOf(rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) }),
		rapid.Float64Range(-5, 5))
	rapid.Check(t, func(t *rapid.T) {
		// Sums of eighths of powers of two have no rounding, so that the enumeration sees ties as they are.
		d := rapid.SliceOfN(rapid.Map(value, func(x float64) float64 { return math.Round(1024*x) / 1024 }), 1, 11).Draw(t,
			"d")
		got := SignFlipTest(d)
		seen, reached, sum := 0, 0, 0.0
		for _, x := range d {
			sum += x
		}
		for signs := range 1 << len(d) {
			other := 0.0
			for i, x := range d {
				if signs>>i&1 == 1 {
					x = -x
				}
				other += x
			}
			seen++
			if math.Abs(other) >= math.Abs(sum) {
				reached++
			}
		}
		close12(t, "p", float64(got.P), float64(reached)/float64(seen), 0)
		if got.P < got.MinP || got.Method != MethodExact {
			t.Fatalf("%+v", got)
		}
	})
}

// Both ways of counting agree where both are possible: the grid changes the statistic by a thousandth of its standard
// deviation, and the p-value by as little.
func TestSignFlipWaysOfCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		d := make([]float64, 26)
		total := 0.0
		for i := range d {
			d[i] = random.NormFloat64() + 0.2
			total += math.Abs(d[i])
		}
		halves := SignFlipTest(d).P
		weights, limit := signWeights(d, 400*float64(len(d))/total)
		if grid := 2 * lowerTail(weights, limit); math.Abs(grid-float64(halves)) > 0.002 {
			t.Errorf("counted by halves %g, on the grid %g", float64(halves), grid)
		}
	}
	many := make([]float64, gridLimit+1)
	for i := range many {
		many[i] = float64(i%7) - 2.9
	}
	normal, exact := SignFlipTest(many), SignFlipTest(many[:gridLimit])
	if normal.Method != MethodNormal || exact.Method != MethodExact ||
		math.Abs(float64(normal.P-exact.P)) > 0.05*float64(exact.P) {
		t.Errorf("normal %+v beside %+v", normal, exact)
	}
}

// The exact p against an enumeration of all signs, including ties and zeros.
func TestWilcoxonAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) }), 1, 10).Draw(t, "d")
		zeros := rapid.SampledFrom([]Zeros{ZerosPratt, ZerosWilcox}).Draw(t, "zeros")
		got := WilcoxonSignedRank(d, zeros)
		var below, above, total float64
		for signs := range 1 << len(d) {
			flipped := slices.Clone(d)
			duplicate := false
			for i := range flipped {
				if signs>>i&1 == 1 {
					duplicate = duplicate || flipped[i] == 0
					flipped[i] = -flipped[i]
				}
			}
			if duplicate { // the sign of a zero does not matter
				continue
			}
			w := WilcoxonSignedRank(flipped, zeros).WPlus
			total++
			if w <= got.WPlus {
				below++
			}
			if w >= got.WPlus {
				above++
			}
		}
		close12(t, "p", float64(got.P), math.Min(1, 2*math.Min(below, above)/total), 0)
		if got.P < got.MinP {
			t.Fatalf("p %g under the smallest %g", got.P, got.MinP)
		}
	})
}

// Holm's adjusted p-values against the step-down procedure itself.
func TestHolmAgainstStepDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Map(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 0.02),
			rapid.Just(math.NaN())),
			func(x float64) Number { return Number(x) }), 0, 12).Draw(t, "p")
		alpha := Number(rapid.Float64Range(0.001, 0.3).Draw(t, "alpha"))
		adjusted := Holm(p)
		var sorted []Number
		for i := range p {
			if adjusted[i].Exists() != p[i].Exists() || adjusted[i] < p[i] || adjusted[i] > 1 {
				t.Fatalf("%v became %v", p[i], adjusted[i])
			}
			if p[i].Exists() {
				sorted = append(sorted, p[i])
			}
		}
		slices.Sort(sorted)
		rejected := 0
		for rejected < len(sorted) && sorted[rejected]*Number(len(sorted)-rejected) <= alpha {
			rejected++
		}
		for i := range p {
			if want := rejected > 0 && p[i] <= sorted[max(0, rejected-1)]; (adjusted[i] <= alpha) != want {
				t.Fatalf("%v at alpha %v: adjusted %v, step-down rejects: %v", p, alpha, adjusted, want)
			}
		}
	})
}

// UnitsNeeded and MinimumDetectableEffect are inverses.
func TestPlanningInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 400).Draw(t, "n")
		sd := rapid.Float64Range(1e-4, 10).Draw(t, "sd")
		effect := float64(MinimumDetectableEffect(n, sd, 0.05))
		if got := float64(UnitsNeeded(sd, effect, 0.05)); got < float64(n) || got > float64(n)+2 {
			t.Fatalf("%d pairs detect %g, which takes %g", n, effect, got)
		}
	})
}

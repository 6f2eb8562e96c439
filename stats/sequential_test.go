package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Levels against R's rpact, whose integration has a tolerance of 1e-10 in the boundary.
func TestLevelsAgainstR(t *testing.T) {
	type reference struct {
		Pairs        int
		At           []int
		Alpha        float64
		Level, Spent []float64
	}
	designs := load[[]reference](t, "design.json")
	if len(designs) < 9 {
		t.Fatalf("%d designs", len(designs))
	}
	for _, want := range designs {
		var paths monitor
		used := 0.0
		for i, at := range want.At {
			fraction := float64(at) / float64(want.Pairs)
			budget := spent(fraction, want.Alpha)
			near(t, "spent", budget, want.Spent[i], 1e-6, 0)
			z := paths.boundary((budget-used)/2, fraction)
			near(t, "level", 2*normalTail(z), want.Level[i], 1e-7, 0)
			used = budget
			paths.proceed(-z, z, fraction)
		}
	}
}

// The boundaries that Lan and DeMets' own program prints for two, three and five analyses at alpha 5 %; its grid is
// accurate to 1e-4.
func TestPublishedBoundaries(t *testing.T) {
	for analyses, want := range map[int][]float64{
		2: {2.9626, 1.9686},
		3: {3.7103, 2.5114, 1.9930},
		5: {4.8769, 3.3569, 2.6803, 2.2898, 2.0310},
	} {
		design, err := NewDesign(600, analyses, 0.05, Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		if len(design.Analyses) != analyses || len(design.LeftOut) != 0 {
			t.Fatalf("%+v", design)
		}
		for i, analysis := range design.Analyses {
			near(t, "boundary", normalUpper(analysis.Level/2), want[i], 0, 1.5e-4)
		}
		if last := design.Analyses[analyses-1]; last.Spent != 0.05 || last.Pairs != 600 {
			t.Errorf("last analysis %+v", last)
		}
	}
}

// Interim analyses that the sign-flip test cannot decide, and ones that are too early for any test.
func TestAnalysesLeftOut(t *testing.T) {
	design, err := NewDesign(14, 3, 0.05, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	if len(design.LeftOut) != 1 || design.LeftOut[0].Pairs != 10 || design.LeftOut[0].MinP != 0.0625 {
		t.Errorf("left out %+v", design.LeftOut)
	}
	if len(design.Analyses) != 2 || design.Analyses[0].Pairs != 10 || design.Analyses[1].Pairs != 14 {
		t.Errorf("analyses %+v", design.Analyses)
	}
	for _, pairs := range []int{6, 8, 14, 20, 32, 60} {
		for analyses := 1; analyses <= min(8, pairs/2); analyses++ {
			design, err := NewDesign(pairs, analyses, 0.05, Sampling{})
			if err != nil {
				t.Fatalf("%d pairs, %d analyses: %v", pairs, analyses, err)
			}
			if len(design.Analyses) > analyses {
				t.Errorf("%d pairs, %d analyses: %+v", pairs, analyses, design)
			}
			previous := Analysis{}
			for _, analysis := range design.Analyses {
				if analysis.Pairs%2 != 0 || analysis.Pairs <= previous.Pairs || analysis.Spent <= previous.Spent ||
					analysis.Level > 0.05 || analysis.Equivalence > 0.05 || analysis.Pairs < fewestUnits {
					t.Errorf("%d pairs, %d analyses: %+v after %+v", pairs, analyses, analysis, previous)
				}
				previous = analysis
			}
			if previous.Pairs != pairs || previous.Spent != 0.05 {
				t.Errorf("%d pairs, %d analyses end with %+v", pairs, analyses, previous)
			}
		}
	}
}

// The chance of crossing at each analysis, simulated on the score process itself.
func TestLevelsBySimulation(t *testing.T) {
	design, err := NewDesign(40, 4, 0.1, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	const runs = 200_000
	random := rand.New(rand.NewPCG(1, 2))
	crossed := make([]float64, len(design.Analyses))
	for range runs {
		sum, seen := 0.0, 0
		for i, analysis := range design.Analyses {
			sum += random.NormFloat64() * math.Sqrt(float64(analysis.Pairs-seen))
			seen = analysis.Pairs
			if math.Erfc(math.Abs(sum)/math.Sqrt(float64(2*seen))) <= analysis.Level {
				crossed[i]++
				break
			}
		}
	}
	used := 0.0
	for i, analysis := range design.Analyses {
		p := analysis.Spent - used
		used = analysis.Spent
		near(t, "crossing", crossed[i]/runs, p, 0, 4*math.Sqrt(p/runs))
	}
}

func TestDesignErrors(t *testing.T) {
	for _, test := range []struct {
		pairs, analyses int
		alpha           float64
		want            string
	}{
		{13, 2, 0.05, "pairs 13: want an even number"},
		{0, 1, 0.05, "pairs 0: want an even number"},
		{4, 1, 0.05, "cannot reach alpha 0.05 with fewer than 6"},
		{14, 0, 0.05, "analyses 0: want 1 to 7"},
		{14, 8, 0.05, "analyses 8: want 1 to 7"},
		{14, 2, 0, "alpha 0: want"},
	} {
		if _, err := NewDesign(test.pairs, test.analyses, test.alpha, Sampling{}); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%d, %d, %g: error %v, want %q", test.pairs, test.analyses, test.alpha, err, test.want)
		}
	}
}

func TestDesignAnalyze(t *testing.T) {
	design, err := NewDesign(40, 2, 0.05, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Scale: ScaleDifference}
	noise := []float64{3, -1, 2, -2, 1, -3, 2.5, -2.5, 0.5, -0.7}
	var flat, steep []float64
	for i := range 40 {
		x := 1000 + noise[i%10] + float64(i)*0.01
		flat, steep = append(flat, x), append(steep, x+10)
	}
	run := func(values []float64) []Pair {
		pairs := make([]Pair, len(values))
		for i, x := range values {
			pairs[i] = Pair{A: x, B: 1000, Block: i/2 + 1}
		}
		return pairs
	}

	// A margin shifts the p-value of equivalence over the analysis's own level, and with it whether the run stops.
	t.Run("equivalence at its level", func(t *testing.T) {
		seen := map[bool]int{}
		for margin := 0.0002; margin < 0.002; margin += 0.0001 {
			wide := options
			wide.Equivalence = margin
			r, s, err := design.Analyze(run(flat[:20]), wide)
			if err != nil {
				t.Fatal(err)
			}
			stopped := float64(s.Analyses[0].PWithin) <= design.Analyses[0].Equivalence
			seen[stopped]++
			if s.Done() != stopped || stopped != (r.Verdict == Equivalent) || r.TOST.P != s.Analyses[0].PWithin {
				t.Errorf("margin %g: p %g at level %g, %s: %+v", margin, float64(s.Analyses[0].PWithin),
					design.Analyses[0].Equivalence, r.Verdict, s)
			}
			if _, _, err := design.Analyze(run(flat[:22]), wide); stopped != (err != nil) {
				t.Errorf("margin %g: continuing after a stop %v: %v", margin, stopped, err)
			}
		}
		if seen[true] == 0 || seen[false] == 0 {
			t.Errorf("no margin stops the run, or all do: %v", seen)
		}
	})
	t.Run("between analyses", func(t *testing.T) {
		for _, n := range []int{16, 24} {
			r, s, err := design.Analyze(run(flat[:n]), options)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != Inconclusive || !hasWarning(r, WarnInterim) || s.Done() || r.TOST.P.Exists() {
				t.Errorf("%d pairs: %+v %+v", n, r, s)
			}
			if next := s.Next(); next != map[int]int{16: 20, 24: 40}[n] {
				t.Errorf("%d pairs: next analysis at %d", n, next)
			}
		}
	})
	t.Run("stopped", func(t *testing.T) {
		r, s, err := design.Analyze(run(steep[:20]), options)
		if err != nil {
			t.Fatal(err)
		}
		level := design.Analyses[0].Level
		if r.Verdict != Improvement || !s.Done() || !s.Analyses[0].Stopped || s.Analyses[1].Stopped || s.Next() != 0 ||
			r.TOST.P.Exists() {
			t.Errorf("%+v %+v", r, s)
		}
		half := studentCritical(level, 9) * float64(r.T.SE)
		near(t, "repeated interval", s.Analyses[0].CI.Low, float64(r.T.Mean)-half, 1e-12, 0)
		if r.T.CI != s.Analyses[0].CI || r.Alpha != 0.05 || r.Unit != UnitBlock || r.Units != 10 {
			t.Errorf("interval %v beside %v, %d of %s", r.T.CI, s.Analyses[0].CI, r.Units, r.Unit)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"ci":null,"stopped":false}`) ||
			!strings.Contains(string(text), `"pairs":20,"level":0.003`) {
			t.Errorf("%s", text)
		}
		if _, _, err := design.Analyze(run(steep[:21]), options); err == nil ||
			!strings.Contains(err.Error(), "the analysis at 20 stopped the run") {
			t.Errorf("continuing: %v", err)
		}
	})
	t.Run("to the end", func(t *testing.T) {
		narrow := options
		narrow.Equivalence = 0.0005
		r, s, err := design.Analyze(run(flat), narrow)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != Equivalent || !s.Done() || s.Analyses[0].Stopped || !s.Analyses[0].CI.Exists() ||
			!s.Analyses[1].CI.Exists() {
			t.Errorf("%+v %+v", r, s)
		}
		if _, _, err := design.Analyze(run(append(flat, 1)), narrow); err == nil ||
			!strings.Contains(err.Error(), "the design ends at 40") {
			t.Errorf("extending: %v", err)
		}
	})
	t.Run("one analysis equals a plain analysis", func(t *testing.T) {
		single, err := NewDesign(40, 1, 0.05, Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := single.Analyze(run(flat), options)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Analyze(run(flat), options)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Errorf("%s\n%s", a, b)
		}
	})
	if _, _, err := (Design{Pairs: 40, Alpha: 0.05}).Analyze(run(flat), options); err == nil {
		t.Error("a design without analyses was accepted")
	}
	homeless := run(flat)
	homeless[3].Block = 0
	if _, _, err := design.Analyze(homeless, options); err == nil ||
		!strings.Contains(err.Error(), "not every pair names its block") {
		t.Errorf("a pair without a block: %v", err)
	}
}

// The unit of the tests, from the replication of a plan or a file.
func TestUnits(t *testing.T) {
	for _, test := range []struct {
		pairs    int
		sampling Sampling
		unit     Unit
		units    int
		err      string
	}{
		{14, Sampling{}, UnitBlock, 7, ""},
		{14, Sampling{1, 1}, UnitBlock, 7, ""},
		{14, Sampling{7, 1}, UnitProcess, 7, ""},
		{48, Sampling{12, 6}, UnitBuild, 6, ""},
		{8, Sampling{}, UnitPair, 8, ""},
		{8, Sampling{8, 8}, UnitBuild, 8, ""},
		{14, Sampling{3, 1}, "", 0, "processes 3: the sign-flip test over them cannot reach alpha 0.05 with fewer than 6"},
		{48, Sampling{12, 4}, "", 0, "builds 4: the sign-flip test"},
		{48, Sampling{12, 13}, "", 0, "builds 13: want at most 12"},
		{14, Sampling{9, 1}, "", 0, "processes 9: want at most 7"},
		{14, Sampling{15, 1}, "", 0, "processes 15: want at most 14"},
		{14, Sampling{-1, 1}, "", 0, "processes -1"},
	} {
		design, err := NewDesign(test.pairs, 1, 0.05, test.sampling)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		case err != nil || design.Unit != test.unit || design.Units != test.units:
			t.Errorf("%+v: %+v, %v", test, design, err)
			continue
		}
		w := world{Pairs: test.pairs, Noise: "normal", Processes: test.sampling.Processes, Builds: test.sampling.Builds}
		pairs := w.run(rand.New(rand.NewPCG(1, 1)))
		if unit := UnitOf(pairs, 0.05); unit != test.unit || distinct(pairs, unit) != test.units {
			t.Errorf("%+v: its pairs are counted by %s", test, unit)
		}
	}
}

// The mean of a unit contains no order effect, for any numbers of either order.
func TestUnitDifferences(t *testing.T) {
	pairs := []Pair{{Process: 2, Order: OrderAB}, {Process: 2, Order: OrderBA}, {Process: 2, Order: OrderAB},
		{Process: 1, Order: OrderAB}, {Process: 1, Order: OrderAB}}
	got := unitDifferences([]float64{5 + 10, 5 - 10, 5 + 10, 7, 9}, pairs, UnitProcess)
	if len(got) != 2 || got[0] != 5 || got[1] != 8 {
		t.Errorf("%v", got)
	}
}

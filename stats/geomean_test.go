package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// workloadOf measures a workload in units of two pairs, with the given differences.
func workloadOf(t *testing.T, units []float64, set func(p *Pair, unit int)) Measured {
	t.Helper()
	var pairs []Pair
	for k, d := range units {
		for j, order := range []Order{OrderAB, OrderBA} {
			p := Pair{Number: 2*k + j + 1, Block: k + 1, Process: k + 1, Order: order, A: math.Exp(d), B: 1}
			set(&p, k+1)
			pairs = append(pairs, p)
		}
	}
	result, err := Analyze(pairs, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return Measured{Result: &result, Pairs: pairs}
}

func equalTo(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// Two workloads of the same number of processes and the same variance: Satterthwaite's degrees of freedom are then
// those of both together, 2 (n - 1), and the standard error is sd / sqrt(2 n). 2.228139 is the quantile of Student's t
// with 10 degrees of freedom in any table.
func TestGeometricMeanOfProcesses(t *testing.T) {
	a := workloadOf(t, []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.06}, func(*Pair, int) {})
	b := workloadOf(t, []float64{-0.05, -0.04, -0.03, -0.02, -0.01, 0}, func(*Pair, int) {})
	g, ok := GeometricMeanOf([]Measured{a, b}, 0.05)
	if !ok || g.NoInterval != "" || a.Result.Unit != UnitProcess {
		t.Fatalf("%+v", g)
	}
	sd := math.Sqrt(0.01 * 0.01 * 17.5 / 5)
	se := sd / math.Sqrt(12)
	if !equalTo(float64(g.Mean), 0.005) || !equalTo(float64(g.SE), se) || !equalTo(float64(g.DF), 10) {
		t.Errorf("mean %v, se %v, df %v", g.Mean, g.SE, g.DF)
	}
	if want := 0.005 + 2.228139*se; math.Abs(g.CI.High-want) > 1e-7 {
		t.Errorf("high %v, want %v", g.CI.High, want)
	}
	if want := 100 * (1 - 1/math.Exp(0.005)); !equalTo(float64(g.EffectPercent), want) {
		t.Errorf("effect %v, want %v", g.EffectPercent, want)
	}
}

// Workloads of the same builds are not independent: the effect of a build on both does not average out.
func TestGeometricMeanOfBuilds(t *testing.T) {
	build := func(p *Pair, unit int) { p.Build = unit }
	d := []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.06}
	a, b := workloadOf(t, d, build), workloadOf(t, d, build)
	g, ok := GeometricMeanOf([]Measured{a, b}, 0.05)
	if !ok || a.Result.Unit != UnitBuild || !equalTo(g.CI.Low, a.Result.T.CI.Low) ||
		!equalTo(g.CI.High, a.Result.T.CI.High) {
		t.Errorf("twice the same workload: %+v, of one %+v", g, a.Result.T)
	}
	opposite := workloadOf(t, []float64{0.06, 0.05, 0.04, 0.03, 0.02, 0.01}, build)
	if g, _ := GeometricMeanOf([]Measured{a, opposite}, 0.05); float64(g.SE) > 1e-12 {
		t.Errorf("the effects of builds cancel, and the standard error is %v", g.SE)
	}
	short := workloadOf(t, d[:5], build)
	if g, ok := GeometricMeanOf([]Measured{a, short}, 0.05); !ok || g.CI.Exists() || g.NoInterval == "" {
		t.Errorf("a build is missing: %+v", g)
	}
}

// There is no interval if none can be justified, and no mean of other scales.
func TestGeometricMeanWithout(t *testing.T) {
	d := []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.06}
	a := workloadOf(t, d, func(*Pair, int) {})
	builds := workloadOf(t, d, func(p *Pair, unit int) { p.Build = unit })
	early := a
	early.Sequential = true
	alone := a
	first := *a.Result
	first.Phase = 1
	alone.Result = &first
	for name, list := range map[string][]Measured{
		"units": {a, builds}, "sequential": {a, early}, "baseline": {a, alone},
	} {
		if g, ok := GeometricMeanOf(list, 0.05); !ok || !g.Mean.Exists() || g.CI.Exists() || g.NoInterval == "" {
			t.Errorf("%s: %+v", name, g)
		}
	}
	other := *a.Result
	other.Scale = ScaleDifference
	if _, ok := GeometricMeanOf([]Measured{a, {Result: &other, Pairs: a.Pairs}}, 0.05); ok {
		t.Error("a mean with a difference in seconds")
	}
	if _, ok := GeometricMeanOf([]Measured{a}, 0.05); ok {
		t.Error("a mean of one workload")
	}
}

// The interval covers 0 at its level, for independent workloads of different noise.
func TestGeometricMeanCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 1))
	const runs = 600
	covered := 0
	for range runs {
		var list []Measured
		for _, noise := range []float64{0.01, 0.02, 0.005} {
			d := make([]float64, 7)
			for i := range d {
				d[i] = noise * random.NormFloat64()
			}
			var m Measured
			m.Result = &Result{Scale: ScaleLog, Unit: UnitProcess, T: PairedT(d, 0.05)}
			list = append(list, m)
		}
		if g, _ := GeometricMeanOf(list, 0.05); g.CI.Low <= 0 && g.CI.High >= 0 {
			covered++
		}
	}
	// A binomial of 600 and 0.95 has a standard deviation of 5.3: 570 by four of them either way.
	if covered < 548 || covered > 592 {
		t.Errorf("%d of %d intervals cover", covered, runs)
	}
}

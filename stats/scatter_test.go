package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The statistic is r sqrt(n-2) / sqrt(1-r^2) without its denominator: sign and zero are those of the correlation
// between sums and differences, which is computed here from its definition.
func TestScatterIsPitmans(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var pairs []Pair
		for i := range 20 {
			pairs = append(pairs, Pair{Number: i + 1, A: 10 + random.NormFloat64(), B: 10 + 1.5*random.NormFloat64()})
		}
		a, b := arms(pairs)
		ma, mb := median(a), median(b)
		covariance := 0.0
		for i := range a {
			x, y := a[i]-ma, b[i]-mb
			covariance += (x + y) * (x - y)
		}
		got := CompareScatter(pairs, ScaleDifference)
		if (covariance < 0) != (got.Ratio > 1) || !(got.P > 0 && got.P <= 1) {
			t.Fatalf("covariance %g, %+v", covariance, got)
		}
	}
}

// Two arms with equal scatter rarely cause a warning, whatever their distribution; an arm with twice the scatter often
// does.
func TestScatterErrorRates(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func() float64{
		"normal": random.NormFloat64, "exponential": random.ExpFloat64,
		"slow proofs in both": func() float64 {
			if random.IntN(50) == 0 {
				return 40
			}
			return random.NormFloat64()
		},
	} {
		for _, twice := range []bool{false, true} {
			const runs = 400
			warned := 0
			for range runs {
				var pairs []Pair
				for i := range 40 {
					common := random.NormFloat64()
					y := draw()
					if twice {
						y *= 3
					}
					pairs = append(pairs, Pair{Number: i + 1, A: math.Exp(0.01 * (common + draw())), B: math.Exp(0.01 * (common + y))})
				}
				if _, ok := CompareScatter(pairs, ScaleLog).Warning(); ok {
					warned++
				}
			}
			// 1 % of 400 is 4; more than 14 have a probability of 1e-5.
			if !twice && warned > 14 || twice && name == "normal" && warned < runs/2 {
				t.Errorf("%s, three times as much: %v: %d of %d", name, twice, warned, runs)
			}
		}
	}
}

// A head with slow proofs whose mean equals base's within the margin, as in docs and README: it is detected if there
// are enough such proofs.
func TestRareSlowProofs(t *testing.T) {
	for slow, want := range map[int]bool{2: false, 10: true} {
		var pairs []Pair
		random := rand.New(rand.NewPCG(5, 6))
		for i := range 400 {
			p := Pair{Number: i + 1, A: 1 + 0.01*random.NormFloat64(), B: 1 + 0.01*random.NormFloat64()}
			if i%(400/slow) == 7 {
				p.B *= 1.3
			}
			pairs = append(pairs, p)
		}
		r, err := Analyze(pairs, DefaultOptions())
		if err != nil || r.Verdict != Equivalent && r.Verdict != Negligible {
			t.Fatalf("%v, %s", err, r.Verdict)
		}
		if w, ok := CompareScatter(pairs, ScaleLog).Warning(); ok != want ||
			ok && !strings.Contains(w.String(), "scatter: head scatters") {
			t.Errorf("%d slow proofs of 400: %s", slow, w)
		}
	}
}

func TestScatterOfLittle(t *testing.T) {
	if r := CompareScatter([]Pair{{A: 1, B: 2}, {A: 2, B: 3}}, ScaleLog); r.P.Exists() {
		t.Errorf("%+v", r)
	}
	constant := []Pair{{A: 1, B: 1}, {A: 1, B: 1}, {A: 1, B: 1}, {A: 1, B: 1}}
	if r := CompareScatter(constant, ScaleLog); r.P.Exists() || r.Ratio.Exists() {
		t.Errorf("%+v", r)
	}
}

func TestQuantile(t *testing.T) {
	var values []float64
	for i := range 299 {
		values = append(values, float64(298-i))
	}
	for q, want := range map[float64]float64{0.5: 149, 0.9: 268.2, 0.99: 295.02} { // numpy.quantile(numpy.arange(299), q)
		if got := Quantile(values, q); math.Abs(got.Float()-want) > 1e-9 {
			t.Errorf("%g: %v, want %g", q, got, want)
		}
	}
	if Quantile(values[:298], 0.99).Exists() || Quantile(values[:28], 0.9).Exists() ||
		!Quantile(values[:29], 0.9).Exists() || Quantile(nil, 0.5).Exists() {
		t.Error("quantiles of too few values")
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDrifting(t *testing.T) {
	for name, test := range map[string]struct {
		values []float64
		want   bool
	}{
		"falls":                {[]float64{1.3, 1.2, 1.1, 1.05}, true},
		"rises":                {[]float64{1, 1.1, 1.2, 1.3}, true},
		"has fallen":           {[]float64{2, 1.5, 1, 1.001, 0.999, 1.002}, false},
		"flat":                 {[]float64{1, 1, 1, 1}, false},
		"within half a margin": {[]float64{1, 0.999, 0.998, 0.9951}, false},
		"beyond half a margin": {[]float64{1, 0.999, 0.998, 0.9949}, true},
		"a step back":          {[]float64{1.3, 1.1, 1.2, 1}, false},
		"two are equal":        {[]float64{1.3, 1.2, 1.2, 1}, false},
		"too few":              {[]float64{3, 2, 1}, false},
		"none":                 {nil, false},
		"begins at 0":          {[]float64{0, 1, 2, 3}, false},
		"ends at 0":            {[]float64{3, 2, 1, 0}, false},
		"ends at infinity":     {[]float64{1, 2, 3, math.Inf(1)}, false},
		"no number":            {[]float64{4, 3, 2, math.NaN()}, false},
	} {
		if _, got := Drifting(test.values, 0.01); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if change, _ := Drifting([]float64{9, 2, 1.5, 1.2, 1}, 0.01); change != -0.5 {
		t.Errorf("the change is %g", change)
	}
}

// The rate of false warnings equals the derived one, 1 in 12: over 12,000 simulated flat provers, within four standard
// errors.
func TestDriftingOfFlatProvers(t *testing.T) {
	const runs = 12_000
	random := rand.New(rand.NewPCG(1, 2))
	seen := 0
	for range runs {
		values := make([]float64, DriftWindow)
		for i := range values {
			values[i] = math.Exp(0.3 * random.NormFloat64())
		}
		if _, drifting := Drifting(values, 1e-9); drifting {
			seen++
		}
	}
	if math.Abs(float64(seen)/runs-1.0/12) > 4*math.Sqrt(1.0/12*11/12/runs) {
		t.Errorf("%d of %d", seen, runs)
	}
}

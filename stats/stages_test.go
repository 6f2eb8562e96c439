package stats_test

import (
	"math"
	"testing"

	"github.com/chiasmus/chiasmus/stats"
)

// staged makes pairs in blocks of two, of a stage that takes base seconds, and base + longer + noise in head.
func staged(base, longer float64, noise ...float64) []stats.Pair {
	var pairs []stats.Pair
	for i, x := range noise {
		order := stats.OrderAB
		if (i+i/2)%2 == 1 {
			order = stats.OrderBA
		}
		pairs = append(pairs, stats.Pair{Number: i + 1, Block: i/2 + 1, Order: order, A: base, B: base + longer + x})
	}
	return pairs
}

// Noise that is equal in both pairs of a block, so that every unit of analysis sees the same: four blocks of sum zero.
var blockNoise = []float64{-0.003, -0.003, -0.001, -0.001, 0.001, 0.001, 0.003, 0.003}

func TestContribution(t *testing.T) {
	pairs := staged(2, 0.06, blockNoise...)
	c, err := stats.Contribute(pairs, 10, 0.003, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.Mean.Float()-0.06) > 1e-12 || math.Abs(c.Percent.Float()-0.6) > 1e-10 || c.Level != 0.01 {
		t.Errorf("contribution %+v, want 0.06 of 10", c)
	}
	// By hand, for any unit from pairs to blocks: t at 0.01 is 3.499 with 7 degrees of freedom and 5.841 with 3; the
	// standard error is 0.00239/sqrt 8 over pairs and 0.00258/sqrt 4 over blocks.
	half := (c.CI.High - c.CI.Low) / 2
	if half < 3.49*0.00239/math.Sqrt(8) || half > 5.85*0.00259/2 || math.Abs((c.CI.High+c.CI.Low)/2-0.06) > 1e-12 {
		t.Errorf("interval %v", c.CI)
	}
	if math.Abs(c.PercentCI.Low-10*c.CI.Low) > 1e-12 || math.Abs(c.PercentCI.High-10*c.CI.High) > 1e-12 {
		t.Errorf("interval %v in percent, %v in seconds", c.PercentCI, c.CI)
	}
	if !c.Changed || !c.Regression {
		t.Errorf("0.6 %% of the whole with a margin of 0.3 %%: %+v", c)
	}
}

// A regression is one whose whole interval lies beyond the margin, on the side where head takes longer.
func TestContributionAgainstItsMargin(t *testing.T) {
	for name, test := range map[string]struct {
		longer, margin      float64
		changed, regression bool
	}{
		"beyond":              {0.06, 0.003, true, true},
		"at the margin":       {0.03, 0.003, true, false},
		"its end within":      {0.032, 0.003, true, false},
		"within":              {0.02, 0.003, true, false},
		"no margin":           {0.06, 0, true, false},
		"faster":              {-0.06, 0.003, true, false},
		"nothing":             {0, 0.003, false, false},
		"less than the noise": {0.001, 0.00001, false, false},
	} {
		c, err := stats.Contribute(staged(2, test.longer, blockNoise...), 10, test.margin, 0.01)
		if err != nil || c.Changed != test.changed || c.Regression != test.regression {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if c, err := stats.Contribute(staged(2, 0.06, blockNoise...), 0, 0.003, 0.01); err != nil || c.Percent.Exists() ||
		c.Regression || !c.Changed {
		t.Errorf("a whole that takes no time: %+v, %v", c, err)
	}
	if c, err := stats.Contribute(staged(0, 0, 0, 0, 0, 0), 10, 0.003, 0.01); err != nil || c.Mean != 0 || c.Changed ||
		c.Regression {
		t.Errorf("a stage that takes no time: %+v, %v", c, err)
	}
	if _, err := stats.Contribute(staged(2, math.NaN(), blockNoise...), 10, 0.003, 0.01); err == nil {
		t.Error("a time that is no number has a contribution")
	}
}

// The total time and all stages share alpha, whatever their number.
func TestAlphaIsSplit(t *testing.T) {
	for _, stages := range []int{0, 1, 13, 40} {
		for _, workloads := range []int{1, 3} {
			for _, analyses := range []int{1, 5} {
				whole, part := stats.SplitAlpha(0.05)
				level := stats.StageLevel(0.05, stages, workloads, analyses)
				if spent := level * float64(max(1, stages)*workloads*analyses); math.Abs(spent-part) > 1e-15 ||
					math.Abs(whole+spent-0.05) > 1e-15 || whole < 0.035 {
					t.Errorf("%d stages, %d workloads, %d analyses: %g for the whole and %g for stages", stages, workloads, analyses,
						whole, spent)
				}
			}
		}
	}
}

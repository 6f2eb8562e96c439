package cuts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// draw are random rates. The run takes about as long as a device's first phase.
func draw(random *rand.Rand) Rates {
	of := func(scale float64) float64 { return scale * random.ExpFloat64() }
	return Rates{
		Run: of(0.1) * float64(random.IntN(4)), Replay: of(0.05) * float64(random.IntN(3)),
		Fixed: [2]float64{of(0.004), of(0.013)}, Whole: [2]float64{of(0.15), of(0.3)},
	}
}

// byGrid is the minimum time of all cuts into parts that are multiples of a step.
func byGrid(r Rates, shards, devices, steps int) float64 {
	parts := make([]float64, shards)
	best := math.Inf(1)
	var try func(i, left int)
	try = func(i, left int) {
		if i == shards-1 {
			parts[i] = float64(left) / float64(steps)
			best = min(best, r.Predict(parts, devices))
			return
		}
		for n := range left + 1 {
			parts[i] = float64(n) / float64(steps)
			try(i+1, left-n)
		}
	}
	try(0, steps)
	return best
}

// No cut on a grid is better than the computed one, and the nearest one on the grid is not much worse: a part that is
// off by a step costs at most the time of that step everywhere.
func TestAgainstGrids(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 2))
	for _, size := range []struct{ shards, devices, steps int }{
		{2, 2, 200}, {3, 2, 60}, {4, 2, 24}, {3, 1, 60}, {3, 3, 60}, {4, 3, 24},
	} {
		for range 12 {
			r := draw(random)
			parts, seconds := r.Cut(size.shards, size.devices)
			sum := 0.0
			for _, part := range parts {
				if sum += part; part < 0 {
					t.Errorf("a part of %g", part)
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("parts %v add up to %g", parts, sum)
			}
			grid := byGrid(r, size.shards, size.devices, size.steps)
			everything := r.Run + float64(size.shards)*r.Replay + r.Whole[0] + r.Whole[1]
			step := float64(size.shards) / float64(size.steps) * everything
			if seconds > grid+1e-9 || seconds < grid-step {
				t.Errorf("%d shards on %d devices take %g s cut into %v, and on a grid %g: %+v",
					size.shards, size.devices, seconds, parts, grid, r)
			}
		}
	}
}

// Without a run to wait for and fixed costs, devices get equal parts. Two shards on two devices stay nearly equal:
// another cut loses more in the second phase than it gains in the first.
func TestEvenCuts(t *testing.T) {
	for devices := 1; devices <= 8; devices++ {
		r := Rates{Whole: [2]float64{1, 2}}
		_, seconds := r.Cut(2*devices, devices)
		if math.Abs(seconds-3/float64(devices)) > 1e-9 {
			t.Errorf("%d devices: %g s, want a %dth of 3", devices, seconds, devices)
		}
	}
	parts, _ := Rates{Run: 0.06, Fixed: [2]float64{0.004, 0.013}, Whole: [2]float64{0.15, 0.31}}.Cut(2, 2)
	if math.Abs(parts[0]-0.5) > 1e-9 {
		t.Errorf("parts %v, want halves", parts)
	}
}

// Cases that can be computed by hand: one shard after another on one device, and two devices.
func TestPredict(t *testing.T) {
	r := Rates{Run: 8, Fixed: [2]float64{1, 2}, Whole: [2]float64{4, 16}}
	for _, test := range []struct {
		parts   []float64
		devices int
		want    float64
	}{
		{[]float64{1}, 1, 8 + 5 + 18},
		{[]float64{0.5, 0.5}, 1, 8 + 3 + 20},              // the first ends at 7
		{[]float64{0.5, 0.5}, 2, 8 + 3 + 10},              // both wait for the run
		{[]float64{0.25, 0.5, 0.25}, 2, 8 + 2 + 12},       // the first of them ends at 4, the second at 9
		{[]float64{0.875, 0.0625, 0.0625}, 2, 12.75 + 19}, // the first ends at 11.5, and with it the third waits
	} {
		if got := r.Predict(test.parts, test.devices); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v on %d: %g, want %g", test.parts, test.devices, got, test.want)
		}
	}
	r.Replay = 6 // the third shard is replayed from the start after the first is committed to
	if got, want := r.Predict([]float64{0.25, 0.5, 0.25}, 2), 4+6+2+12.0; got != want {
		t.Errorf("with a replay: %g, want %g", got, want)
	}
}

package plan

import "testing"

// The number of pairs follows from how long the commands take, within its bounds, and is even.
func TestPairsFor(t *testing.T) {
	for seconds, want := range map[float64]int{0: 60, 0.01: 60, 1: 40, 2.9: 12, 5: 8, 60: 6} {
		if got := pairsFor(seconds); got != want {
			t.Errorf("%g s: %d pairs, want %d", seconds, got, want)
		}
	}
}

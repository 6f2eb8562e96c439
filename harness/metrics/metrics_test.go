package metrics

import (
	"math"
	"testing"
)

// The warning of wall time starts where it is both more than 2 % and more than 5 ms.
func TestUnexplained(t *testing.T) {
	for _, c := range []struct{ prove, wall, want float64 }{
		{1, 1, 0}, {1, 1.0199, 0}, {1, 1.0201, 0.0201}, {0.01, 0.0149, 0}, {0.01, 0.0151, 0.0051}, {0.02, 0.0251, 0.0051},
		{2, 1, 0},
	} {
		if got := Unexplained(c.wall, c.prove); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("prove %g, wall %g: %g unexplained, want %g", c.prove, c.wall, got, c.want)
		}
	}
}

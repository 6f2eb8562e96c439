package report_test

import (
	"github.com/chiasmus/chiasmus/harness/report"
	"math"
	"testing"
)

// The interval of a median is the sign test's. Its ranks and confidences are in the tables of textbooks.
func TestThroughs(t *testing.T) {
	for _, c := range []struct {
		n          int
		level      float64
		rank       int // of the lower end; 0 means no interval
		confidence float64
	}{
		{5, 0.05, 0, 0}, {6, 0.05, 1, 1 - 2.0/64}, {10, 0.05, 2, 1 - 2.0*11/1024}, {14, 0.05, 3, 1 - 2.0*106/16384},
		{20, 0.05, 6, 0.958611}, {20, 0.01, 4, 0.997423}, {1, 0.05, 0, 0},
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(c.n - i) // the k-th smallest is k
		}
		got := report.ThroughsOf(values, c.level)
		if math.Abs(got.Median.Float()-float64(c.n+1)/2) > 1e-9 {
			t.Errorf("%+v: the median is %v", c, got.Median)
		}
		if c.rank == 0 {
			if got.CI.Exists() || got.Confidence.Exists() {
				t.Errorf("%+v: %+v", c, got)
			}
			continue
		}
		if got.CI.Low != float64(c.rank) || got.CI.High != float64(c.n+1-c.rank) ||
			math.Abs(got.Confidence.Float()-c.confidence) > 1e-6 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

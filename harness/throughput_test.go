package harness_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
)

// The interval of a median is that of the sign test: its ranks and confidences are in the tables of textbooks.
func TestThroughs(t *testing.T) {
	for _, c := range []struct {
		n          int
		level      float64
		rank       int // of the lower end, 0 for no interval
		confidence float64
	}{
		{5, 0.05, 0, 0}, {6, 0.05, 1, 1 - 2.0/64}, {10, 0.05, 2, 1 - 2.0*11/1024}, {14, 0.05, 3, 1 - 2.0*106/16384},
		{20, 0.05, 6, 0.958611}, {20, 0.01, 4, 0.997423}, {1, 0.05, 0, 0},
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(c.n - i) // the k-th smallest is k
		}
		got := harness.ThroughsOf(values, c.level)
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

// What bench.yaml counts is divided by each counted proof's time, and what proofs lack is a warning.
func TestThroughputOfRun(t *testing.T) {
	_, rest, _ := strings.Cut(worldConfig, "workloads:\n")
	one, _, _ := strings.Cut(rest, "metrics:")
	named := func(name, units string) string {
		return strings.Replace(one, "name: quick", "name: "+name, 1) + "    units: " + units + "\n"
	}
	w := newWorld(t, strings.Replace(worldConfig, one, named("fixed", "{count: 1000000, name: cycles}")+
		named("counted", "{metric: proof_bytes, name: B}")+named("lacking", "{counter: nosuch, name: rows}")+one, 1))
	w.commit("base", "noise=0.02")
	w.commit("head", "noise=0.02")
	r := w.compare(w.options("base..head"), harness.ExitOK, harness.ExitRegression)
	for i, count := range []func(harness.Sample) float64{
		func(harness.Sample) float64 { return 1e6 },
		func(s harness.Sample) float64 { return s.Metrics["proof_bytes"] },
	} {
		own := r.Workloads[i]
		if own.Throughput == nil {
			t.Fatalf("%s has no throughput: %v", own.Name, own.Warnings)
		}
		for arm, got := range map[harness.Arm]harness.Throughs{
			harness.Base: own.Throughput.Base, harness.Head: own.Throughput.Head,
		} {
			var rates []float64
			for _, s := range own.Samples {
				if s.Kind == harness.Measured && s.Arm == arm {
					rates = append(rates, count(s)/s.Metrics[own.Metric.Name])
				}
			}
			slices.Sort(rates)
			if n := len(rates); n != 8 || math.Abs(got.Median.Float()/((rates[3]+rates[4])/2)-1) > 1e-12 ||
				got.CI.Low != rates[0] || got.CI.High != rates[7] {
				t.Errorf("%s of %s: %+v, its proofs are %v", own.Name, arm, got, rates)
			}
		}
	}
	lacking := r.Workloads[2]
	if lacking.Throughput != nil || !slices.ContainsFunc(lacking.Warnings, func(w harness.Warning) bool {
		return w.Kind == "units" && strings.Contains(w.Text, "base does not report nosuch")
	}) {
		t.Errorf("%+v, warnings %v", lacking.Throughput, lacking.Warnings)
	}
	text, err := json.Marshal(r.Workloads[3])
	if err != nil || strings.Contains(string(text), "throughput") {
		t.Errorf("a workload without units has a throughput: %v", err)
	}
}

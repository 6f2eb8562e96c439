package measure_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A counter that bench.yaml names is divided by each counted proof's time. If proofs lack the counter, there is a
// warning.
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
	r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
	for i, count := range []func(evidence.Sample) float64{
		func(evidence.Sample) float64 { return 1e6 },
		func(s evidence.Sample) float64 { return s.Metrics["proof_bytes"] },
	} {
		own := r.Workloads[i]
		if own.Throughput == nil {
			t.Fatalf("%s has no throughput: %v", own.Name, own.Warnings)
		}
		for arm, got := range map[schedule.Arm]report.Throughs{
			schedule.Base: own.Throughput.Base, schedule.Head: own.Throughput.Head,
		} {
			var rates []float64
			for _, s := range own.Samples {
				if s.Kind == evidence.Measured && s.Arm == arm {
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
	if lacking.Throughput != nil || !slices.ContainsFunc(lacking.Warnings, func(w plan.Warning) bool {
		return w.Kind == "units" && strings.Contains(w.Text, "base does not report nosuch")
	}) {
		t.Errorf("%+v, warnings %v", lacking.Throughput, lacking.Warnings)
	}
	text, err := json.Marshal(r.Workloads[3])
	if err != nil || strings.Contains(string(text), "throughput") {
		t.Errorf("a workload without units has a throughput: %v", err)
	}
}

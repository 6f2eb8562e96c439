package workflows

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
)

// unverified is worldBench with a workload without a verifier; asSuite turns that workload into a suite.
var (
	unverified = strings.Replace(strings.Replace(worldBench, `    verify: ["{prover}", "{proof}"]`+"\n", "", 1),
		`process: ["{prover}", "{proof}", "{seed}"]`, `process: ["{prover}", "{seed}"]`, 1)
	asSuite = strings.Replace(unverified, "  - name: quick", "    adapter: go-bench\n  - name: quick", 1)
)

// withoutVerifier changes a workload of a result as required for a workload without a verifier.
func withoutVerifier(w *report.Workload) {
	w.Verified, w.Cross, w.Unbound, w.NotVerified = evidence.Verified{}, evidence.CrossCheck{}, false, true
}

// benchmark makes the workload a benchmark of a suite.
func benchmark(w *report.Workload) {
	withoutVerifier(w)
	w.Name, w.Suite, w.Metric.Name, w.Clock = "keccak.Sum", "keccak", "op_seconds", nil
}

// A workload for which bench.yaml has no verifier may be published as not verified; no other may.
func TestUnverifiedClaims(t *testing.T) {
	both := func(first, then func(w *report.Workload)) func(*result) {
		return ofWorkload(func(w *report.Workload) { first(w); then(w) })
	}
	for name, test := range map[string]struct {
		bench  string
		change func(result *result)
		want   string
	}{
		"no verifier":               {unverified, ofWorkload(withoutVerifier), ""},
		"a verifier that was asked": {unverified, ofWorkload(func(*report.Workload) {}), "not_verified is false"},
		"a verifier left out":       {worldBench, ofWorkload(withoutVerifier), "not_verified is true"},
		"proofs that are verified": {unverified, both(withoutVerifier, func(w *report.Workload) { w.Verified.Head = 1 }),
			"verified is {base 0, head 1}"},
		"a cross check": {unverified, both(withoutVerifier, func(w *report.Workload) { w.Cross.Done = true }),
			"cross has done true"},
		"a verified sample": {unverified, both(withoutVerifier, func(w *report.Workload) {
			sampled(w, "", "")
			w.Samples[3].Verified = true
		}), "sample 3 is verified"},
		"an unchecked sample": {worldBench, ofWorkload(func(w *report.Workload) {
			sampled(w, "", "")
			w.Samples[3].Unchecked = true
		}), "sample 3 is unchecked"},
		"a benchmark":            {asSuite, ofWorkload(benchmark), ""},
		"a suite without one":    {asSuite, ofWorkload(withoutVerifier), "its suite is"},
		"a benchmark of nothing": {unverified, ofWorkload(benchmark), "its suite is"},
		"a benchmark by its wall time": {asSuite,
			both(benchmark, func(w *report.Workload) { w.Metric.Name = "wall_seconds" }), "it was judged by"},
		"a benchmark of another name": {asSuite, both(benchmark, func(w *report.Workload) { w.Name = "Sum" }),
			"its name does not begin with its suite"},
		"one benchmark twice": {asSuite, func(result *result) {
			benchmark(&result.Report.Workloads[0])
			result.Report.Workloads = append(result.Report.Workloads, result.Report.Workloads[0])
		}, "two workloads"},
		"a command": {worldBench, func(result *result) { result.Report.Head.Argv = []string{"./new"} },
			"head is a command, want a commit"},
	} {
		err := judgeClaims(t, test.bench, test.change)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

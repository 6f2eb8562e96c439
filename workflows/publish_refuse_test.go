package workflows

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/stats"
)

// A result that the gate did not plan is rejected, and its text is not shown.
func TestPublishRefusesResults(t *testing.T) {
	const lie = "LIE"
	for name, test := range map[string]struct {
		archive func(t *testing.T, plan *Plan) []byte
		want    string
	}{
		"malformed": {func(t *testing.T, plan *Plan) []byte { return archive(t, ResultFile, 0o644, []byte(`{"LIE":`)) },
			"decode the result"},
		"an unknown key": {func(t *testing.T, plan *Plan) []byte {
			return archive(t, ResultFile, 0o644, []byte(`{"schema":"chiasmus.result/2","surprise":1}`))
		}, "decode the result"},
		"not a zip file": {func(t *testing.T, plan *Plan) []byte { return []byte("LIE") }, "not a zip file"},
		"huge": {func(t *testing.T, plan *Plan) []byte {
			return bytes.Repeat([]byte("LIE"), maxArchive)
		}, "at most"},
		"a zip bomb": {func(t *testing.T, plan *Plan) []byte {
			return archive(t, ResultFile, 0o644, make([]byte, 64<<20))
		}, "more than 1048576 bytes"},
		"a path that climbs": {func(t *testing.T, plan *Plan) []byte {
			return archive(t, "../"+ResultFile, 0o644, []byte("LIE"))
		}, "only one"},
		"a symbolic link": {func(t *testing.T, plan *Plan) []byte {
			return archive(t, ResultFile, 0o777|fs.ModeSymlink, []byte("/etc/passwd"))
		}, "not a regular file"},
		"another file beside it": {func(t *testing.T, plan *Plan) []byte {
			var buffer bytes.Buffer
			writer := zip.NewWriter(&buffer)
			writer.Create(ResultFile)
			writer.Create("LIE")
			writer.Close()
			return buffer.Bytes()
		}, "2 files"},
		"another head": {forged(func(result *result) { result.Head = strings.Repeat("a", 40) }),
			"other commits"},
		"several heads": {forged(func(result *result) {
			result.Report.Heads = []harness.Revision{result.Report.Head}
		}), "several heads"},
		"a workload of several heads": {forged(func(result *result) { result.Report.Workloads[0].Of = "x" }),
			"several heads"},
		"a workload of another head": {forged(func(result *result) { result.Report.Workloads[0].HeadNumber = 2 }),
			"several heads"},
		"another head in the report": {forged(func(result *result) { result.Report.Head.SHA = strings.Repeat("a", 40) }),
			"other commits"},
		"another plan": {forged(func(result *result) { result.PlanHash = strings.Repeat("0", 64) }),
			"another plan"},
		"a verdict that its pairs do not give": {forged(func(result *result) {
			changed := *result.Report.Workloads[0].Stats
			changed.Verdict = stats.Improvement
			result.Report.Workloads[0].Stats = &changed
		}), "its pairs give"},
		"a mean that its pairs do not give": {forged(func(result *result) {
			changed := *result.Report.Workloads[0].Stats
			changed.T.Mean *= 1.01
			result.Report.Workloads[0].Stats = &changed
		}), "its pairs give"},
		"a huge plan": {forged(func(result *result) {
			result.Report.Plan.Pairs, result.Report.Plan.Analyses = 2_000_000, 1_000_000
		}), "14 were requested"},
		"another alpha": {judged(func(report *harness.Report) { report.Plan.Alpha = 0.4 }),
			"alpha 0.4, bench.yaml says 0.05"},
		"another margin": {judged(func(report *harness.Report) { report.Plan.Equivalence = 0.5 }),
			"a margin of 0.5, bench.yaml says 0.01"},
		"other processes": {judged(func(report *harness.Report) {
			report.Plan.Processes, report.Workloads[0].Processes = 14, 14
		}), "processes 14 and builds 0, bench.yaml says 0 and auto"},
		"more builds": {judged(func(report *harness.Report) { report.Plan.Builds = 7 }),
			"processes 0 and builds 7, bench.yaml says 0 and auto"},
		"a baseline of another revision": {judged(func(report *harness.Report) {
			report.Workloads[0].PreCheck = &baseline.PreCheck{Decided: 1, Baseline: &baseline.Baseline{Revision: "0123"}}
		}), "its baseline measured 0123, not base"},
		"a pre-check": {judged(func(report *harness.Report) { report.Plan.PreCheck = 1 }), "precheck 1, 0 was requested"},
		"more analyses": {judged(func(report *harness.Report) { report.Plan.Analyses = 3 }),
			"3 analyses, 1 were requested"},
		"fewer pairs, a lucky prefix": {judged(func(report *harness.Report) {
			report.Workloads[0].Pairs = report.Workloads[0].Pairs[:12]
		}), "no analysis of a plan of"},
		"the same pair fourteen times": {judged(func(report *harness.Report) {
			for i := range report.Workloads[0].Pairs {
				report.Workloads[0].Pairs[i].Number = 1
			}
		}), "want each from 1 to 14 once"},
		"the other direction": {judged(func(report *harness.Report) {
			report.Workloads[0].Metric.Better = "higher"
		}), "bench.yaml says prove_seconds (lower"},
		"another scale": {judged(func(report *harness.Report) {
			report.Workloads[0].Metric.Scale = stats.ScaleDifference
		}), "bench.yaml says prove_seconds"},
		"another metric": {judged(func(report *harness.Report) {
			report.Workloads[0].Metric.Name = "proof_bytes"
		}), "bench.yaml says prove_seconds"},
		"a p-value that its pairs do not give": {forged(func(result *result) {
			result.Report.Workloads[0].Stats.Wilcoxon.P = 0.987
		}), "its pairs give"},
		"an interval that its pairs do not give": {forged(func(result *result) {
			result.Report.Workloads[0].Stats.EffectCIPercent = stats.Interval{Low: 98.6, High: 98.8}
		}), "its pairs give"},
		"analyses that were not made": {forged(func(result *result) {
			result.Report.Workloads[0].Sequential = &stats.Sequential{Analyses: []stats.AnalysisResult{{P: 0.987}}}
		}), "its pairs give"},
		"samples that do not match its pairs": {forged(func(result *result) {
			workload := &result.Report.Workloads[0]
			workload.Samples = evidence.Samples{{Metrics: map[string]float64{"prove_seconds": 1}}}
			for i := range workload.Pairs {
				workload.Pairs[i].Base, workload.Pairs[i].Head = 0, 0
			}
		}), "and its sample"},
		"missing samples": {forged(func(result *result) {
			workload := &result.Report.Workloads[0]
			workload.Samples = evidence.Samples{{Metrics: map[string]float64{"prove_seconds": 1}}}
			workload.Pairs[0].Base = 7
		}), "has no sample 7"},
		"other pairs than requested": {forged(func(result *result) { result.Report.Plan.Pairs = 12 }),
			"14 were requested"},
		"other workloads than requested": {forged(func(result *result) { result.Report.Workloads[0].Name = "quick" }),
			"its workloads are not the requested ones"},
		"complete without workloads": {forged(func(result *result) { result.Report.Workloads = nil }),
			"its workloads are not the requested ones"},
		"no proof verified": {forged(func(result *result) { result.Report.Workloads[0].Verified = evidence.Verified{} }),
			"verified is {base 0, head 0}, proofs_made is 30"},
		"a cross-check that refused": {forged(func(result *result) {
			result.Report.Workloads[0].Cross = evidence.CrossCheck{Done: true, Proofs: 15, Refused: 1}
		}), "cross has refused 1 of 15 proofs of head, want 0"},
		"a cross-check that was not done": {forged(func(result *result) {
			result.Report.Workloads[0].Cross = evidence.CrossCheck{}
		}), "cross has done false and 0 proofs, want true and 15"},
		"another statement": {forged(func(result *result) {
			workload := &result.Report.Workloads[0]
			workload.BaseSession.Statement, workload.HeadSession.Statement = "aa", "bb"
		}), "head_session.statement is \"bb\", want \"aa\""},
		"another configuration": {forged(func(result *result) {
			result.Report.Run.ConfigSHA256 = strings.Repeat("0", 64)
		}), "run.config_sha256 is \"000"},
		"neither report nor error": {forged(func(result *result) { result.Report = nil }), "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			world, plan := accepted(t, "/bench-gpu pairs=14 workload=keccak")
			world.upload(plan, test.archive(t, plan))
			if err := world.publish(plan, "success"); err != nil {
				t.Fatal(err)
			}
			verdicts := world.verdicts()
			if len(verdicts) != 1 || !strings.Contains(verdicts[0], "was refused") || !strings.Contains(verdicts[0], test.want) {
				t.Fatalf("verdicts %q, want a refusal with %q", verdicts, test.want)
			}
			if strings.Contains(strings.Join(world.bodies(), ""), lie) && name != "another file beside it" {
				t.Errorf("the result's words were shown: %q", verdicts)
			}
			if check := world.CheckRuns[0]; check.Conclusion != "failure" {
				t.Errorf("conclusion %q", check.Conclusion)
			}
		})
	}
}

func forged(change func(result *result)) func(t *testing.T, plan *Plan) []byte {
	return func(t *testing.T, plan *Plan) []byte {
		result := resultOf(plan, madeUpReport(t, plan, 1.1))
		change(result)
		data, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return archive(t, ResultFile, 0o644, data)
	}
}

// judged is a result that is consistent under changed rules: its claims follow from its pairs by these rules.
func judged(change func(report *harness.Report)) func(t *testing.T, plan *Plan) []byte {
	return forged(func(result *result) {
		report := result.Report
		change(report)
		workload := &report.Workloads[0]
		var pairs []stats.Pair
		for i, pair := range workload.Pairs {
			pairs = append(pairs, stats.Pair{Number: i + 1, Block: i/2 + 1, Build: 1, Order: pair.Order, A: pair.A, B: pair.B})
		}
		options := stats.Options{
			Scale:          workload.Metric.Scale,
			Alpha:          report.Plan.Alpha,
			Equivalence:    report.Plan.Equivalence,
			HigherIsBetter: workload.Metric.Better == "higher",
		}
		again, err := stats.Analyze(pairs, options)
		if err != nil {
			panic(err)
		}
		workload.Stats = &again
	})
}

// A result's claims about secondary metrics are not shown: publish computes them from the samples, and omits them if
// there are none.
func TestPublishComputesSecondaryMetricsAgain(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	world.upload(plan, forged(func(result *result) {
		result.Report.Workloads[0].Secondary = []harness.Secondary{{Metric: "peak_device_bytes", Kind: harness.KindMetric,
			PHolm: 0.0123, MeanA: 98765, MeanB: 1}}
	})(t, plan))
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	if verdict := world.verdicts()[0]; strings.Contains(verdict, "peak_device_bytes") ||
		!strings.Contains(verdict, "slower") {
		t.Errorf("the result's own figures are shown:\n%s", verdict)
	}
}

// The comment gives the cost of the run at the price in bench.yaml, not at a price that the result claims.
func TestPublishSaysWhatItCost(t *testing.T) {
	for bench, want := range map[string]string{
		worldBench + "host: {cost_per_hour: 0.87 USD}\n": "1.74 USD",
		worldBench: "",
	} {
		world, plan := accepted(t, "/bench-gpu")
		world.bench = parseBench(t, bench)
		world.upload(plan, forged(func(result *result) {
			result.Report.Run.Started, result.Report.Run.Finished = time.Unix(0, 0), time.Unix(7200, 0)
			result.Report.Run.ConfigSHA256 = world.bench.SHA256
			result.Report.Cost = &harness.Cost{PerHour: 1234, Total: 5678, Currency: "EUR", Hours: 1}
		})(t, plan))
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		verdict := world.verdicts()[0]
		if !strings.Contains(verdict, want) || strings.Contains(verdict, "EUR") ||
			(want == "") == strings.Contains(verdict, "USD") {
			t.Errorf("want the cost %q:\n%s", want, verdict)
		}
	}
}

// Figures computed on two processors may differ in their last digits only.
func TestSameFigures(t *testing.T) {
	one := map[string]any{"a": 1.0, "b": []float64{1e-17, 2}, "warnings": "x", "none": nil}
	for _, same := range []map[string]any{
		{"a": 1.0 + 1e-12, "b": []float64{1.0000000001e-17, 2}, "warnings": "y", "none": nil},
	} {
		if err := sameFigures(one, same); err != nil {
			t.Error(err)
		}
	}
	for _, other := range []map[string]any{
		{"a": 1.001, "b": []float64{1e-17, 2}, "warnings": "x", "none": nil},
		{"a": 1.0, "b": []float64{1e-17}, "warnings": "x", "none": nil},
		{"a": 1.0, "b": []float64{1e-17, 2}, "warnings": "x"},
		{"a": "1", "b": []float64{1e-17, 2}, "warnings": "x", "none": nil},
		{"a": 1.0, "b": []float64{1e-17, 2}, "warnings": "x", "none": 0},
	} {
		if err := sameFigures(one, other); err == nil {
			t.Errorf("%v passes for %v", other, one)
		}
	}
}

// The summary of the check run repeats the executor's text. A marker in this text has no effect.
func TestPublishRefusesMarkersOfResults(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	second, err := resultOf(plan, madeUpReport(t, plan, 0.9)).Encode()
	if err != nil {
		t.Fatal(err)
	}
	first := resultOf(plan, nil)
	first.Error = fmt.Sprintf("<!-- chiasmus:result %x -->", sha256.Sum256(second))
	world.uploadResult(plan, first)
	if err := world.publish(plan, "failure"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(world.CheckRuns[0].Summary, first.Error) {
		t.Fatal("the words are not in the summary, so that this tests nothing")
	}
	world.upload(plan, archive(t, ResultFile, 0o644, second))
	if err := world.publish(plan, "success"); !errors.Is(err, errReplayed) || world.CheckRuns[0].Conclusion != "failure" {
		t.Errorf("another result was believed: %v, %s", err, world.CheckRuns[0].Conclusion)
	}
}

// An artifact of an earlier attempt does not count for this attempt.
func TestPublishLeavesOldArtifacts(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
	world.Artifacts[0].Created = plan.Created.Add(-time.Hour)
	if err := world.publish(plan, "failure"); err != nil {
		t.Fatal(err)
	}
	if verdict := world.verdicts()[0]; !strings.Contains(verdict, "left no result") {
		t.Errorf("%s", verdict)
	}
}

// A measurement that its own deadline stopped has timed out; a measurement that was stopped earlier is cancelled.
func TestPublishPartial(t *testing.T) {
	for _, test := range []struct {
		took  time.Duration
		state runState
	}{{10 * time.Minute, cancelled}, {2*time.Hour - graceBeforeDeadline, overtime}} {
		world, plan := accepted(t, "/bench-gpu")
		result := resultOf(plan, madeUpReport(t, plan, 1.1))
		result.Started = plan.Created
		result.Finished = plan.Created.Add(test.took)
		result.Report.State, result.Report.Workloads[0].Stats = harness.Partial, nil
		world.uploadResult(plan, result)
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		if got := world.CheckRuns[0].Title; !strings.HasPrefix(got, string(test.state)) {
			t.Errorf("after %s: %q, want %s", test.took, got, test.state)
		}
	}
}

// Executors always measure with isolation, so a result without isolation is refused.
func TestPublishRefusesWhatWasNotIsolated(t *testing.T) {
	for _, repository := range []int64{worldID, 99} {
		world := newWorld(t)
		world.Pulls[worldPull].HeadRepository = repository
		plan := world.gate(world.say("maintainer", "/bench-gpu "+world.change)).Plan
		result := resultOf(plan, madeUpReport(t, plan, 0.9))
		result.Report.Plan.Isolated = false
		world.uploadResult(plan, result)
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		if verdicts := world.verdicts(); !strings.Contains(verdicts[0], "without isolation") ||
			world.CheckRuns[0].Conclusion != "failure" {
			t.Errorf("repository %d: verdicts %q", repository, verdicts)
		}
	}
}

// A plan is valid only for its own run, and a completed check run accepts no other result.
func TestPublishRefusesReplays(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
	replays := map[string]func(plan *Plan){
		"another run":        func(plan *Plan) { plan.RunID = 78 },
		"another repository": func(plan *Plan) { plan.RepositoryID = 1 },
		"a later attempt":    func(plan *Plan) { plan.RunAttempt = 2 },
	}
	for name, change := range replays {
		replayed := *plan
		change(&replayed)
		if err := world.publish(&replayed, "success"); !errors.Is(err, errReplayed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(world.verdicts()) != 0 {
		t.Fatal("a replay was posted")
	}
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9))) // a newer artifact with another verdict
	if err := world.publish(plan, "success"); !errors.Is(err, errReplayed) {
		t.Errorf("another result: %v", err)
	}
	if world.CheckRuns[0].Conclusion != "failure" || len(world.verdicts()) != 1 {
		t.Error("the second result changed the first")
	}
	other := *plan
	other.CheckRunID = func() int64 { // the check run of another comment
		return world.gate(world.say("owner", "/bench-gpu pairs=6")).Plan.CheckRunID
	}()
	if err := world.publish(&other, "success"); err == nil {
		t.Error("a plan with another's check run was believed")
	}
}

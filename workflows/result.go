package workflows

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// ResultSchema is the version of Result's JSON.
const ResultSchema = "chiasmus.result/1"

// Limits of what is read from the executor.
const (
	maxResult    = 1 << 20 // the result file
	maxArchive   = 2 << 20 // the archive that holds it
	maxLog       = 16 << 10
	maxWorkloads = 64
	maxPairs     = 10000
	maxLooks     = 50 // as many as bench.yaml may have
)

// Names of the artifact with the result and of the file in it.
const (
	ResultArtifact = "result"
	ResultFile     = "result.json"
)

// ResultLimit bounds what is read of the artifact that holds a result.
var ResultLimit = api.ArtifactLimit{Archive: maxArchive, Files: 1, File: maxResult}

// A Result is what the executor hands back. Nothing in it is believed beyond what CheckResult can check.
type Result struct {
	Schema   string `json:"schema"`
	PlanHash string `json:"plan_hash"`
	Base     string `json:"base"`
	Head     string `json:"head"`
	// Isolated says that builds, sessions and verifiers ran under bubblewrap.
	Isolated bool      `json:"isolated"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Report is the harness's report without its samples; null where the run ended before there was one.
	Report *harness.Report `json:"report"`
	// Error says why there is no complete report; Log is the end of the harness's log then.
	Error string `json:"error,omitempty"`
	Log   string `json:"log,omitempty"`
}

// CheckResult reads a result and checks it against the plan: schema, plan hash, commits, sizes, and every verdict
// by computing the statistics again from the pairs. An error means that nothing of the result may be shown.
func CheckResult(data []byte, plan *Plan) (*Result, error) {
	if len(data) > maxResult {
		return nil, fmt.Errorf("the result has %d bytes, at most %d are read", len(data), maxResult)
	}
	result := &Result{}
	if err := decodeStrict(data, result); err != nil {
		return nil, fmt.Errorf("the result is malformed: %w", err)
	}
	switch {
	case result.Schema != ResultSchema:
		return nil, fmt.Errorf("the result has schema %q, this harness reads %s", clip(result.Schema, 40), ResultSchema)
	case result.PlanHash != plan.Hash():
		return nil, fmt.Errorf("the result belongs to another plan")
	case result.Base != plan.Base || result.Head != plan.Head:
		return nil, fmt.Errorf("the result claims other commits than the plan")
	case len(result.Log) > maxLog || len(result.Error) > maxLog:
		return nil, fmt.Errorf("the result's log has more than %d bytes", maxLog)
	case plan.Fork && !result.Isolated:
		return nil, fmt.Errorf("a pull request from a fork was measured without isolation")
	case result.Report == nil && result.Error == "":
		return nil, fmt.Errorf("the result has neither a report nor an error")
	}
	if result.Report != nil {
		if err := CheckReport(result.Report, plan.Base, plan.Head); err != nil {
			return nil, fmt.Errorf("the result's report: %w", err)
		}
		if err := checkAsked(result.Report, plan); err != nil {
			return nil, fmt.Errorf("the result's report: %w", err)
		}
	}
	return result, nil
}

// checkAsked checks that a complete report is of what the comment asked for.
func checkAsked(report *harness.Report, plan *Plan) error {
	if report.State != harness.Complete {
		return nil
	}
	var names []string
	for i := range report.Workloads {
		names = append(names, report.Workloads[i].Name)
	}
	slices.Sort(names)
	switch {
	case plan.Pairs != 0 && report.Plan.Pairs != plan.Pairs:
		return fmt.Errorf("it was planned with %d pairs, %d were asked for", report.Plan.Pairs, plan.Pairs)
	case plan.Looks != 0 && report.Plan.Looks != plan.Looks:
		return fmt.Errorf("it was planned with %d looks, %d were asked for", report.Plan.Looks, plan.Looks)
	case len(plan.Workloads) > 0 && !slices.Equal(names, slices.Sorted(slices.Values(plan.Workloads))):
		return fmt.Errorf("its workloads are not those that were asked for")
	}
	return nil
}

// CheckReport checks a report that an executor handed back: its schema, its sizes, that it is of these commits, and
// every verdict by computing the statistics again from the pairs. Those of the primary metric it replaces by what was
// computed, so that no figure is shown that the pairs do not give.
func CheckReport(report *harness.Report, base, head string) error {
	switch {
	case report.Schema != harness.ReportSchema:
		return fmt.Errorf("schema %q, this harness reads %s", clip(report.Schema, 40), harness.ReportSchema)
	case report.Base.SHA != base || report.Head.SHA != head:
		return fmt.Errorf("it is of other commits than the plan")
	case report.State != harness.Complete && report.State != harness.Partial && report.State != harness.Failed:
		return fmt.Errorf("unknown state %q", clip(string(report.State), 40))
	case report.Plan.Pairs > maxPairs || report.Plan.Looks > maxLooks: // planning looks takes time that grows with both
		return fmt.Errorf("a plan of %d pairs and %d looks, at most %d and %d are read", report.Plan.Pairs, report.Plan.Looks, maxPairs, maxLooks)
	case len(report.Workloads) > maxWorkloads:
		return fmt.Errorf("%d workloads, at most %d are read", len(report.Workloads), maxWorkloads)
	case report.State == harness.Complete && len(report.Workloads) == 0:
		return fmt.Errorf("it is complete and has no workload")
	}
	for i := range report.Workloads {
		if err := checkWorkload(report, &report.Workloads[i]); err != nil {
			return fmt.Errorf("workload %q: %w", clip(report.Workloads[i].Name, 64), err)
		}
	}
	return nil
}

// checkWorkload computes the primary metric's statistics again from the pairs of a complete report.
func checkWorkload(report *harness.Report, workload *harness.Workload) error {
	if len(workload.Pairs) > maxPairs {
		return fmt.Errorf("%d pairs, at most %d are read", len(workload.Pairs), maxPairs)
	}
	if report.State != harness.Complete {
		return nil
	}
	if workload.Stats == nil {
		return fmt.Errorf("it is complete and has no statistics")
	}
	again, sequential, err := recompute(report.Plan, workload)
	if err != nil {
		return err
	}
	if again.Verdict != workload.Stats.Verdict {
		return fmt.Errorf("its verdict is %q, its pairs give %q", clip(string(workload.Stats.Verdict), 40), again.Verdict)
	}
	was, is := workload.Stats.T.Mean.Float(), again.T.Mean.Float()
	if !(math.Abs(was-is) <= 1e-9*math.Max(1e-9, math.Abs(is))) { // NaN is no mean
		return fmt.Errorf("its mean is %g, its pairs give %g", was, is)
	}
	again.Warnings = workload.Stats.Warnings // the harness adds what it saw, such as a control that moved
	workload.Stats, workload.Sequential = &again, sequential
	return nil
}

// recompute analyses the pairs as the plan says; sequential is nil for a plan with one look.
func recompute(plan harness.Plan, workload *harness.Workload) (result stats.Result, sequential *stats.Sequential, err error) {
	pairs := make([]stats.Pair, len(workload.Pairs))
	for i, pair := range workload.Pairs {
		pairs[i] = stats.Pair{Number: pair.Number, Block: pair.Block, Order: pair.Order, A: pair.A, B: pair.B}
	}
	options := stats.Options{Scale: workload.Metric.Scale, Alpha: plan.Alpha, Equivalence: plan.Equivalence, HigherIsBetter: workload.Metric.Better == "higher"}
	if plan.Looks <= 1 {
		result, err = stats.Analyze(pairs, options)
		return result, nil, err
	}
	design, err := stats.NewDesign(plan.Pairs, plan.Looks, plan.Alpha)
	if err != nil {
		return stats.Result{}, nil, err
	}
	result, history, err := design.Analyze(pairs, options)
	return result, &history, err
}

// outcome is the state of a believed result. A measurement that its deadline stopped is partial, too.
func (result *Result) outcome(plan *Plan) RunState {
	report := result.Report
	if report == nil || report.State == harness.Failed {
		return Failed
	}
	if report.State == harness.Partial && plan.reached(result.Started, result.Finished) {
		return TimedOut
	}
	if report.State == harness.Partial {
		return Cancelled
	}
	count := map[stats.Verdict]int{}
	for i := range report.Workloads {
		count[report.Workloads[i].Stats.Verdict]++
	}
	switch {
	case count[stats.Regression] > 0:
		return Regression
	case count[stats.Inconclusive]+count[stats.Borderline] > 0:
		return Undecided
	case count[stats.Improvement] > 0:
		return Improvement
	}
	return NoRegression
}

// Encode returns the result as JSON, cut to what publish reads: samples and the end of the log go first, then events.
func (result *Result) Encode() ([]byte, error) {
	cut := *result
	cut.Log = tail(cut.Log, maxLog-8)
	cut.Error = clip(cut.Error, maxLog-8)
	cut.Report = Slim(result.Report)
	data, err := json.Marshal(&cut)
	if err == nil && len(data) > maxResult && cut.Report != nil {
		cut.Report.Events = nil
		data, err = json.Marshal(&cut)
	}
	if err == nil && len(data) > maxResult {
		err = fmt.Errorf("the result has %d bytes without samples and events, at most %d are read", len(data), maxResult)
	}
	return data, err
}

// Slim is a copy of a report that fits into a result: without samples, with the end of a long log. nil stays nil.
func Slim(whole *harness.Report) *harness.Report {
	if whole == nil {
		return nil
	}
	report := *whole
	report.Workloads = append([]harness.Workload(nil), report.Workloads...)
	for i := range report.Workloads {
		report.Workloads[i].Samples = nil
	}
	if report.Failure != nil {
		failure := *report.Failure
		failure.LogTail = tail(failure.LogTail, maxLog-8)
		report.Failure = &failure
	}
	return &report
}

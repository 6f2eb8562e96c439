package workflows

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// ResultSchema is the version of Result's JSON.
const ResultSchema = "chiasmus.result/2"

// Limits on data from the executor.
const (
	maxResult    = 1 << 20 // the result file
	maxArchive   = 2 << 20 // the archive that contains it
	maxLog       = 16 << 10
	maxWorkloads = 64
	maxPairs     = 10000
	maxAnalyses  = 50 // the maximum number in a bench.yaml
)

// Names of the artifact with the result, and of the file in it.
const (
	ResultArtifact = "result"
	ResultFile     = "result.json"
)

// ResultLimit bounds the artifact with a result.
var ResultLimit = api.ArtifactLimit{Archive: maxArchive, Files: 1, File: maxResult}

// A result is the executor's output. Nothing in it is trusted beyond what checkResult checks.
type result struct {
	Schema   string    `json:"schema"`
	PlanHash string    `json:"plan_hash"`
	Base     string    `json:"base"`
	Head     string    `json:"head"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Report is the harness's report without its samples; null if the run ended before there was one.
	Report *harness.Report `json:"report"`
	// Error is the reason why there is no complete report; Log is then the end of the harness's log.
	Error string `json:"error,omitempty"`
	Log   string `json:"log,omitempty"`
}

// checkResult parses a result and checks it against the plan and the trusted bench.yaml: schema, plan hash, commits,
// sizes, the requested plan, and every conclusion, which it recomputes from the pairs. After an error nothing of the
// result may be shown.
func checkResult(data []byte, plan *Plan, trusted *config.File) (*result, error) {
	if len(data) > maxResult {
		return nil, fmt.Errorf("the result has %d bytes, at most %d are read", len(data), maxResult)
	}
	result := &result{}
	if err := DecodeStrict(data, result); err != nil {
		return nil, fmt.Errorf("decode the result: %w", err)
	}
	switch {
	case result.Schema != ResultSchema:
		return nil, fmt.Errorf("the result has schema %q, this harness reads %s", clip(result.Schema, 40), ResultSchema)
	case result.PlanHash != plan.Hash():
		return nil, fmt.Errorf("the result belongs to another plan")
	case result.Base != plan.Base || result.Head != plan.Head:
		return nil, fmt.Errorf("the result names other commits than the plan")
	case len(result.Log) > maxLog || len(result.Error) > maxLog:
		return nil, fmt.Errorf("the result's log has more than %d bytes", maxLog)
	case result.Finished.Before(result.Started):
		return nil, fmt.Errorf("the result was finished at %s, before it was started at %s", result.Finished, result.Started)
	case result.Report == nil && result.Error == "":
		return nil, fmt.Errorf("the result has neither a report nor an error")
	}
	if result.Report != nil {
		err := checkAsked(result.Report, plan, trusted)
		if err == nil {
			err = CheckReport(result.Report, plan.Base, plan.Head, trusted)
		}
		if err == nil {
			err = checkMeasured(result.Report, trusted)
		}
		if err != nil {
			return nil, fmt.Errorf("the result's report: %w", err)
		}
	}
	return result, nil
}

// outcome is the state of a checked result. A measurement that its deadline stopped is partial too.
func (result *result) outcome(plan *Plan) runState {
	report := result.Report
	if report == nil || report.State == harness.Failed {
		return failed
	}
	if report.State == harness.Partial && plan.reached(result.Started, result.Finished) {
		return overtime
	}
	if report.State == harness.Partial {
		return cancelled
	}
	count := map[stats.Verdict]int{}
	for i := range report.Workloads {
		count[report.Workloads[i].Verdict()]++
	}
	switch {
	case count[stats.Regression] > 0:
		return regression
	case count[stats.Inconclusive]+count[stats.Borderline] > 0:
		return undecided
	case count[stats.Improvement] > 0:
		return improvement
	}
	return noRegression
}

// Encode returns the result as JSON, shortened to the size that publish reads: it drops samples and the end of the log
// first, then events.
func (result *result) Encode() ([]byte, error) {
	cut := *result
	cut.Log = tail(cut.Log, maxLog-8)
	cut.Error = clip(cut.Error, maxLog-8)
	cut.Report = slim(result.Report)
	data, err := json.Marshal(&cut)
	if err == nil && len(data) > maxResult && cut.Report != nil {
		for i := range cut.Report.Workloads {
			keepRuled(&cut.Report.Workloads[i])
		}
		data, err = json.Marshal(&cut)
	}
	if err == nil && len(data) > maxResult && cut.Report != nil {
		for i := range cut.Report.Workloads { // then only the total time is judged again and shown
			cut.Report.Workloads[i].Samples = nil
		}
		data, err = json.Marshal(&cut)
	}
	if err == nil && len(data) > maxResult && cut.Report != nil {
		cut.Report.Events = nil
		data, err = json.Marshal(&cut)
	}
	if err == nil && len(data) > maxResult {
		err = fmt.Errorf("the result has %d bytes without samples and events, at most %d are read", len(data), maxResult)
	}
	return data, err
}

// keepRuled keeps the metrics of the samples that can affect the verdict: the total time, stage times, exact metrics.
func keepRuled(workload *harness.Workload) {
	kept := map[string]bool{workload.Metric.Name: true, session.PrimarySeconds: true, harness.WallSeconds: true}
	for _, exact := range workload.Exact {
		kept[exact.Name] = true
	}
	if workload.Throughput != nil {
		kept[workload.Throughput.From] = true
	}
	for i := range workload.Samples {
		metrics := maps.Clone(workload.Samples[i].Metrics)
		maps.DeleteFunc(metrics, func(name string, _ float64) bool {
			_, _, stage := harness.StageOf(name)
			return !kept[name] && !stage
		})
		workload.Samples[i].Metrics = metrics
	}
}

// slim returns a copy of a report that fits into a result: of the samples only metrics of counted pairs, and of a long
// log its end. The copy of nil is nil.
func slim(whole *harness.Report) *harness.Report {
	if whole == nil {
		return nil
	}
	report := *whole
	report.Workloads = append([]harness.Workload(nil), report.Workloads...)
	for i := range report.Workloads {
		counted(&report.Workloads[i])
	}
	if report.Failure != nil {
		failure := *report.Failure
		failure.LogTail = tail(failure.LogTail, maxLog-8)
		report.Failure = &failure
	}
	return &report
}

// counted keeps the parts of the samples from which the statistics are computed.
func counted(workload *harness.Workload) {
	samples := workload.Samples
	workload.Samples, workload.Pairs = nil, slices.Clone(workload.Pairs)
	take := func(at int) int {
		if at < 0 || at >= len(samples) {
			return -1
		}
		one := samples[at]
		workload.Samples = append(workload.Samples, evidence.Sample{
			Kind:           one.Kind,
			Arm:            one.Arm,
			Pair:           one.Pair,
			Block:          one.Block,
			Order:          one.Order,
			Metrics:        one.Metrics,
			Counters:       one.Counters,
			ExactStatement: one.ExactStatement,
		})
		return len(workload.Samples) - 1
	}
	for _, one := range samples {
		if one.Kind == evidence.PreCheck { // from a pre-check: one sample per process
			workload.Samples = append(workload.Samples, evidence.Sample{
				Kind:     one.Kind,
				Arm:      one.Arm,
				Attempt:  one.Attempt,
				Metrics:  one.Metrics,
				Counters: one.Counters,
			})
		}
	}
	if len(samples) == 0 {
		return
	}
	for i := range workload.Pairs {
		workload.Pairs[i].Base, workload.Pairs[i].Head = take(workload.Pairs[i].Base), take(workload.Pairs[i].Head)
	}
}

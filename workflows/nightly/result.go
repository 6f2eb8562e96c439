package nightly

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/workflows"
)

// Encode formats the plan as one line of JSON.
func (plan *Plan) Encode() []byte {
	data, err := json.Marshal(plan)
	if err != nil { // strings can always be encoded
		panic(err)
	}
	return data
}

// DecodePlan parses a plan strictly.
func DecodePlan(data []byte) (Plan, error) {
	var plan Plan
	if err := workflows.DecodeStrict(data, &plan); err != nil {
		return Plan{}, fmt.Errorf("decode the night's plan: %w", err)
	}
	if plan.Schema != planSchema {
		return Plan{}, fmt.Errorf("the night's plan has schema %q, this harness reads %s", plan.Schema, planSchema)
	}
	if _, err := time.ParseDuration(plan.Bisect); plan.Bisect != "" && err != nil {
		return Plan{}, fmt.Errorf("decode the night's plan: bisect: %w", err)
	}
	return plan, nil
}

// Encode formats the result as JSON, without fields that neither CheckResult nor Conclude reads. If the result is
// larger than the limit for reading, it drops rounds until the result fits. The Cut of a comparison with dropped rounds
// gives their number, and its record is based on the rest.
func (result Result) Encode() ([]byte, error) { return result.encode(workflows.ResultLimit.File) }

func (result Result) encode(limit int64) ([]byte, error) {
	slim := result
	slim.Measured = append([]Measure(nil), result.Measured...)
	for i := range slim.Measured {
		slim.Measured[i].Rounds = slimmed(slim.Measured[i].Rounds)
		slim.Measured[i].Again = slimmed(slim.Measured[i].Again)
	}
	for {
		data, err := json.Marshal(slim)
		if err != nil || int64(len(data)) <= limit {
			return data, err
		}
		if slim.Baselines != nil { // they only save time
			slim.Baselines = nil
			continue
		}
		largest, bytes := -1, 0
		for i := range slim.Measured {
			if size := sizeOf(slim.Measured[i].Rounds) + sizeOf(slim.Measured[i].Again); size > bytes {
				largest, bytes = i, size
			}
		}
		if largest < 0 {
			return nil, fmt.Errorf("the night's result has %d bytes without a round, at most %d are read", len(data), limit)
		}
		slim.Measured[largest].shorten(&result.Measured[largest], limit)
	}
}

// shorten drops the last round. Repeated rounds go first, because the planned rounds can be evaluated without them but
// not vice versa.
func (measure *Measure) shorten(whole *Measure, limit int64) {
	switch {
	case len(measure.Again) > 0:
		measure.Again = measure.Again[:len(measure.Again)-1]
	default:
		measure.Rounds = measure.Rounds[:len(measure.Rounds)-1]
	}
	all := len(whole.Rounds) + len(whole.Again)
	why := fmt.Sprintf("%d of %d rounds were dropped, because the night's result may have at most %d bytes: "+
		"metrics.stages and metrics.exact take about 40 bytes per stage and proof, and nightly.pairs limits the proofs",
		all-len(measure.Rounds)-len(measure.Again), all, limit)
	if whole.Cut != "" {
		why += "; " + whole.Cut
	}
	if whole.Search != nil { // fewer rounds may not confirm the regression that started the search
		why += "; the search for the commit was dropped, too"
	}
	if measure.Cut, measure.Search = why, nil; len(measure.Rounds) == 0 {
		measure.Error, measure.Cut = why, ""
	}
}

// sizeOf returns the encoded size of reports.
func sizeOf(reports []*harness.Report) int {
	if len(reports) == 0 {
		return 0
	}
	data, err := json.Marshal(reports)
	if err != nil {
		return 0 // then the result could not be marshalled either
	}
	return len(data)
}

// slimmed keeps the fields that a night's records need: a night has dozens of rounds, which must fit into one file.
func slimmed(reports []*harness.Report) []*harness.Report {
	var list []*harness.Report
	for _, report := range reports {
		if report == nil {
			list = append(list, nil)
			continue
		}
		slim := &harness.Report{
			Schema: report.Schema,
			State:  report.State,
			Run:    harness.Run{ID: report.Run.ID, ConfigSHA256: report.Run.ConfigSHA256},
			Base:   harness.Revision{SHA: report.Base.SHA},
			Head:   harness.Revision{SHA: report.Head.SHA},
			AA:     report.AA,
			Host:   harness.Host{Name: report.Host.Name},
			Plan:   report.Plan,
		}
		slim.DifferentStatement, slim.NewProofFormat = report.DifferentStatement, report.NewProofFormat
		slim.Environment.Differences = report.Environment.Differences
		for i := range report.Workloads {
			workload := &report.Workloads[i]
			kept := harness.Workload{
				Name:        workload.Name,
				Mode:        workload.Mode,
				Metric:      workload.Metric,
				Clock:       workload.Clock,
				Stats:       workload.Stats,
				Processes:   workload.Processes,
				Verified:    workload.Verified,
				Cross:       workload.Cross,
				Unbound:     workload.Unbound,
				NotVerified: workload.NotVerified,
				ProofsMade:  workload.ProofsMade,
				BaseSession: claimed(workload.BaseSession),
				HeadSession: claimed(workload.HeadSession),
			}
			needed := ruled(report, workload)
			for _, one := range workload.Pairs {
				kept.Pairs = append(kept.Pairs, evidence.Pair{
					Number:  one.Number,
					Block:   one.Block,
					Process: one.Process,
					Build:   one.Build,
					Order:   one.Order,
					A:       one.A,
					B:       one.B,
				})
				if len(needed) > 0 {
					pair := &kept.Pairs[len(kept.Pairs)-1]
					pair.Base, pair.Head = len(kept.Samples), len(kept.Samples)+1
					kept.Samples = append(kept.Samples, only(workload.Samples[one.Base], needed),
						only(workload.Samples[one.Head], needed))
				}
			}
			slim.Workloads = append(slim.Workloads, kept)
		}
		list = append(list, slim)
	}
	return list
}

// claimed keeps a session's claims about what it proves.
func claimed(session evidence.Session) evidence.Session {
	return evidence.Session{Statement: session.Statement, SecurityBits: session.SecurityBits}
}

// ruled lists the metrics and counters by which metrics.stages and metrics.exact judge a workload.
func ruled(report *harness.Report, workload *harness.Workload) map[string]bool {
	needed := map[string]bool{}
	for _, exact := range workload.Exact {
		if exact.Max != nil {
			needed[exact.Name] = true
		}
	}
	for _, one := range workload.Secondary {
		if stage, _, ok := metrics.StageOf(one.Metric); ok && report.Plan.StageMargin > 0 {
			needed[one.Metric], needed[metrics.HostStage(stage)], needed[metrics.DeviceStage(stage)] = true, true, true
		}
	}
	if len(needed) > 0 || report.Plan.StageMargin > 0 {
		needed[workload.Metric.Name], needed[session.PrimarySeconds], needed[metrics.WallSeconds] = true, true, true
	}
	return needed
}

// only reduces a sample to the needed metrics and counters.
func only(sample evidence.Sample, needed map[string]bool) evidence.Sample {
	kept := evidence.Sample{
		Kind:     sample.Kind,
		Arm:      sample.Arm,
		Metrics:  maps.Clone(sample.Metrics),
		Counters: maps.Clone(sample.Counters),
	}
	other := func(name string, _ float64) bool { return !needed[name] }
	maps.DeleteFunc(kept.Metrics, other)
	maps.DeleteFunc(kept.Counters, other)
	return kept
}

// CheckResult parses a result from an executor and checks it against the plan: the comparisons, and every verdict by
// recomputing the statistics with the trusted bench.yaml. An error means that the night counts as failed.
func CheckResult(data []byte, plan Plan, trusted *config.File) (Result, error) {
	var result Result
	if err := workflows.DecodeStrict(data, &result); err != nil {
		return Result{}, fmt.Errorf("decode the night's result: %w", err)
	}
	if result.Schema != resultSchema {
		return Result{}, fmt.Errorf("the night's result has schema %q, this harness reads %s", result.Schema, resultSchema)
	}
	if !reflect.DeepEqual(result.Plan, plan) {
		return Result{}, fmt.Errorf("the night's result belongs to another plan")
	}
	if err := plan.checkBaselines(result.Baselines); err != nil {
		return Result{}, fmt.Errorf("the night's result: %w", err)
	}
	want := plan.expected()
	if len(result.Measured) != len(want) {
		return Result{}, fmt.Errorf("the night's result has %d comparisons, the plan %d", len(result.Measured), len(want))
	}
	for i := range result.Measured {
		one := &result.Measured[i]
		if one.Workload != want[i].Workload || one.Kind != want[i].kind {
			return Result{}, fmt.Errorf("comparison %d of the night's result is not the plan's", i+1)
		}
		if len(one.Error) > maxReason || len(one.Cut) > maxReason {
			return Result{}, fmt.Errorf("comparison %d of the night's result has a reason of more than %d bytes", i+1, maxReason)
		}
		if one.Error != "" {
			one.Rounds, one.Again, one.Search = nil, nil, nil // a failed comparison has no data
			continue
		}
		if err := plan.checkRounds(one, want[i], trusted); err != nil {
			return Result{}, fmt.Errorf("comparison %d of the night's result: %w", i+1, err)
		}
		if one.Search != nil {
			if !slices.Contains(result.suspects(), i) {
				return Result{}, fmt.Errorf("comparison %d of the night's result has a search without a confirmed regression",
					i+1)
			}
			if err := one.Search.check(plan.searchRequest(one)); err != nil {
				return Result{}, fmt.Errorf("comparison %d of the night's result, search: %w", i+1, err)
			}
		}
	}
	return result, nil
}

// checkRounds checks that a comparison has the planned rounds, each with its own seed, and repeated rounds only if they
// were due.
func (plan *Plan) checkRounds(one *Measure, want comparison, trusted *config.File) error {
	workload := plan.workload(want.Workload)
	if len(one.Rounds) > workload.Rounds || len(one.Again) > workload.Rounds {
		return fmt.Errorf("%d rounds and %d repeated ones, the plan has %d", len(one.Rounds), len(one.Again),
			workload.Rounds)
	}
	if len(one.Rounds) == 0 {
		return errors.New("it has neither rounds nor an error")
	}
	seeds := map[uint64]bool{}
	for i, report := range append(append([]*harness.Report{}, one.Rounds...), one.Again...) {
		pairs := want.Pairs
		if i >= len(one.Rounds) && report != nil {
			if pairs = report.Plan.Pairs; pairs < want.Pairs || pairs > againFactor*want.Pairs {
				return fmt.Errorf("round %d has %d pairs, %d to %d were due", i+1, pairs, want.Pairs, againFactor*want.Pairs)
			}
		}
		if err := plan.checkRound(report, want, pairs, trusted); err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
		if seeds[report.Plan.Seed] {
			return fmt.Errorf("round %d has the seed of another", i+1)
		}
		seeds[report.Plan.Seed] = true
	}
	again := one.Again
	one.Again = nil
	due := one.unsettled(plan)
	one.Again = again
	if len(again) > 0 && !due {
		return errors.New("it has repeated rounds, although the planned ones settle it")
	}
	return nil
}

// checkRound checks one report from an executor.
func (plan *Plan) checkRound(report *harness.Report, want comparison, pairs int, trusted *config.File) error {
	if report == nil {
		return errors.New("there is no report")
	}
	if report.State != harness.Complete || len(report.Workloads) != 1 || report.Workloads[0].Name != want.Workload {
		return fmt.Errorf("it is not a complete report of the workload %q alone", want.Workload)
	}
	margin := plan.workload(want.Workload).Margin
	got := report.Plan
	otherMargin := got.Equivalence != 0 && math.Abs(100*got.Equivalence-margin) > 1e-9
	if got.Pairs != pairs || got.Analyses > 1 || got.Alpha != plan.Alpha || otherMargin {
		return fmt.Errorf("it was planned with %d pairs, %d analyses, alpha %g and margin %g, want %d, 1, %g and %g",
			got.Pairs, got.Analyses, got.Alpha, got.Equivalence, pairs, plan.Alpha, margin/100)
	}
	if err := workflows.CheckReport(report, want.Base, want.Head, trusted); err != nil {
		return err
	}
	if counted := report.Workloads[0].Stats.Pairs; counted != pairs {
		return fmt.Errorf("it has %d pairs, want %d", counted, pairs)
	}
	if reason := usable(report); reason != "" {
		return errors.New(reason)
	}
	return nil
}

// FailedNight is the result of a night without a valid result.
func FailedNight(plan Plan, reason string) Result {
	result := Result{Schema: resultSchema, Plan: plan}
	for _, one := range plan.expected() {
		result.Measured = append(result.Measured, Measure{Workload: one.Workload, Kind: one.kind, Error: reason})
	}
	return result
}

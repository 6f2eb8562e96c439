package nightly

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/workflows"
)

// Encode returns the plan as one line of JSON.
func (plan *Plan) Encode() []byte {
	data, err := json.Marshal(plan)
	if err != nil { // strings always encode
		panic(err)
	}
	return data
}

// DecodePlan reads a plan strictly.
func DecodePlan(data []byte) (Plan, error) {
	var plan Plan
	if err := strict(data, &plan); err != nil {
		return Plan{}, fmt.Errorf("the night's plan is malformed: %w", err)
	}
	if plan.Schema != PlanSchema {
		return Plan{}, fmt.Errorf("the night's plan has schema %q, this harness reads %s", plan.Schema, PlanSchema)
	}
	if _, err := time.ParseDuration(plan.Bisect); plan.Bisect != "" && err != nil {
		return Plan{}, fmt.Errorf("the night's plan is malformed: bisect: %w", err)
	}
	return plan, nil
}

// Encode returns the result as JSON without samples.
func (result Result) Encode() ([]byte, error) {
	slim := result
	slim.Measured = append([]Measure(nil), result.Measured...)
	for i := range slim.Measured {
		slim.Measured[i].Report = workflows.Slim(slim.Measured[i].Report)
		slim.Measured[i].Confirmation = workflows.Slim(slim.Measured[i].Confirmation)
	}
	return json.Marshal(slim)
}

// CheckResult reads a result that an executor handed back and checks it against the plan: what was compared, and
// every verdict by computing the statistics again. An error means that the night counts as failed.
func CheckResult(data []byte, plan Plan) (Result, error) {
	var result Result
	if err := strict(data, &result); err != nil {
		return Result{}, fmt.Errorf("the night's result is malformed: %w", err)
	}
	if result.Schema != ResultSchema {
		return Result{}, fmt.Errorf("the night's result has schema %q, this harness reads %s", result.Schema, ResultSchema)
	}
	if !reflect.DeepEqual(result.Plan, plan) {
		return Result{}, fmt.Errorf("the night's result belongs to another plan")
	}
	want := expected(plan)
	if len(result.Measured) != len(want) {
		return Result{}, fmt.Errorf("the night's result has %d comparisons, the plan %d", len(result.Measured), len(want))
	}
	for i, one := range result.Measured {
		if one.Workload != want[i].Workload || one.Kind != want[i].kind {
			return Result{}, fmt.Errorf("comparison %d of the night's result is not the plan's", i+1)
		}
		if one.Error != "" {
			continue
		}
		if err := want[i].check(one.Report); err != nil {
			return Result{}, fmt.Errorf("comparison %d of the night's result: %w", i+1, err)
		}
		if one.Confirmation != nil {
			if err := want[i].check(one.Confirmation); err != nil {
				return Result{}, fmt.Errorf("comparison %d of the night's result, confirmation: %w", i+1, err)
			}
		}
		if one.Search != nil {
			if !slices.Contains(result.suspects(), i) {
				return Result{}, fmt.Errorf("comparison %d of the night's result has a search that nothing started", i+1)
			}
			if err := one.Search.check(plan.searchRequest(&result.Measured[i])); err != nil {
				return Result{}, fmt.Errorf("comparison %d of the night's result, search: %w", i+1, err)
			}
		}
	}
	return result, nil
}

// FailedNight is the result of a night that left none, or one that cannot be believed.
func FailedNight(plan Plan, reason string) Result {
	result := Result{Schema: ResultSchema, Plan: plan}
	for _, one := range expected(plan) {
		result.Measured = append(result.Measured, Measure{Workload: one.Workload, Kind: one.kind, Error: reason})
	}
	return result
}

// A comparison is one that the plan asks for.
type comparison struct {
	Request
	kind Kind
}

// check checks a report that an executor gave for the comparison.
func (one comparison) check(report *harness.Report) error {
	if report == nil {
		return errors.New("it has neither report nor error")
	}
	if err := workflows.CheckReport(report, one.Base, one.Head); err != nil {
		return err
	}
	if report.State != harness.Complete || len(report.Workloads) != 1 || report.Workloads[0].Name != one.Workload {
		return fmt.Errorf("it is no complete report of the workload %q alone", one.Workload)
	}
	return nil
}

// expected lists the plan's comparisons in order.
func expected(plan Plan) []comparison {
	var list []comparison
	for _, workload := range plan.Workloads {
		kind := Compared
		if workload.Good == plan.Head {
			kind = Noise
		}
		list = append(list, comparison{Request{Base: workload.Good, Head: plan.Head, Workload: workload.Name}, kind})
		if plan.Baseline != "" && plan.Baseline != plan.Head && plan.Baseline != workload.Good {
			list = append(list, comparison{Request{Base: plan.Baseline, Head: plan.Head, Workload: workload.Name}, Baseline})
		}
	}
	return list
}

func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("something follows the JSON value")
	}
	return nil
}

package nightly

import (
	"context"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/baseline"
)

// A Request describes one round: a comparison with its own processes and seed.
type Request struct {
	Base, Head string
	Workload   string
	Pairs      int
}

// Compare measures one round. The command supplies the harness's implementation.
type Compare func(ctx context.Context, request Request) (*harness.Report, error)

// A Result is the measurements of a night.
type Result struct {
	Schema   string    `json:"schema"`
	Plan     Plan      `json:"plan"`
	Measured []Measure `json:"measured"`
	// Baselines are the night's measurements of its revisions, for pre-checks of pull requests.
	Baselines []baseline.Baseline `json:"baselines,omitempty"`
}

// A Measure is one comparison of the night. Error is set if it has no complete round.
type Measure struct {
	Workload string `json:"workload"`
	Kind     Kind   `json:"kind"`
	// Rounds are the planned rounds, or fewer if the night's time ran out.
	Rounds []*harness.Report `json:"rounds"`
	// Again are rounds with twice the pairs, made if Rounds did not settle the comparison.
	Again  []*harness.Report `json:"again,omitempty"`
	Search *Search           `json:"search,omitempty"`
	Error  string            `json:"error,omitempty"`
	// Cut is the reason why rounds are missing, or empty.
	Cut string `json:"cut,omitempty"`
}

// againFactor is the factor by which repeated rounds have more pairs.
const againFactor = 2

// MeasureNight compares every workload with its last good revision and its anchor, and then repeats unsettled
// comparisons. A failed comparison does not stop the others. If the context ends, it returns the measurements so far.
func MeasureNight(ctx context.Context, plan Plan, compare Compare) Result {
	result := Result{Schema: resultSchema, Plan: plan}
	left := map[string]int{} // remaining pairs of the budget
	clock := stopwatch{compare: compare}
	expected := plan.expected()
	for _, one := range expected {
		measure := Measure{Workload: one.Workload, Kind: one.kind}
		if _, ok := left[one.Workload]; !ok {
			left[one.Workload] = plan.Budget
		}
		rounds := plan.workload(one.Workload).Rounds
		measure.Rounds, measure.Error = clock.rounds(ctx, one.Request, rounds)
		if len(measure.Rounds) > 0 && clock.over {
			measure.Error, measure.Cut = "", measure.Error
		}
		left[one.Workload] -= len(measure.Rounds) * one.Pairs
		result.Measured = append(result.Measured, measure)
	}
	for i := range result.Measured {
		measure := &result.Measured[i]
		workload := plan.workload(measure.Workload)
		if measure.Error != "" || !measure.unsettled(&plan) {
			continue
		}
		request := expected[i].Request
		request.Pairs = min(againFactor*request.Pairs, left[measure.Workload]/workload.Rounds&^1)
		if request.Pairs < workload.Pairs {
			measure.Cut = fmt.Sprintf("the night's %d pairs were used up before the comparison was settled", plan.Budget)
			continue
		}
		var reason string
		measure.Again, reason = clock.rounds(ctx, request, workload.Rounds)
		left[measure.Workload] -= len(measure.Again) * request.Pairs
		if clock.over {
			measure.Cut = reason
		} else {
			measure.Error = reason
		}
	}
	return result
}

// unsettled reports whether a comparison must be repeated: with the last good revision, until non-inferiority is shown;
// with the baseline, if a regression is suspected. Comparisons that only feed the chart are never repeated.
func (measure *Measure) unsettled(plan *Plan) bool {
	workload := plan.workload(measure.Workload)
	figure := figureOf(measure.Rounds, measure.Again, workload.Host, workload.Margin)
	switch measure.Kind {
	case Compared:
		host := workload.Host.with(scatterOf(measure.Rounds, workload.Margin))
		return !figure.nonInferior(host.DF, workload.Margin, plan.Alpha)
	case Baseline:
		return figure.beyond(&workload.Host, workload.Margin)
	}
	return false
}

// figure returns the comparison's figure, and whether it is a confirmed regression.
func (measure *Measure) figure(plan *Plan) (figure, bool) {
	workload := plan.workload(measure.Workload)
	if measure.Error != "" {
		return figure{}, false
	}
	result := figureOf(measure.Rounds, measure.Again, workload.Host, workload.Margin)
	pairwise := measure.Kind == Compared || measure.Kind == Baseline
	return result, pairwise && result.confirmed(&workload.Host, workload.Margin)
}

// confirmed reports whether the comparison is a confirmed regression.
func (measure *Measure) confirmed(plan *Plan) bool {
	_, confirmed := measure.figure(plan)
	return confirmed
}

// A stopwatch runs rounds within the night's time. It starts no round that would exceed the time at the pace of the
// slowest round.
type stopwatch struct {
	compare Compare
	perPair time.Duration // of the slowest round so far
	over    bool          // the last rounds ended for lack of time
}

func (clock *stopwatch) rounds(ctx context.Context, request Request, count int) ([]*harness.Report, string) {
	clock.over = false
	var reports []*harness.Report
	for range count {
		deadline, limited := ctx.Deadline()
		if ctx.Err() != nil || limited && time.Until(deadline) < time.Duration(request.Pairs)*clock.perPair {
			clock.over = true
			return reports, fmt.Sprintf("the night's time ran out after %d of %d rounds", len(reports), count)
		}
		start := time.Now()
		report, reason := run(ctx, clock.compare, request)
		if reason != "" {
			clock.over = ctx.Err() != nil
			return reports, reason
		}
		clock.perPair = max(clock.perPair, time.Since(start)/time.Duration(request.Pairs))
		reports = append(reports, report)
	}
	return reports, ""
}

func run(ctx context.Context, compare Compare, request Request) (*harness.Report, string) {
	report, err := compare(ctx, request)
	switch {
	case err != nil:
		return report, err.Error()
	case report.State != harness.Complete || len(report.Workloads) != 1 || report.Workloads[0].Stats == nil:
		reason := "the comparison is not complete"
		if report.Failure != nil {
			reason = report.Failure.Cause
		}
		return report, reason
	}
	return report, usable(report)
}

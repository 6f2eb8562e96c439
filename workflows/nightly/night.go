package nightly

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// PlanSchema and ResultSchema are the versions of a night's plan and result.
const (
	PlanSchema   = "chiasmus.nightplan/1"
	ResultSchema = "chiasmus.nightresult/1"
)

// A Plan says what a night compares.
type Plan struct {
	Schema string `json:"schema"`
	Night  string `json:"night"`
	Head   string `json:"head"`
	// Baseline is the resolved baseline revision, empty for none.
	Baseline  string         `json:"baseline,omitempty"`
	Workloads []WorkloadPlan `json:"workloads"`
	Deadline  string         `json:"deadline"`
	// Bisect is the time that searches for the commits behind confirmed regressions may take, a Go duration; empty
	// starts none.
	Bisect string `json:"bisect,omitempty"`
}

// A WorkloadPlan is one workload's night.
type WorkloadPlan struct {
	Name string `json:"name"`
	// Good is the revision to compare with; equal to the night's head it makes a night of noise.
	Good string `json:"good"`
	// Search is the last search since Good became the last good revision, nil for none.
	Search *Search `json:"search,omitempty"`
}

// Prepare plans a night. A workload that has no good revision yet takes today's: its first night is one of noise.
func Prepare(history History, workloads []string, night time.Time, head, baseline string) Plan {
	plan := Plan{Schema: PlanSchema, Night: night.UTC().Format(time.DateOnly), Head: head, Baseline: baseline}
	for _, name := range workloads {
		good := history.Good(name)
		if good == "" {
			good = head
		}
		plan.Workloads = append(plan.Workloads, WorkloadPlan{Name: name, Good: good, Search: history.search(name)})
	}
	return plan
}

// Commits lists every revision that the night needs, each once.
func (plan *Plan) Commits() []string {
	commits := []string{plan.Head}
	if plan.Baseline != "" {
		commits = append(commits, plan.Baseline)
	}
	for _, workload := range plan.Workloads {
		commits = append(commits, workload.Good)
	}
	slices.Sort(commits)
	return slices.Compact(commits)
}

// A Request asks for one comparison.
type Request struct {
	Base, Head string
	Workload   string
	// PairsFactor multiplies the pairs of bench.yaml; 1 leaves them.
	PairsFactor int
}

// Compare measures; the harness's own is bound in by the command.
type Compare func(ctx context.Context, request Request) (*harness.Report, error)

// A Result is what a night measured.
type Result struct {
	Schema   string    `json:"schema"`
	Plan     Plan      `json:"plan"`
	Measured []Measure `json:"measured"`
}

// A Measure is one comparison of the night. Error is set where it has no complete report.
type Measure struct {
	Workload     string          `json:"workload"`
	Kind         Kind            `json:"kind"`
	Report       *harness.Report `json:"report"`
	Confirmation *harness.Report `json:"confirmation"` // of a suspected regression
	Search       *Search         `json:"search,omitempty"`
	Error        string          `json:"error,omitempty"`
}

// confirmed reports whether both comparisons say regression.
func (one *Measure) confirmed() bool {
	return one.Error == "" && one.Confirmation != nil && one.Confirmation.Workloads[0].Stats.Verdict == stats.Regression
}

// confirmationFactor is how many times the pairs the confirmation of a suspicion takes.
const confirmationFactor = 2

// MeasureNight compares every workload with its last good revision and with the baseline. A comparison that fails
// does not stop the others; a context that ends does, and what was measured until then is returned.
func MeasureNight(ctx context.Context, plan Plan, compare Compare) Result {
	result := Result{Schema: ResultSchema, Plan: plan}
	for _, one := range expected(plan) {
		result.Measured = append(result.Measured, measure(ctx, compare, one.Request, one.kind))
	}
	return result
}

func measure(ctx context.Context, compare Compare, request Request, kind Kind) Measure {
	one := Measure{Workload: request.Workload, Kind: kind}
	request.PairsFactor = 1
	one.Report, one.Error = run(ctx, compare, request)
	if one.Error == "" && kind != Noise && one.Report.Workloads[0].Stats.Verdict == stats.Regression {
		request.PairsFactor = confirmationFactor
		one.Confirmation, one.Error = run(ctx, compare, request)
	}
	return one
}

func run(ctx context.Context, compare Compare, request Request) (*harness.Report, string) {
	if ctx.Err() != nil {
		return nil, "the night's time was over before its turn"
	}
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
	return report, ""
}

// FalseAlarms is how many confirmed regressions a month of nights brings although nothing changed: at most, since
// each of the two comparisons says regression with probability alpha/2 at most.
func FalseAlarms(workloads int, baseline bool, alpha float64) float64 {
	comparisons := float64(workloads)
	if baseline {
		comparisons *= 2
	}
	return 30 * comparisons * math.Pow(alpha/2, 2)
}

// Healthy reports whether a verdict moves the last good revision on.
func Healthy(verdict stats.Verdict) bool {
	return verdict != stats.Regression && verdict != stats.Borderline
}

func describe(record Record) string {
	if !record.Effect.Exists() {
		return record.Reason
	}
	return fmt.Sprintf("%+.2f %%", record.Effect.Float())
}

package workflows

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/stats"
)

var errNoRules = errors.New("no trusted bench.yaml to judge it by")

// CheckReport checks a report from an executor: its schema, its sizes, its commits, that it was measured isolated and
// under the trusted bench.yaml and, if it is complete, that every proof was verified and every conclusion is right. It
// recomputes all conclusions from the raw pairs and replaces the claimed ones. The caller checks the report's plan.
func CheckReport(report *harness.Report, base, head string, trusted *config.File) error {
	if !report.Plan.Isolated {
		return fmt.Errorf("it was measured without isolation, which executors must use")
	}
	if err := CheckFigures(report, base, head, trusted); err != nil {
		return err
	}
	if err := checkRun(report, trusted); err != nil {
		return err
	}
	for i := range report.Workloads {
		if report.State != harness.Complete {
			break
		}
		if err := checkProofs(&report.Workloads[i], trusted); err != nil {
			return fmt.Errorf("workload %q: %w", clip(report.Workloads[i].Name, 64), err)
		}
	}
	return nil
}

// CheckFigures is CheckReport for a report that may have been measured without isolation.
func CheckFigures(report *harness.Report, base, head string, trusted *config.File) error {
	switch {
	case trusted == nil:
		return errNoRules
	case report.Schema != harness.ReportSchema:
		return fmt.Errorf("schema %q, this harness reads %s", clip(report.Schema, 40), harness.ReportSchema)
	case report.Base.SHA != base || report.Head.SHA != head:
		return fmt.Errorf("it compares other commits than the plan")
	case report.State != harness.Complete && report.State != harness.Partial && report.State != harness.Failed:
		return fmt.Errorf("unknown state %q", clip(string(report.State), 40))
	case report.Plan.Pairs > maxPairs || report.Plan.Analyses > maxAnalyses:
		return fmt.Errorf("a plan of %d pairs and %d analyses, at most %d and %d are read", report.Plan.Pairs,
			report.Plan.Analyses, maxPairs, maxAnalyses)
	case ofSeveralHeads(report):
		return errors.New("it compares several heads, and a plan names one")
	case len(report.Workloads) > maxWorkloads:
		return fmt.Errorf("%d workloads, at most %d are read", len(report.Workloads), maxWorkloads)
	case report.Plan.StageMargin != trusted.Metrics.StageMargin:
		return fmt.Errorf("it was planned with a margin of %g for stages, bench.yaml says %g", report.Plan.StageMargin,
			trusted.Metrics.StageMargin)
	case report.State == harness.Complete && len(report.Workloads) == 0:
		return fmt.Errorf("it is complete and has no workload")
	}
	report.ExitCode, report.Cost = failure.ExitOK, cost(report, trusted)
	for i := range report.Workloads {
		workload := &report.Workloads[i]
		if err := checkWorkload(report, workload, trusted); err != nil {
			return fmt.Errorf("workload %q: %w", clip(workload.Name, 64), err)
		}
	}
	if report.State != harness.Complete {
		return nil
	}
	if err := harness.JudgeFamily(report.Plan, report.Workloads); err != nil {
		return err
	}
	for i := range report.Workloads {
		if report.Workloads[i].Verdict() == stats.Regression {
			report.ExitCode = failure.ExitRegression
		}
	}
	return nil
}

// ofSeveralHeads reports whether any part of a report belongs to a run of several heads. Plans for executors have one.
func ofSeveralHeads(report *harness.Report) bool {
	return len(report.Heads) > 0 || slices.ContainsFunc(report.Workloads, func(w harness.Workload) bool {
		return w.Of != "" || w.HeadNumber != 0
	})
}

// cost is the cost of the host's time at the price in the trusted bench.yaml; nil without a price.
func cost(report *harness.Report, trusted *config.File) *harness.Cost {
	price := trusted.Host.CostPerHour
	if price == nil {
		return nil
	}
	hours := max(0, report.Run.Finished.Sub(report.Run.Started)).Hours()
	return &harness.Cost{PerHour: price.Amount, Total: hours * price.Amount, Currency: price.Currency, Hours: hours}
}

// checkWorkload judges a workload of a complete report again. It removes all conclusions from an incomplete report.
func checkWorkload(report *harness.Report, workload *harness.Workload, trusted *config.File) error {
	if len(workload.Pairs) > maxPairs {
		return fmt.Errorf("%d pairs, at most %d are read", len(workload.Pairs), maxPairs)
	}
	if report.State != harness.Complete {
		workload.Stats, workload.Sequential, workload.Secondary, workload.Exact, workload.Family = nil, nil, nil, nil, nil
		return nil
	}
	if workload.Stats == nil {
		return fmt.Errorf("it is complete and has no statistics")
	}
	primary := trusted.Metrics.Primary
	metric := metrics.Metric{
		Name:    primary.Name,
		Better:  string(primary.Better),
		Scale:   stats.Scale(primary.Scale),
		Control: primary.Control,
	}
	if rules, ok := trusted.Workload(configured(workload)); ok && (rules.Adapter != "") != (workload.Suite != "") {
		return fmt.Errorf("its suite is %q, and bench.yaml gives workload %s the adapter %q", clip(workload.Suite, 64),
			rules.Name, rules.Adapter)
	}
	if workload.Suite != "" {
		if !strings.HasPrefix(workload.Name, workload.Suite+".") {
			return fmt.Errorf("its name does not begin with its suite, %q", clip(workload.Suite, 64))
		}
		metric = harness.SuiteMetric(primary)
	}
	if !metrics.MayBeJudgedBy(metric, workload.Metric) {
		return fmt.Errorf("it was judged by %q (%q is better, on the scale %q), bench.yaml says %s (%s, %s)",
			clip(workload.Metric.Name, 60), clip(workload.Metric.Better, 10),
			clip(string(workload.Metric.Scale), 20), metric.Name, metric.Better, metric.Scale)
	}
	if preCheck := workload.PreCheck; preCheck != nil && preCheck.Baseline != nil &&
		preCheck.Baseline.Revision != report.Base.SHA {
		return fmt.Errorf("its baseline measured %s, not base", clip(preCheck.Baseline.Revision, 40))
	}
	claimed, analyses := workload.Stats, workload.Sequential
	if err := harness.Judge(trusted, report.Plan, len(report.Workloads), workload); err != nil {
		return err
	}
	if claimed.Verdict != workload.Stats.Verdict {
		return fmt.Errorf("its verdict is %q, its pairs give %q", clip(string(claimed.Verdict), 40), workload.Stats.Verdict)
	}
	if err := sameFigures(claimed, workload.Stats); err != nil {
		return fmt.Errorf("its statistics: %w", err)
	}
	if err := sameFigures(analyses, workload.Sequential); err != nil {
		return fmt.Errorf("its interim analyses: %w", err)
	}
	return nil
}

// tolerance is the allowed relative difference of figures between processors: some fuse a multiplication and an
// addition.
const tolerance = 1e-9

// sameFigures compares two values by their JSON. Strings may differ.
func sameFigures(claimed, computed any) error {
	var trees [2]any
	for i, value := range []any{claimed, computed} {
		data, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(data, &trees[i])
		}
		if err != nil {
			return err
		}
	}
	return sameTree("", trees[0], trees[1])
}

func sameTree(path string, claimed, computed any) error {
	differ := fmt.Errorf("%s is %s, its pairs give %s", path, brief(claimed), brief(computed))
	switch was := claimed.(type) {
	case map[string]any:
		is, ok := computed.(map[string]any)
		if !ok || len(is) != len(was) {
			return differ
		}
		for _, key := range slices.Sorted(maps.Keys(was)) {
			other, has := is[key]
			if !has {
				return differ
			}
			if key == "warnings" {
				continue
			}
			if err := sameTree(path+"."+key, was[key], other); err != nil {
				return err
			}
		}
		return nil
	case []any:
		is, ok := computed.([]any)
		if !ok || len(is) != len(was) {
			return differ
		}
		for i := range was {
			if err := sameTree(fmt.Sprintf("%s[%d]", path, i), was[i], is[i]); err != nil {
				return err
			}
		}
		return nil
	case float64:
		is, ok := computed.(float64)
		if !ok || !(math.Abs(was-is) <= tolerance*math.Max(math.Abs(is), 1e-3) || math.Abs(was-is) <= 1e-6*math.Abs(is)) {
			return differ
		}
		return nil
	}
	if claimed != computed {
		return differ
	}
	return nil
}

func brief(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return clip(string(data), 60)
}

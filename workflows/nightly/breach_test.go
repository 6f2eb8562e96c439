package nightly

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// Nights on which every round has a counter or a stage above its limit keep the last good revision and open an issue.
// The issue names the metric, and closes when the limit holds again. The total time does not change.
func TestNightsBeyondABound(t *testing.T) {
	rules := *trusted(t)
	rules.Metrics.StageMargin, rules.Metrics.Exact = 0.003, map[string]float64{"cells": 0}
	job := newJob(t)
	job.rules = &rules
	grown := map[string]bool{}
	job.wrap = func(_ context.Context, request Request) (*harness.Report, error) {
		report, err := job.model.compare(context.Background(), request)
		if err != nil {
			return nil, err
		}
		report.Plan.StageMargin = rules.Metrics.StageMargin
		w := &report.Workloads[0]
		for i := range w.Pairs {
			p := &w.Pairs[i]
			p.Base, p.Head = 2*i, 2*i+1
			for arm, value := range map[schedule.Arm]float64{schedule.Base: p.A, schedule.Head: p.B} {
				more := 0.0
				if arm == schedule.Head && grown[request.Head] {
					more = 0.01
				}
				sample := evidence.Sample{
					Kind:     evidence.Measured,
					Arm:      arm,
					Counters: map[string]float64{"cells": 1000 * (1 + more), "turns": float64(i)},
					Metrics: map[string]float64{
						"prove_seconds":       value,
						"stage_fold_seconds":  0.2 + more + 1e-6*float64(i%3),
						"device_fold_seconds": 0.2 + more + 1e-6*float64(i%3),
						"load":                3,
					},
				}
				w.Samples = append(w.Samples, sample)
			}
			slices.SortFunc(w.Samples[2*i:], func(a, b evidence.Sample) int {
				return strings.Compare(string(a.Arm), string(b.Arm))
			})
		}
		return report, harness.Judge(&rules, report.Plan, 1, w)
	}
	for n := range 4 {
		job.model.seconds[sha(n)] = 1
	}
	job.night(0, sha(0), "")
	job.night(1, sha(1), "")
	if job.good() != sha(1) || len(job.server.Issues) != 0 {
		t.Fatalf("a healthy night: good %s, %d issues", job.good(), len(job.server.Issues))
	}
	grown[sha(2)] = true
	job.night(2, sha(2), "")
	if len(job.server.Issues) != 1 || job.good() != sha(1) {
		t.Fatalf("beyond both bounds: good %s, %d issues", job.good(), len(job.server.Issues))
	}
	issue := job.server.Issues[0]
	if !strings.Contains(issue.Title, "exceeds a limit") ||
		!strings.Contains(issue.Body, "`cells`, `stage fold (device)`") || issue.State != "open" {
		t.Errorf("%s: %s", issue.Title, issue.Body)
	}
	job.night(3, sha(3), "")
	if job.good() != sha(3) || job.server.Issues[0].State != "closed" {
		t.Errorf("within again: good %s, the issue is %s", job.good(), job.server.Issues[0].State)
	}
}

package report

import (
	"slices"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/stats"
)

// ExitCode returns the exit code for the results of Compare or Resume. If several codes apply, the first of 130, 2, 3,
// 4, 1, 0 counts.
func ExitCode(r *Report, err error) int {
	if err != nil {
		return failure.Code(err)
	}
	return r.ExitCode
}

// verdictCode returns the exit code of a complete run.
func verdictCode(workloads []Workload, failOn []stats.Verdict) int {
	for _, w := range workloads {
		if w.Stats != nil && (w.Verdict() == stats.Regression || slices.Contains(failOn, w.Verdict())) {
			return failure.ExitRegression
		}
	}
	return failure.ExitOK
}

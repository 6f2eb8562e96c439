package measure_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// Without a cgroup the report says what is not measured, and a pull request's run measures nothing.
func TestAHostWithoutCgroups(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", quick)
	w.commit("head", quick)
	o := w.options("base..head")
	o.Pairs = 6
	measure.SetUncounted(&o.Controls, "no cgroup may be made below /x")
	r := w.compare(o, failure.ExitOK)
	if !slices.ContainsFunc(r.Warnings, func(w plan.Warning) bool {
		return strings.Contains(w.Text, "no cgroup may be made below /x") && strings.Contains(w.Text, "is not seen") &&
			strings.Contains(w.Text, "Delegate=yes")
	}) {
		t.Errorf("warnings %v", r.Warnings)
	}
	o.PullRequest = true
	r = w.compare(o, failure.ExitUnfit)
	if f := r.Failure; f.Step != failure.StepEnvironment || !strings.Contains(f.Cause, "nothing is measured") ||
		!strings.Contains(f.Cause, "harness github runner --unit") || len(r.Workloads) != 0 {
		t.Errorf("%+v", f)
	}
	measure.SetUncounted(&o.Controls, "")
	if r := w.compare(o, failure.ExitOK); len(r.Warnings) > 0 && strings.Contains(r.Warnings[0].Text, "cgroup") {
		t.Errorf("warnings %v", r.Warnings)
	}
}

package measure_test

import (
	"math"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A head that does a fifth of its work after the reply gets no verdict, and the report names that work. A head that
// frees memory there, as base does, gets one.
func TestWorkBehindTheReply(t *testing.T) {
	longtest.Only(t)
	// The cooldown lets the work finish before the next request even on a busy host. Unfinished work would count in
	// that proof.
	config := strings.Replace(worldConfig, "pairs: 8", "pairs: 6, equivalence: 10%, cooldown: 150ms", 1)
	w := newWorld(t, config)
	w.commit("base", "seconds=0.05 noise=0.005")
	w.commit("head", "seconds=0.04 noise=0.005 linger=20ms")
	r := w.compare(w.options("base..head"), failure.ExitFailed)
	if f := r.Failure; f == nil || f.Step != failure.StepIdle || f.Arm != schedule.Head || r.Workloads[0].Stats != nil ||
		!strings.Contains(f.Cause, "between its replies and the next requests, the session of head took") ||
		!strings.Contains(f.Cause, "where 2 % (a fifth of plan.equivalence) and 3 ms are allowed") {
		t.Errorf("%+v", f)
	}
	if d := r.Workloads[0].Deferred; d == nil || d.CPUShare < 0.05 || math.Abs(d.Allowed-0.02) > 1e-12 {
		t.Errorf("%+v", d)
	}
	honest := newWorld(t, config)
	honest.commit("base", "seconds=0.05 noise=0.005 linger=20ms")
	honest.commit("head", "seconds=0.04 noise=0.005 linger=20ms")
	r = honest.compare(honest.options("base..head"), failure.ExitOK)
	if d := r.Workloads[0].Deferred; d == nil || d.BaseCPUSeconds < 0.003 || d.HeadCPUSeconds < 0.003 ||
		r.Workloads[0].Verdict() != "improvement" {
		t.Errorf("%s, %+v", r.Workloads[0].Verdict(), d)
	}
}

package measure_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// A head that hands over base's proof of the same seed gains nothing without isolation: it is stopped while base's
// proof is a file. Otherwise it would win.
func TestAHeadThatCopiesBasesProof(t *testing.T) {
	for _, waits := range []bool{false, true} {
		w := newWorld(t, worldConfig)
		w.commit("base", "seconds=0.02 noise=0.01")
		w.commit("head", "seconds=0.02 noise=0.01 fault=copy")
		o := w.options("base..head")
		o.Pairs = 6
		measure.SetIdleAsWritten(&o.Controls, !waits)
		codes := []int{failure.ExitOK}
		if !waits { // what it needs to watch base may be visible
			codes = append(codes, failure.ExitFailed)
		}
		r := w.compare(o, codes...)
		copied := 0
		for _, s := range r.Workloads[0].Samples {
			if s.Arm == schedule.Head && s.Metrics["prove_seconds"] < 0.01 {
				copied++
			}
		}
		switch verdict := r.Workloads[0].Verdict(); {
		case waits && (copied > 0 || verdict == stats.Improvement):
			t.Errorf("%d proofs are copies: %s", copied, verdict)
		case !waits && copied < 3:
			t.Errorf("the test shows nothing: %d proofs are copies: %s", copied, verdict)
		}
	}
}

// A head that stops base's session during a proof ends the run.
func TestAHeadThatStopsBase(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.1 noise=0.01")
	w.commit("head", "seconds=0.1 noise=0.01 fault=stop")
	r := w.compare(w.options("base..head"), failure.ExitFailed)
	if f := r.Failure; f.Step != failure.StepProof || f.Arm != schedule.Base ||
		!strings.Contains(f.Cause, "it was stopped and continued by a signal") {
		t.Errorf("%+v", f)
	}
	// If head is itself stopped while base proves, it cannot.
	o := w.options("base..head")
	measure.SetIdleAsWritten(&o.Controls, false)
	w.compare(o, failure.ExitOK, failure.ExitRegression)
}

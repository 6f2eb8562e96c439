package backend

import (
	"errors"
	"testing"
)

func TestOrder(t *testing.T) {
	done := func() error { return nil }
	o := &Order{steps: []Step{StepTrace, StepCount, StepGrind, StepGather}}
	if err := o.Run(StepCount, done); !errors.Is(err, ErrOrder) {
		t.Errorf("Count first: %v", err)
	}
	for _, step := range []Step{StepTrace, StepCount, StepGather} {
		if err := o.Run(step, done); err != nil {
			t.Errorf("%s: %v", step, err)
		}
	}
	if err := o.Run(StepTrace, done); !errors.Is(err, ErrOrder) {
		t.Errorf("a step behind the last: %v", err)
	}
	o = &Order{steps: []Step{StepTrace, StepCount}}
	cause := errors.New("it fails")
	if err := o.Run(StepTrace, func() error { return cause }); err != cause {
		t.Errorf("%v, want the step's own error", err)
	}
	if err := o.Run(StepTrace, done); !errors.Is(err, ErrOrder) {
		t.Errorf("after a failure: %v", err)
	}
	o = &Order{steps: []Step{StepTrace}}
	if !o.Close() || o.Close() {
		t.Error("Close does not tell an open proof from a closed one")
	}
	if err := o.Run(StepTrace, done); !errors.Is(err, ErrOrder) {
		t.Errorf("after Close: %v", err)
	}
}

// At every place of a proof just one step may be done: no earlier one again, and no later one, but that grinding may be
// left out.
func TestOneStepIsNext(t *testing.T) {
	steps := []Step{StepTrace, StepCount, StepCommitMain, StepLogUp, StepCommitAuxiliary, StepQuotient,
		StepCommitQuotient, StepOpen,
		StepDeep, StepCommitLayer, StepFold, StepCommitLayer, StepFold, StepFinal, StepGrind, StepGather}
	for at := range steps {
		for tried := range Step(stepCount) {
			o := &Order{steps: steps}
			for _, step := range steps[:at] {
				if err := o.Run(step, func() error { return nil }); err != nil {
					t.Fatalf("%s: %v", step, err)
				}
			}
			done := false
			err := o.Run(tried, func() error { done = true; return nil })
			want := tried == steps[at] || steps[at] == StepGrind && tried == StepGather
			if done != want || want && err != nil || !want && !errors.Is(err, ErrOrder) {
				t.Errorf("%s where %s is next: done %v, %v", tried, steps[at], done, err)
			}
		}
	}
}

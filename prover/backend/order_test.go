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

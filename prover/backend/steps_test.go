package backend

import (
	"errors"
	"testing"
)

// At every place of a proof just one step may be done: no earlier one again, and no later one, but that grinding may be left
// out.
func TestOneStepIsNext(t *testing.T) {
	steps := []Step{StepTrace, StepCount, StepCommitMain, StepLogUp, StepCommitAuxiliary, StepQuotient, StepCommitQuotient, StepOpen,
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

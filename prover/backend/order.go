package backend

import (
	"fmt"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Step is one call of a proof's methods.
type Step uint8

// The steps in order.
const (
	StepTrace Step = iota
	StepCount
	StepCommitMain
	StepLogUp
	StepCommitAuxiliary
	StepQuotient
	StepCommitQuotient
	StepOpen
	StepDeep
	StepCommitLayer
	StepFold
	StepFinal
	StepGrind
	StepGather
	stepCount
)

var stepNames = [stepCount]string{"Trace", "Count", "Commit main", "LogUp", "Commit auxiliary",
	"Quotient", "Commit quotient",
	"Open", "Deep", "CommitLayer", "Fold", "Final", "Grind", "Gather"}

func (s Step) String() string {
	if int(s) < len(stepNames) {
		return stepNames[s]
	}
	return fmt.Sprintf("step %d", uint8(s))
}

// Order holds a proof to the order of its steps, for every backend alike.
type Order struct {
	steps  []Step // of the whole proof
	at     int
	failed bool // a step was not done: nothing may follow
}

// NewOrder is the order of the steps of a proof of this shape.
func NewOrder(shape *protocol.Shape) *Order {
	steps := []Step{StepTrace, StepCount, StepCommitMain}
	if shape.Present(protocol.Auxiliary) {
		steps = append(steps, StepLogUp, StepCommitAuxiliary)
	}
	steps = append(steps, StepQuotient, StepCommitQuotient, StepOpen, StepDeep)
	for range shape.Schedule {
		steps = append(steps, StepCommitLayer, StepFold)
	}
	return &Order{steps: append(steps, StepFinal, StepGrind, StepGather)}
}

// CommitStep is the step that commits to a phase.
func CommitStep(phase protocol.Phase) (Step, error) {
	switch phase {
	case protocol.Main:
		return StepCommitMain, nil
	case protocol.Auxiliary:
		return StepCommitAuxiliary, nil
	case protocol.Quotient:
		return StepCommitQuotient, nil
	}
	return 0, fmt.Errorf("commit to the %s phase, which is the key's: %w", phase, ErrOrder)
}

// Run does a step if it is the next. Grinding may be left out.
func (o *Order) Run(step Step, work func() error) error {
	if o.failed {
		return fmt.Errorf("%s after a step that failed, or after Close: %w", step, ErrOrder)
	}
	at := o.at
	if at < len(o.steps) && o.steps[at] == StepGrind && step == StepGather {
		at++
	}
	if at == len(o.steps) {
		return fmt.Errorf("%s, and the proof is done: %w", step, ErrOrder)
	}
	if o.steps[at] != step {
		return fmt.Errorf("%s, and %s is next: %w", step, o.steps[at], ErrOrder)
	}
	if err := work(); err != nil {
		o.failed = true
		return err
	}
	o.at = at + 1
	return nil
}

// Close lets no step follow. It reports whether the proof was open.
func (o *Order) Close() bool {
	was := o.at >= 0
	o.failed, o.at = true, -1
	return was
}

package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A proof of a speculative execution begins with predicted instances. When the run has ended and has others, its
// records are on the device already, in sets of sufficient size. Then the proof returns the memory that depends on the
// instances, and takes it again for the run's own. The result does not depend on the predicted instances: it is the
// proof that would be made without speculation.

// take takes the main columns, and memory for the places of the columns whose lookups are counted.
func (t *traced) take() (counted cuda.Span, err error) {
	t.kept = t.scope("kept columns")
	if err := t.columns(protocol.Main); err != nil {
		return counted, err
	}
	return takeCounted(t.kept, t.shape)
}

// reshape continues with other instances than the proof began with, while the stage's scope has the records. If the
// arena is too small for that, the error wraps [machine.ErrPrediction].
func (t *traced) reshape(scope *cuda.Scope, memory *traceMemory, own []circuit.Instance) (counted cuda.Span,
	err error) {
	if memory.grown != nil || t.lean {
		return counted, machine.ErrPrediction
	}
	for _, free := range slices.Backward(t.held) {
		err = errors.Join(err, free())
	}
	if t.held = nil; err != nil {
		return counted, err
	}
	shape := t.shapeOf(own)
	if t.peak, err = t.predict(shape); err != nil {
		return counted, err
	}
	t.shape = shape
	if t.peak <= t.arena.Budget() {
		counted, err = t.retake(scope, memory)
	}
	var short *cuda.BudgetError
	if t.peak > t.arena.Budget() || errors.As(err, &short) {
		return counted, fmt.Errorf("%w: its proof takes more memory", machine.ErrPrediction)
	}
	return counted, err
}

// retake takes all memory of the proof again, and more scratch memory if the new instances need it.
func (t *traced) retake(scope *cuda.Scope, memory *traceMemory) (counted cuda.Span, err error) {
	t.bindKeys()
	if err := t.fillPoints(t.scope("proof")); err != nil {
		return counted, err
	}
	if counted, err = t.take(); err != nil {
		return counted, err
	}
	if bytes := scratchWords(t.fillers, t.shape) * wordBytes; bytes > memory.work.Size() {
		memory.work, err = scope.Take("more trace scratch", bytes)
	}
	return counted, err
}

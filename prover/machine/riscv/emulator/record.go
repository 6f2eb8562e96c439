package emulator

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Record runs a program to its end, once: see [Emulator.Record].
func Record(ctx context.Context, p *program.Program, in memory.Inputs,
	options Options) (*Result, *record.Trace, error) {
	return New(p).Record(ctx, in, options)
}

// Record runs the program to its end and keeps its trace. An observer in the options sees the run too.
func (e *Emulator) Record(ctx context.Context, in memory.Inputs, options Options) (*Result, *record.Trace, error) {
	trace := e.emptyTrace()
	result, err := e.run(ctx, in, options, trace)
	if err != nil {
		e.Recycle(trace)
		return nil, nil, err
	}
	trace.Checkpoints = append(trace.Checkpoints, result.End)
	return result, trace, nil
}

// emptyTrace is a trace in memory that was used before, or with room for as much as the last run took.
func (e *Emulator) emptyTrace() *record.Trace {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if trace := e.spare; trace != nil {
		e.spare = nil
		return trace
	}
	return &record.Trace{
		Checkpoints: make([]record.Checkpoint, 0, e.chunks+e.chunks/8+1),
		Log:         make([]uint64, 0, e.logged+e.logged/8+logSize),
	}
}

// Recycle takes a trace back that nobody reads any more: the next run is recorded in its memory, whose pages are there.
func (e *Emulator) Recycle(trace *record.Trace) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.spare = &record.Trace{Checkpoints: trace.Checkpoints[:0], Log: trace.Log[:0]}
}

// ran notes how much a run's trace takes.
func (e *Emulator) ran(r *Result) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.chunks, e.logged = r.Cycles/record.ChunkCycles+2, r.End.Log
}

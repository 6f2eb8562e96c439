package emulator

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Record runs a program to its end with a new emulator: see [Emulator.Record].
func Record(ctx context.Context, p *program.Program, in memory.Inputs,
	options Options) (*Result, *record.Trace, error) {
	return New(p).Record(ctx, in, options)
}

// Record runs the program to its end and keeps its trace. An observer in the options observes the run too.
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

// emptyTrace returns an empty trace, either in recycled memory or with room for a trace as large as the last run's.
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

// Recycle reuses the memory of a trace for the next run, which saves page faults. The trace must not be used
// afterwards.
func (e *Emulator) Recycle(trace *record.Trace) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.spare = &record.Trace{Checkpoints: trace.Checkpoints[:0], Log: trace.Log[:0]}
}

// ran records the size of a run's trace.
func (e *Emulator) ran(r *Result) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.chunks, e.logged = r.Cycles/record.ChunkCycles+2, r.End.Log
}

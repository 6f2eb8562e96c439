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
	if err != nil { // do not recycle the trace: the observer may have shared parts of it
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
	return record.NewTrace(int(e.chunks+e.chunks/8+1), e.logged+e.logged/8+logSize)
}

// Recycle reuses the memory of a trace for the next run, which saves page faults, or frees it if the memory of another
// trace is waiting. Neither the trace nor a part of it may be used afterwards.
func (e *Emulator) Recycle(trace *record.Trace) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.spare != nil {
		trace.Free()
		return
	}
	e.spare = trace.Empty()
}

// ran records the size of a run's trace.
func (e *Emulator) ran(r *Result) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.chunks, e.logged = r.Cycles/record.ChunkCycles+2, r.End.Log
}

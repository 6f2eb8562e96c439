package emulator

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// A Tape records a known run part by part. Between parts the guest is stopped, and the tape keeps no trace: it takes
// memory for the guest and for one part.
type Tape struct {
	emulator *Emulator
	machine  *machine
	chunk    int // where the next part begins
}

// Tape begins to record a run. Notes are dropped, because the first run of the program has shown them.
func (e *Emulator) Tape(in memory.Inputs) (*Tape, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	m := e.newMachine(in, new(record.Trace))
	if m.seen.entered != nil {
		m.native = e.take()
	}
	return &Tape{emulator: e, machine: m}, nil
}

// TapeFrom begins to record a run at a checkpoint before a chunk. Words are the contents of memory there. It suffices
// to list the words that the recorded parts access, and of these the words that differ from their initial contents.
func (e *Emulator) TapeFrom(in memory.Inputs, at *record.Checkpoint, words []record.Touched) (*Tape, error) {
	t, err := e.Tape(in)
	if err != nil {
		return nil, err
	}
	m := t.machine
	next, ok := e.program.Index(uint64(at.PC))
	if !ok || at.Cycle == 0 {
		t.Close()
		return nil, ErrOtherRun
	}
	m.next, m.cycle, m.before = next, uint64(at.Cycle), at.Log
	t.chunk = int((at.Cycle - 1) / record.ChunkCycles)
	m.setRegisters(at)
	for _, w := range words {
		m.memory.Store(w.Word, w.Value)
	}
	return t, nil
}

// Next records the run up to a cut and returns the trace of the part: see [record.Trace].
func (t *Tape) Next(ctx context.Context, to Cut) (*record.Trace, error) {
	m, chunks := t.machine, to.Chunk-t.chunk
	if chunks < 1 || to.Log < m.before {
		return nil, ErrOtherRun
	}
	m.trace = &record.Trace{
		Checkpoints: make([]record.Checkpoint, 0, chunks+2),
		Log:         make([]uint64, 0, to.Log-m.before+logSize),
	}
	if err := m.run(ctx, rv64im.MaxCycles, uint64(to.Chunk)*record.ChunkCycles+1, nil); err != nil {
		return nil, err
	}
	trace := m.trace
	if len(trace.Checkpoints) != chunks || m.before != to.Log {
		return nil, ErrOtherRun
	}
	t.chunk = to.Chunk
	trace.Checkpoints = trace.Checkpoints[:chunks+1]
	m.checkpoint(&trace.Checkpoints[chunks], m.before)
	m.trace, m.log, m.nextCheckpoint = new(record.Trace), nil, nil // the caller decides how long the trace lives
	return trace, nil
}

// Accessed returns the words that the run has accessed since the last call of Accessed, ascending, with their contents
// now.
func (t *Tape) Accessed() (list []memorymap.Word) {
	t.machine.memory.TakeTouched(func(w memorymap.Word) { list = append(list, w) })
	return list
}

// Close ends the run and frees the guest's memory. The tape must not be used afterwards.
func (t *Tape) Close() {
	t.emulator.giveBack(t.machine.native)
	t.machine.memory.Free()
	t.machine = nil
}

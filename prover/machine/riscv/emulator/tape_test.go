package emulator

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A tape's parts are those of the recorded run. A cut where the run has none is an error.
func TestTape(t *testing.T) {
	in := memory.Inputs{Private: riscvtest.Numbers(2000, 8)}
	e := New(riscvtest.Load(t, riscvtest.Guest(t, "quicksort")))
	_, trace, err := e.Record(t.Context(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, chunks := range [][]int{{}, {1}, {3, 4, 20}, {trace.Chunks() - 1}} {
		tape, err := e.Tape(in)
		if err != nil {
			t.Fatal(err)
		}
		from, held := 0, map[uint32]uint64{}
		for _, cut := range cutsOf(trace, chunks...) {
			part, err := tape.Next(t.Context(), cut)
			if err != nil {
				t.Fatal(err)
			}
			if want := trace.Part(from, cut.Chunk); !sameTrace(part, want) {
				t.Errorf("cuts %v: the part from chunk %d is another", chunks, from)
			}
			accessed := tape.Accessed()
			if part, err = e.alone(t, in, &part.Checkpoints[0], accessed, held, cut); err != nil {
				t.Fatal(err)
			}
			if want := trace.Part(from, cut.Chunk); !sameTrace(part, want) {
				t.Errorf("cuts %v: the part from chunk %d is another if it is recorded alone", chunks, from)
			}
			for _, w := range accessed {
				held[w.Index] = w.Value
			}
			from = cut.Chunk
		}
		tape.Close()
	}
	last := Cut{trace.Chunks(), trace.Checkpoints[trace.Chunks()].Log}
	for name, cuts := range map[string][]Cut{
		"a log that is longer":  {{3, trace.Checkpoints[3].Log + 1}},
		"a log that is shorter": {{3, trace.Checkpoints[3].Log - 1}},
		"a log that goes back":  {{last.Chunk - 1, trace.Checkpoints[last.Chunk-1].Log}, {last.Chunk, 1}},
		"no chunk":              {{3, trace.Checkpoints[3].Log}, {3, trace.Checkpoints[3].Log}},
		"after the end":         {{last.Chunk + 1, last.Log}},
	} {
		tape, err := e.Tape(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, cut := range cuts {
			_, err = tape.Next(t.Context(), cut)
			if i < len(cuts)-1 && err != nil {
				t.Fatal(err)
			}
		}
		tape.Close()
		if !errors.Is(err, ErrOtherRun) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// alone records a part from its checkpoint and of memory what the part accesses. held are the contents before.
func (e *Emulator) alone(t *testing.T, in memory.Inputs, at *record.Checkpoint, accessed []memorymap.Word,
	held map[uint32]uint64, to Cut) (*record.Trace, error) {
	t.Helper()
	var words []record.Touched
	for _, w := range accessed {
		if value, ok := held[w.Index]; ok {
			words = append(words, record.Touched{Word: w.Index, Value: value})
		}
	}
	tape, err := e.TapeFrom(in, at, words)
	if err != nil {
		return nil, err
	}
	defer tape.Close()
	return tape.Next(t.Context(), to)
}

// A tape begins at a checkpoint only where there is code.
func TestTapeFromNowhere(t *testing.T) {
	e := New(riscvtest.Load(t, riscvtest.Guest(t, "fib")))
	for _, at := range []record.Checkpoint{{PC: 8, Cycle: 1}, {PC: uint32(e.program.File.Entry)}} {
		if _, err := e.TapeFrom(memory.Inputs{}, &at, nil); !errors.Is(err, ErrOtherRun) {
			t.Errorf("from %#x before cycle %d: %v", at.PC, at.Cycle, err)
		}
	}
}

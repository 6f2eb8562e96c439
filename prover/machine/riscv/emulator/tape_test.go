package emulator

import (
	"errors"
	"reflect"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A tape's parts are those of the recorded run. A cut where the run has none is an error.
func TestTape(t *testing.T) {
	in := memory.Inputs{Private: riscvtest.Numbers(200, 8)}
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
		from := 0
		for _, cut := range cutsOf(trace, chunks...) {
			part, err := tape.Next(t.Context(), cut)
			if err != nil {
				t.Fatal(err)
			}
			if want := trace.Part(from, cut.Chunk); !reflect.DeepEqual(part, want) {
				t.Errorf("cuts %v: the part from chunk %d is another", chunks, from)
			}
			from = cut.Chunk
		}
		tape.Close()
	}
	last := Cut{trace.Chunks(), trace.Checkpoints[trace.Chunks()].Log}
	for name, cuts := range map[string][]Cut{
		"a log that is longer":  {{3, trace.Checkpoints[3].Log + 1}},
		"a log that is shorter": {{3, trace.Checkpoints[3].Log - 1}},
		"a log that goes back":  {{3, trace.Checkpoints[3].Log}, {4, trace.Checkpoints[3].Log - 1}},
		"no chunk":              {{3, trace.Checkpoints[3].Log}, {3, trace.Checkpoints[3].Log}},
		"behind the end":        {{last.Chunk + 1, last.Log}},
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

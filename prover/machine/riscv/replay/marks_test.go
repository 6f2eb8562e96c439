package replay_test

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Counts at a mark, made while the run executes, equal a replay's: in short runs at every chunk, in a long run at least
// as often as a run can have shards. The trace seen meanwhile is the trace.
func TestMarksAreOffsets(t *testing.T) {
	long := subject{
		name:   "long",
		elf:    riscvtest.Guest(t, "fib"),
		inputs: memory.Inputs{Private: riscvtest.Numbers(60_000)},
	}
	for _, s := range append(slices.Concat(subjects(), calls(t)), long) {
		p := riscvtest.Load(t, s.elf)
		marks := replay.NewMarks(p)
		var logged []uint64
		result, trace, err := emulator.Record(context.Background(), p, s.inputs,
			emulator.Options{Observe: func(c *emulator.Chunk) error {
				if before := c.Before(); before.Cycles() != c.First-1 || before.Checkpoints[before.Chunks()] != *c.Start {
					t.Errorf("%s: %d cycles before cycle %d", s.name, before.Cycles(), c.First)
				} else {
					logged = append(logged, uint64(len(before.Log)))
				}
				return marks.Observe(c)
			}})
		if err != nil {
			t.Fatal(err)
		}
		placed, err := replay.Begin(p, s.inputs).Place(context.Background(), parallel.New(2), trace, true)
		if err != nil {
			t.Fatal(err)
		}
		list := marks.List(result)
		for _, mark := range list {
			if want := placed.Before(mark.Chunk); mark.Offsets != want || mark.Log != trace.Checkpoints[mark.Chunk].Log {
				t.Fatalf("%s, chunk %d: %+v, want %+v", s.name, mark.Chunk, mark.Offsets, want)
			}
		}
		if n := len(list) - 1; n != placed.Chunks() && n < 256 || list[0].Chunk != 0 || list[n].Chunk != placed.Chunks() {
			t.Errorf("%s: %d marks in %d chunks", s.name, n, placed.Chunks())
		}
		for k, n := range logged {
			if n != trace.Checkpoints[k].Log {
				t.Errorf("%s: %d words logged before chunk %d, want %d", s.name, n, k, trace.Checkpoints[k].Log)
			}
		}
	}
}

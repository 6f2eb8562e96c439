package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The words that a part accesses are those of its trace, or there is no state after it.
func TestLedgerComparesWords(t *testing.T) {
	in := memory.Inputs{Private: riscvtest.Numbers(20, 1)}
	p := riscvtest.Load(t, riscvtest.Guest(t, "quicksort"))
	tape, err := emulator.New(p).Tape(in)
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := emulator.Record(t.Context(), p, in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tape.Next(t.Context(), emulator.Cut{Chunk: 1, Log: trace.Checkpoints[1].Log}); err != nil {
		t.Fatal(err)
	}
	accessed := tape.Accessed()
	tape.Close()
	for name, tc := range map[string]struct {
		accessed []memorymap.Word
		want     string
	}{
		"all":      {accessed, ""},
		"none":     {nil, "accesses other words"},
		"one more": {append(slices.Clone(accessed), memorymap.Word{Index: memorymap.EndWord - 1}), "no cycle from 1 on"},
	} {
		_, err := replay.NewLedger(p, in, 0).Place(t.Context(), parallel.New(2), trace.Part(0, 1), tc.accessed, false)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

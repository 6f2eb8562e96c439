package emulator_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A recycled trace lends its memory to the next trace, but none of its contents.
func TestRecycledTrace(t *testing.T) {
	p := riscvtest.Load(t, riscvtest.Guest(t, "quicksort"))
	e := emulator.New(p)
	_, first, err := e.Record(t.Context(), memory.Inputs{Private: riscvtest.Numbers(200, 1)}, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	place := &first.Log[0]
	e.Recycle(first)
	in := memory.Inputs{Private: riscvtest.Numbers(100, 2)}
	_, second, err := e.Record(t.Context(), in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, want, err := emulator.Record(t.Context(), p, in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if &second.Log[0] != place {
		t.Error("the second trace is in other memory than the first was")
	}
	if !reflect.DeepEqual(second.Checkpoints, want.Checkpoints) || !slices.Equal(second.Log, want.Log) {
		t.Error("the second trace is not what it is in new memory")
	}
}

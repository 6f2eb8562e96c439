package emulator

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Operands at one slot must not share words; others may. No accelerator has two operands at one slot yet.
func TestOperandsAtOneSlot(t *testing.T) {
	e := New(riscvtest.Load(t, riscvtest.Guest(t, "fib")))
	m := e.newMachine(memory.Inputs{}, nil)
	for _, tc := range []struct {
		slot    uint32 // of the second operand
		apart   uint64 // bytes from the first to the second
		refused bool
	}{
		{2, 16, true}, {2, 24, false}, {1, 16, false},
	} {
		c := newCall(0, &accelerator.Kind{Name: "made-up", Operands: []accelerator.Operand{
			{Argument: 0, Words: 2, Slot: tc.slot}, {Argument: 1, Words: 3, Slot: 2, Writes: true},
		}})
		m.state.X[10], m.state.X[11] = 0x10000+tc.apart, 0x10000
		_, err := m.arguments(0, c)
		if trap := new(Trap); errors.As(err, &trap) != tc.refused || tc.refused && trap.Kind != CallRefused {
			t.Errorf("operands at slots %d and 2, %d bytes apart: %v", tc.slot, tc.apart, err)
		}
	}
}

package emulator

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Operands at one slot must not share words, whatever the origin of their addresses; others may.
func TestOperandsAtOneSlot(t *testing.T) {
	const first, block = 0x10000, 0x20000
	e := New(riscvtest.Load(t, riscvtest.Guest(t, "fib")))
	m := e.newMachine(memory.Inputs{}, nil)
	for _, tc := range []struct {
		slot    uint32 // of the second operand
		apart   uint64 // bytes from the first to the second
		refused bool
	}{
		{2, 16, true}, {2, 24, false}, {1, 16, false},
	} {
		a := accelerator.Operand{Argument: 0, Words: 2, Slot: tc.slot}
		b := accelerator.Operand{Argument: 1, Words: 3, Slot: 2, Writes: true}
		m.state.X[10], m.state.X[11] = first+tc.apart, first
		refuses(t, m, []accelerator.Operand{a, b}, tc.refused)
		a.Pointer, b.Pointer, b.Argument = accelerator.PointerIn(1), accelerator.PointerIn(2), 0
		b.Offset = 5
		m.memory.Store(block/8+1, first+tc.apart)
		m.memory.Store(block/8+2, first-40)
		m.state.X[10], m.state.X[11] = block, 0
		refuses(t, m, []accelerator.Operand{{Argument: 0, Words: 3}, a, b}, tc.refused)
	}
}

// refuses checks whether a call with the machine's registers is refused.
func refuses(t *testing.T, m *machine, operands []accelerator.Operand, want bool) {
	t.Helper()
	_, err := m.arguments(0, newCall(0, &accelerator.Kind{Name: "made-up", Operands: operands}))
	if trap := new(Trap); errors.As(err, &trap) != want || want && trap.Kind != CallRefused {
		t.Errorf("%+v at %#x and %#x: %v", operands, m.state.X[10], m.state.X[11], err)
	}
}

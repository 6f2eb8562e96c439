package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	riscv "github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// run --debug looks for return addresses in up to stackWords words of the stack, and prints up to stackFrames of them.
const (
	stackWords  = 1 << 16
	stackFrames = 32
)

// linkRegister is the number of ra, the calling convention's return address register.
const linkRegister = 1

// debugTrap prints the state of a program that trapped, if err wraps a trap.
func debugTrap(out io.Writer, guest *riscv.Program, err error) {
	var trap *emulator.Trap
	if !errors.As(err, &trap) {
		return
	}
	printState(out, guest, trap.Registers, trap.Memory)
}

// printState prints the registers and the calls that had not returned.
func printState(out io.Writer, guest *riscv.Program, x [32]uint64, m *memory.Memory) {
	_, _ = fmt.Fprintln(out, "registers")
	for i := 1; i < 32; i++ {
		end := "  "
		if i%4 == 0 || i == 31 {
			end = "\n"
		}
		_, _ = fmt.Fprintf(out, "  %4s %016x%s", instruction.RegisterNames[i], x[i], end)
	}
	_, _ = fmt.Fprintln(out, "calls, innermost first: from ra, then from words on the stack (some may have returned)")
	if call, ok := callSite(guest, x[linkRegister]); ok {
		_, _ = fmt.Fprintf(out, "  %10s: %s\n", "ra", call)
	}
	sp := x[stackPointer] &^ (memorymap.WordBytes - 1)
	for i, shown := uint64(0), 0; i < stackWords && shown < stackFrames; i++ {
		at := sp + i*memorymap.WordBytes
		if at < memorymap.First || at >= memorymap.PrivateInput {
			return
		}
		if call, ok := callSite(guest, m.Load(uint32(at/memorymap.WordBytes))); ok {
			_, _ = fmt.Fprintf(out, "  %#10x: %s\n", at, call)
			shown++
		}
	}
}

// callSite returns the call that returns to an address, if there is one.
func callSite(guest *riscv.Program, address uint64) (emulator.Location, bool) {
	call := address - 4
	index, ok := guest.Index(call)
	if !ok {
		return emulator.Location{}, false
	}
	i, _, ok := guest.Instruction(index)
	if !ok || i.Op != instruction.JAL && i.Op != instruction.JALR || i.Rd != linkRegister {
		return emulator.Location{}, false
	}
	return emulator.Location{PC: call, Symbol: guest.File.Symbols.Describe(call)}, true
}

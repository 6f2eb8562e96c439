package emulator

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// Kind is the kind of a trap.
type Kind uint8

// Kinds of traps.
const (
	IllegalInstruction Kind = iota // a word that is not an instruction of RV64IM, or no word at all
	AccessOutside                  // a load, store or operand outside memory
	MisalignedJump                 // a jump to an address that is not a multiple of 4
	JumpOutside                    // a jump to an address without code
	UnknownCall                    // an ECALL with an unknown number
	CallRefused                    // an ECALL with invalid arguments or operands
)

// A Trap ends a run without a result. Such a run has no proof.
type Trap struct {
	Kind        Kind
	Cycle       uint64
	PC          uint64
	Symbol      string // of PC, with the offset, if the ELF has symbols
	Instruction instruction.Instruction
	Word        uint32 // of the instruction
	Detail      string

	// The state when the program trapped, for debugging.
	Registers [32]uint64
	Memory    *memory.Memory
}

func (t *Trap) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "trap in cycle %d at %#x", t.Cycle, t.PC)
	if t.Symbol != "" {
		fmt.Fprintf(&b, " (%s)", t.Symbol)
	}
	if t.Instruction.Op != instruction.Illegal {
		fmt.Fprintf(&b, ", %s", t.Instruction)
	}
	fmt.Fprintf(&b, ": %s", t.Detail)
	return b.String()
}

// trap returns a trap at the instruction with the given index.
func (m *machine) trap(kind Kind, index uint32, format string, args ...any) *Trap {
	t := &Trap{Kind: kind, Cycle: m.cycle, Detail: fmt.Sprintf(format, args...), Memory: m.memory}
	copy(t.Registers[1:], m.state.X[1:32])
	t.PC, _ = m.program.Address(index)
	t.Instruction, t.Word, _ = m.program.Instruction(index)
	t.Symbol = m.program.File.Symbols.Describe(t.PC)
	return t
}

// trapIllegal returns the trap for executing something that is not an instruction. It reports the word there, the end
// of the code, or the jump that left the code.
func (m *machine) trapIllegal(index uint32) *Trap {
	switch address, inside := m.program.Address(index); {
	case inside:
		t := m.trap(IllegalInstruction, index, "")
		t.Detail = fmt.Sprintf("the word %#08x is no instruction of RV64IM", t.Word)
		if t.Word&3 != 3 && t.Word != 0 {
			t.Detail += " (compressed code: build for rv64im)"
		}
		return t
	case index != program.Outside:
		return m.trap(IllegalInstruction, index, "execution continued after the code's end at %#x", address)
	case m.last == program.Outside:
		t := m.trap(JumpOutside, index, "")
		t.PC = m.program.File.Entry
		t.Detail = fmt.Sprintf("the entry %#x lies after the code of the file", t.PC)
		return t
	}
	// The jump was executed in the previous cycle.
	m.cycle--
	target := m.jumpTarget(m.last)
	if target%4 != 0 {
		return m.trap(MisalignedJump, m.last, "jumps to %#x, which is not a multiple of 4", target)
	}
	return m.trap(JumpOutside, m.last, "jumps to %#x, where no code is", target)
}

// jumpTarget returns the target of the jump at an index, which was the last instruction executed.
func (m *machine) jumpTarget(index uint32) uint64 {
	if m.program.Code[index].Op == instruction.JALR || m.program.Code[index].Op == instruction.Indir {
		return m.target
	}
	pc, _ := m.program.Address(index)
	i, _, _ := m.program.Instruction(index)
	return pc + uint64(i.Imm)
}

// trapAccess returns the trap for a load or a store outside memory.
func (m *machine) trapAccess(index uint32, address uint64) *Trap {
	c := &m.program.Code[index]
	verb := "reads"
	if c.Op.Store() {
		verb = "writes"
	}
	t := m.trap(AccessOutside, index, "%s %s at %#x, outside memory (%#x to %#x)", verb, plural.Of(c.Op.Width(), "byte"),
		address, memorymap.First, memorymap.End)
	if address < memorymap.First {
		t.Detail += ": a null pointer"
	}
	return t
}

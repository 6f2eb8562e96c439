package emulator

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// The two registers of an operation's program, and others that may displace them from the processor's registers.
const (
	one, two     = 5, 6
	fillers      = 8
	firstFiller  = 20
	enoughToTake = 1 << 20
)

// forms appends an operation on two registers in all forms, for a few values.
func forms(p *riscvtest.Program, op instruction.Op) {
	for _, edges := range [][2]int64{{3, 8}, {10, 0}, {22, 17}, {5, 22}} {
		for form := range 8 {
			rd, rs1, rs2 := uint8(one+form&1), uint8(one+form>>1&1), uint8(one+form>>2)
			p.Op(instruction.LD, one, riscvtest.EdgeRegister, 0, 8*edges[0])
			p.Op(instruction.LD, two, riscvtest.EdgeRegister, 0, 8*edges[1])
			switch {
			case op.Load() || op.Store():
				p.Op(instruction.ADDI, rs1, riscvtest.DataRegister, 0, 0)
				p.Op(op, rd, rs1, rs2, 16)
			case op == instruction.JALR:
				p.Op(instruction.AUIPC, rs1, 0, 0, 0)
				p.Op(op, rd, rs1, 0, 12)
				p.Op(instruction.ADDI, one, 0, 0, 1)
			case op.Branch() || op == instruction.JAL:
				p.Op(op, rd, rs1, rs2, 8)
				p.Op(instruction.ADDI, one, 0, 0, 1)
			case op == instruction.LUI || op == instruction.AUIPC:
				p.Op(op, rd, 0, 0, 9<<12)
			default:
				p.Op(op, rd, rs1, rs2, 9)
			}
			p.Dump(one)
			p.Dump(two)
		}
	}
}

// Translations behave like the interpreter, whichever guest registers are in processor registers, and whichever
// registers of an instruction are equal.
func TestTranslatedAssignments(t *testing.T) {
	w, bumps := riscvtest.NewProgram(riscvtest.EdgeData()), map[uint8]int{} // bumps access one register each
	for _, r := range []uint8{one, two, 20, 21, 22, 23, 24, 25, 26, 27} {
		bumps[r] = len(w.Text)
		w.Op(instruction.ADDI, r, r, 0, 1)
	}
	for _, op := range riscvtest.Ops() {
		if op != instruction.ECALL && op != instruction.FENCE {
			forms(w, op)
		}
	}
	p := riscvtest.Load(t, w.ELF(false))
	needTranslations(t, p)
	e := sameAsInterpreted(t, "forms", p, memory.Inputs{}, Options{})
	often := slices.Repeat([]uint64{enoughToTake}, len(p.Code)) // so that blocks extend to every instruction
	for _, own := range [][]uint8{{}, {one}, {two}, {one, two}} {
		executed := make([]uint64, len(p.Code))
		for _, r := range own {
			executed[int(p.Entry)+bumps[r]] = enoughToTake
		}
		for i := range uint8(fillers - len(own)) {
			executed[int(p.Entry)+bumps[firstFiller+i]] = enoughToTake
		}
		e.idle[0].Ran(executed, often)
		compareRuns(t, fmt.Sprintf("registers %d of the processor's", own), e, memory.Inputs{}, Options{})
	}
}

package emulator

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// guarded returns a loop with an indirect jump directly after a branch. The jump leads to the next instruction, the
// only one that accesses x8. In the last rounds, which take many chunks, it leads past that instruction. The branch is
// always taken: the interpreter, starting at the beginning of a chunk, stops there, so translations execute all jumps
// of those rounds and still expect the first target. guarded also returns the indices of the loop's first instruction
// and of the instruction that accesses x8.
func guarded() (p *riscvtest.Program, begin, own int) {
	p = riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, 1600) // rounds
	begin = len(p.Text)
	p.Op(instruction.SLTIU, 6, 5, 0, 400)
	p.Op(instruction.SLLI, 6, 6, 0, 2)
	p.Op(instruction.AUIPC, 7, 0, 0, 0)
	p.Op(instruction.ADD, 7, 7, 6, 0)
	p.Op(instruction.BNE, 0, 5, 0, 8)
	p.Op(instruction.ADDI, 3, 3, 0, 1) // jumped over
	p.Op(instruction.JALR, 0, 7, 0, 20)
	own = len(p.Text)
	p.Op(instruction.ADDI, 8, 8, 0, 1)
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, int64(4*(begin-len(p.Text))))
	return p, begin, own
}

// Registers that are accessed after an indirect jump are recorded only if the jump leads there, even if the jump
// directly follows a branch in the block.
func TestTranslatedGuards(t *testing.T) {
	w, begin, own := guarded()
	p := riscvtest.Load(t, w.ELF(false))
	needTranslations(t, p)
	e := sameAsInterpreted(t, "an indirect jump after a branch", p, memory.Inputs{}, Options{})
	first := p.Texts[0].First
	if block := e.idle[0].Block(first + uint32(begin)); !slices.Contains(block, first+uint32(own)) {
		t.Errorf("the loop's block %d does not continue after the indirect jump, at %d", block, first+uint32(own))
	}
}

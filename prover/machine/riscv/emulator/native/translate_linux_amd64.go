package native

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// hot is how often a block is come to before it is translated: translating takes as long as interpreting it a few
// dozen times.
const hot = 16

// mostInstructions of a block.
const mostInstructions = 64

// block is a translation that is being made.
type block struct {
	assembler
	code  *Code
	first uint32  // index of its first instruction
	count uint32  // of its instructions
	exits []leave // in the middle
}

// leave is a jump to where a block is left, before an instruction.
type leave struct {
	hole int
	at   uint32
}

// translate emits the block that begins at an index; false where its first instruction cannot be translated.
func (c *Code) translate(first uint32) (*block, bool) {
	b := &block{code: c, first: first}
	used := uint64(0)
	for b.count < mostInstructions {
		index := first + b.count
		if !translated(&c.program.Code[index]) {
			break
		}
		used |= c.uses[index]
		b.count++
		if ends(c.program.Code[index].Op) {
			break
		}
	}
	if b.count == 0 {
		return nil, false
	}
	b.emit(wide, 0x83, 0xef, byte(b.count)) // sub rdi, count
	budget := b.jumpIf(below)
	b.emit32(8*int64(first), 0x49, 0xff, 0x84, 0x24) // inc [r12+8*first]
	b.emit32(0, 0x4c, 0x0b, 0x1d)                    // or r11, [rip+...]: the set, behind the block
	set := len(b.bytes) - 4
	for i := range b.count {
		b.instruction(first+i, &c.program.Code[first+i])
	}
	if last := first + b.count - 1; !ends(c.program.Code[last].Op) {
		b.jump(last + 1)
	}
	b.land(budget)
	b.leaveFor(first, int64(b.count), Budget)
	for _, e := range b.exits {
		b.land(e.hole)
		b.leaveFor(e.at, int64(b.count-(e.at-first)), first)
	}
	b.land(set)
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, used)
	return b, true
}

// leaveFor gives cycles back and returns to the caller, who goes on at an index.
func (b *block) leaveFor(index uint32, cycles int64, why uint32) {
	b.emit(wide, 0x83, 0xc7, byte(cycles)) // add rdi, cycles
	b.emit32(int64(index), 0xb8)           // mov eax, index
	b.emit32(int64(why), 0xba)             // mov edx, why
	b.jumpTo(b.code.leave - b.code.here())
}

// translated reports whether blocks have an instruction; the others are interpreted.
func translated(c *program.Code) bool {
	switch c.Op {
	case instruction.Illegal, instruction.ECALL, instruction.MULHSU:
		return false
	case instruction.Jump, instruction.Link:
		return c.Target != program.Outside
	}
	return !c.Op.Branch() || c.Target != program.Outside
}

// ends reports whether an instruction is its block's last.
func ends(op instruction.Op) bool {
	switch op {
	case instruction.Jump, instruction.Link, instruction.JALR, instruction.Indir:
		return true
	}
	return op.Branch()
}

// jump goes on at an index: at its translation, or through the table where it has none yet.
func (b *block) jump(index uint32) {
	switch entry := b.code.table[index]; {
	case index == b.first:
		b.jumpTo(0)
	case entry != b.code.missing:
		b.jumpTo(int64(entry) - int64(b.code.base) - b.code.here())
	default:
		b.emit32(int64(index), 0xb8)               // mov eax, index
		b.emit32(8*int64(index), 0x41, 0xff, 0xa1) // jmp [r9+8*index]
	}
}

// leaveIf leaves the block before an instruction.
func (b *block) leaveIf(condition byte, index uint32) {
	b.exits = append(b.exits, leave{b.jumpIf(condition), index})
}

func (b *block) instruction(index uint32, c *program.Code) {
	switch op := c.Op; {
	case op == instruction.Nop:
	case op == instruction.Const:
		b.constant(c.Imm, c.Rd)
	case op == instruction.Move:
		b.load(rax, c.Rs1)
		b.store(rax, c.Rd)
	case op == instruction.AddIn:
		b.at(x(c.Rd), add, wide, 0x81)
		b.emit32(c.Imm)
	case op.Load() || op.Store():
		b.access(index, c)
	case op.Branch():
		b.branch(index, c)
	case op == instruction.Link:
		b.constant(c.Imm, c.Rd)
		b.jump(c.Target)
	case op == instruction.Jump:
		b.jump(c.Target)
	case op == instruction.JALR || op == instruction.Indir:
		b.indirect(index, c)
	case divides(op):
		b.divide(index, c)
	default:
		b.compute(c)
	}
}

// conditions of branches.
var conditions = map[instruction.Op]byte{
	instruction.BEQ: equal, instruction.BNE: notEqual, instruction.BLT: less, instruction.BGE: greaterEqual,
	instruction.BLTU: below, instruction.BGEU: aboveOrEqual, instruction.IfZero: equal, instruction.IfOther: notEqual,
}

func (b *block) branch(index uint32, c *program.Code) {
	if c.Op == instruction.IfZero || c.Op == instruction.IfOther {
		b.at(x(c.Rs1), cmp, wide, 0x83)
		b.emit(0)
	} else {
		b.load(rax, c.Rs1)
		b.at(x(c.Rs2), rax, wide, 0x3b) // cmp
	}
	taken := b.jumpIf(conditions[c.Op])
	b.jump(index + 1)
	b.land(taken)
	b.jump(c.Target)
}

// indirect jumps to where the first text has code.
func (b *block) indirect(index uint32, c *program.Code) {
	t := b.code.program.Texts[0]
	b.load(rax, c.Rs1)
	b.emit32(c.Imm, wide, 0x8d, 0x88) // lea rcx, [rax+constant]
	b.emit(wide, 0x83, 0xe1, 0xfe)    // and rcx, -2
	b.emit32(int64(t.Address), 0xba)  // mov edx, the text's address
	b.emit(wide, 0x29, 0xd1)          // sub rcx, rdx
	b.emit(0xf6, 0xc1, 3)             // test cl, 3
	b.leaveIf(notEqual, index)
	b.emit(wide, 0xc1, 0xe9, 2) // shr rcx, 2
	b.constantTo(cmp, rcx, int64(t.Count))
	b.leaveIf(aboveOrEqual, index)
	b.emit32(int64(t.First), 0x8d, 0x81) // lea eax, [rcx+first]
	if c.Op == instruction.JALR {
		b.emit32(int64(c.Target), 0xb9) // mov ecx, link
		b.store(rcx, c.Rd)
	}
	b.emit(0x41, 0xff, 0x24, 0xc1) // jmp [r9+8*rax]
}

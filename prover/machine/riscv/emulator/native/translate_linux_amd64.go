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

// ahead is how far before it is written the log is asked for, in bytes. Nobody else would in time: stores wait for each other.
const ahead = 2048

// block is a translation that is being made.
type block struct {
	assembler
	code   *Code
	first  uint32 // index of its first instruction
	count  uint32 // of its instructions
	logged int32  // words that it has logged behind where rsi points
	body   int    // where its first instruction is
	tight  []int  // jumps from where too few cycles are left for all of it
	exits  []leave
	firsts []first // where words are touched for the first time
	steps  bool    // instructions are being emitted that end with the cycles
}

// leave is a jump to where a block is left, before an instruction.
type leave struct {
	hole   int
	at     uint32
	cycles int64 // that were taken, and have not passed
	logged int32
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
	b.enter()
	b.emit32(0, wide, 0x8b, 0x0d) // mov rcx, [rip+...]: the set, behind the block
	set := len(b.bytes) - 4
	b.of(wide, rcx, usedPlace, 0x09) // or
	b.body = len(b.bytes)
	for i := range b.count {
		b.instruction(first+i, &c.program.Code[first+i])
	}
	if last := first + b.count - 1; !ends(c.program.Code[last].Op) {
		b.bump()
		b.jump(last + 1)
	}
	b.stepThrough()
	for _, f := range b.firsts {
		b.touchFirst(f)
	}
	for _, e := range b.exits {
		b.land(e.hole)
		b.leaveFor(e)
	}
	b.land(set)
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, used)
	return b, true
}

// enter takes the block's cycles, and counts it.
func (b *block) enter() {
	b.constantTo(wide, sub, register(rdi), int64(b.count))
	b.tight = append(b.tight, b.jumpIf(below))
	b.countEntry()
}

func (b *block) countEntry() {
	b.emit32(countsAt+8*int64(b.first), wide, 0xff, 0x83) // inc [rbx+...]
}

// stepThrough emits the block once more, for where fewer cycles are left than it has instructions: it is left when they have
// passed, as for an instruction that is not its own.
func (b *block) stepThrough() {
	for _, hole := range b.tight {
		b.land(hole)
	}
	b.constantTo(wide, add, register(rdi), int64(b.count))
	b.countEntry()
	b.steps = true
	for i := range b.count - 1 {
		b.constantTo(wide, sub, register(rdi), 1)
		b.leaveIf(below, b.first+i)
		b.instruction(b.first+i, &b.code.program.Code[b.first+i])
	}
	b.leaveFor(leave{at: b.first + b.count - 1, logged: b.logged})
}

// leaveFor gives cycles back and returns to the caller, who goes on at an index.
func (b *block) leaveFor(e leave) {
	if e.cycles != 0 {
		b.constantTo(wide, add, register(rdi), e.cycles)
	}
	b.bumpBy(e.logged)
	b.constant(int64(e.at), register(rax))
	b.constant(int64(b.first), register(rdx))
	b.jumpTo(b.code.leave - b.code.here())
}

// bump has rsi point behind what was logged.
func (b *block) bump() {
	b.bumpBy(b.logged)
	b.logged = 0
}

func (b *block) bumpBy(words int32) {
	if words > 0 {
		b.constantTo(wide, add, register(rsi), 8*int64(words))
		b.emit32(ahead, 0x0f, 0x0d, 0x80|1<<3|rsi) // prefetchw [rsi+...]
	}
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
	case index == b.first: // whose registers are in the set already
		b.enter()
		b.jumpTo(int64(b.body))
	case entry != b.code.missing:
		b.jumpTo(int64(entry) - int64(b.code.base) - b.code.here())
	case b.code.linked != nil && b.code.linked[index]: // and comes later
		b.emit32(0, 0xe9)
		b.code.holes = append(b.code.holes, hole{b.code.used + len(b.bytes) - 4, index})
	default:
		b.constant(int64(index), register(rax))
		b.jumpByTable()
	}
}

// leaveIf leaves the block before an instruction.
func (b *block) leaveIf(condition byte, index uint32) {
	e := leave{hole: b.jumpIf(condition), at: index, cycles: int64(b.count - (index - b.first)), logged: b.logged}
	if b.steps {
		e.cycles = 1
	}
	b.exits = append(b.exits, e)
}

// source is a register of the processor with what a guest's holds: its own, or the one given, to which it is copied.
func (b *block) source(r uint8, spare byte) byte {
	o := b.code.registers[r]
	if !o.inState {
		return o.register
	}
	b.move(spare, o)
	return spare
}

// target is the register of the processor in which a guest's is computed: its own, or the one given, from where it has to be
// kept.
func (b *block) target(r uint8, spare byte) byte {
	if o := b.code.registers[r]; !o.inState {
		return o.register
	}
	return spare
}

func (b *block) instruction(index uint32, c *program.Code) {
	rd := b.code.registers[c.Rd]
	switch op := c.Op; {
	case op == instruction.Nop:
	case op == instruction.Const:
		b.constant(c.Imm, rd)
	case op == instruction.Move:
		to := b.target(c.Rd, rax)
		b.move(to, b.code.registers[c.Rs1])
		b.keep(to, rd)
	case op == instruction.AddIn:
		b.constantTo(wide, add, rd, c.Imm)
	case op.Load() || op.Store():
		b.access(index, c)
	case op.Branch():
		b.bump()
		b.branch(index, c)
	case op == instruction.Link:
		b.bump()
		b.constant(c.Imm, rd)
		b.jump(c.Target)
	case op == instruction.Jump:
		b.bump()
		b.jump(c.Target)
	case op == instruction.JALR || op == instruction.Indir:
		b.bump()
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
		b.constantTo(wide, compareTo, b.code.registers[c.Rs1], 0)
	} else {
		b.of(wide, b.source(c.Rs1, rax), b.code.registers[c.Rs2], 0x3b) // cmp
	}
	taken := b.jumpIf(conditions[c.Op])
	b.jump(index + 1)
	b.land(taken)
	b.jump(c.Target)
}

// indirect jumps to where the first text has code.
func (b *block) indirect(index uint32, c *program.Code) {
	t := b.code.program.Texts[0]
	b.address(wide, rcx, b.source(c.Rs1, rax), c.Imm)
	b.constantTo(wide, and, register(rcx), -2)
	b.constant(int64(t.Address), register(rdx))
	b.of(wide, rdx, register(rcx), 0x29) // sub rcx, rdx
	b.emit(0xf6, 0xc1, 3)                // test cl, 3
	b.leaveIf(notEqual, index)
	b.emit(wide, 0xc1, 0xe9, 2) // shr rcx, 2
	b.constantTo(wide, compareTo, register(rcx), int64(t.Count))
	b.leaveIf(aboveOrEqual, index)
	b.emit32(int64(t.First), 0x8d, 0x81) // lea eax, [rcx+first]
	if c.Op == instruction.JALR {
		b.constant(int64(c.Target), b.code.registers[c.Rd])
	}
	b.jumpByTable()
}

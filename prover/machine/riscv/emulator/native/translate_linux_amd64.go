package native

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// hot is how often a block is come to before it is translated: translating takes as long as interpreting it a few
// dozen times.
const hot = 16

// ahead is how far before it is written the log is asked for, in bytes. Nobody else would in time: stores wait for each other.
const ahead = 2048

// block is a translation that is being made.
type block struct {
	assembler
	code   *Code
	codes  []uint32 // its instructions
	file   *file
	logged int32 // words that it has logged behind where rsi points
	body   int   // where its first instruction is
	tight  []int // jumps from where too few cycles are left for all of it
	exits  []leave
	firsts []first // where words are touched for the first time
	steps  bool    // instructions are being emitted that end with the cycles
	leads  bool    // rdx has the index of the next block
}

// leave is a jump to where a block is left, before one of its instructions.
type leave struct {
	hole   int
	passed int    // instructions before it
	moves  []move // that give the guest's registers what they have there
	cycles int64  // that were taken, and have not passed
	logged int32
}

// translate emits the block that begins at an index; false where its first instruction cannot be translated.
func (c *Code) translate(first uint32) (*block, bool) {
	b := &block{code: c, codes: c.follow(first)}
	if len(b.codes) == 0 {
		return nil, false
	}
	b.enter()
	b.emit32(0, 0xc5, 0xf9, 0xeb, 0x05) // vpor xmm0, xmm0, [rip+...]: the set, behind the block
	set := len(b.bytes) - 4
	b.body = len(b.bytes)
	b.run(0, len(b.codes))
	b.stepThrough()
	for _, f := range b.firsts {
		b.touchFirst(f)
	}
	for _, e := range b.exits {
		b.land(e.hole)
		b.leaveFor(e)
	}
	b.land(set)
	used := uint64(0)
	for _, code := range b.codes {
		used |= c.uses[code]
	}
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, used)
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, 0)
	return b, true
}

// follow are the instructions from an index on, up to the first that may go to several places, or to one of them.
func (c *Code) follow(index uint32) (codes []uint32) {
	for len(codes) < mostInstructions && translated(&c.program.Code[index]) && !slices.Contains(codes, index) {
		codes = append(codes, index)
		switch code := &c.program.Code[index]; {
		case code.Op == instruction.Jump || code.Op == instruction.Link:
			index = code.Target
		case ends(code.Op):
			return codes
		default:
			index++
		}
	}
	return codes
}

// run emits some of the block's instructions, as one.
func (b *block) run(from, to int) {
	g := newGraph(b.code.registers)
	for i := from; i < to; i++ {
		g.instruction(i, &b.code.program.Code[b.codes[i]])
	}
	g.needs()
	b.file = newFile(g)
	for i := guestRegisters; i < len(g.values); i++ {
		v := &g.values[i]
		if !v.needed || v.kind == constant {
			continue
		}
		if v.kind == branched || v.kind == led {
			b.bump()
		}
		b.value(i, v)
	}
	b.file.at = len(g.values)
	list := b.file.moves(g.state())
	index := b.codes[to-1]
	c := &b.code.program.Code[index]
	if b.steps {
		b.settle(list)
		return
	}
	switch {
	case c.Op.Branch():
		b.settle(list)
		taken := b.jumpIf(conditions[c.Op])
		b.jump(index + 1)
		b.land(taken)
		b.jump(c.Target)
	case c.Op == instruction.JALR || c.Op == instruction.Indir:
		b.leads = true
		b.settle(list)
		b.leads = false
		b.of(narrow, rax, register(rdx), 0x8b)
		b.jumpByTable()
	case c.Op == instruction.Jump || c.Op == instruction.Link:
		b.bump()
		b.settle(list)
		b.jump(c.Target)
	default:
		b.bump()
		b.settle(list)
		b.jump(index + 1)
	}
}

// enter takes the block's cycles, and counts it.
func (b *block) enter() {
	b.constantTo(wide, sub, register(rdi), int64(len(b.codes)))
	b.tight = append(b.tight, b.jumpIf(below))
	b.countEntry()
}

func (b *block) countEntry() {
	b.emit32(countsAt+8*int64(b.codes[0]), wide, 0xff, 0x83) // inc [rbx+...]
}

// stepThrough emits the block once more, for where fewer cycles are left than it has instructions: it is left when they have
// passed, as for an instruction that is not its own.
func (b *block) stepThrough() {
	for _, hole := range b.tight {
		b.land(hole)
	}
	b.constantTo(wide, add, register(rdi), int64(len(b.codes)))
	b.countEntry()
	b.steps = true
	last := len(b.codes) - 1
	for i := range last {
		b.constantTo(wide, sub, register(rdi), 1)
		b.exits = append(b.exits, leave{hole: b.jumpIf(below), passed: i, cycles: 1, logged: b.logged})
		b.run(i, i+1)
	}
	b.leaveFor(leave{passed: last, logged: b.logged})
}

// leaveFor gives cycles back and returns to the caller, who goes on at an instruction.
func (b *block) leaveFor(e leave) {
	b.settle(e.moves)
	if e.cycles != 0 {
		b.constantTo(wide, add, register(rdi), e.cycles)
	}
	b.bumpBy(e.logged)
	b.constant(int64(b.codes[e.passed]), register(rax))
	b.constant(int64(b.codes[0]), register(rdx))
	b.constant(int64(e.passed), register(rcx))
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
	case index == b.codes[0]: // whose registers are in the set already
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

// leaveIf leaves the block before the instruction of a value.
func (b *block) leaveIf(condition byte, v *value) {
	e := leave{hole: b.jumpIf(condition), passed: v.code, cycles: int64(len(b.codes) - v.code), logged: b.logged}
	if b.steps {
		e.cycles = 1
	}
	e.moves = b.file.moves(v.state)
	b.exits = append(b.exits, e)
}

// conditions of branches, and of comparisons.
var conditions = map[instruction.Op]byte{
	instruction.BEQ: equal, instruction.BNE: notEqual, instruction.BLT: less, instruction.BGE: greaterEqual,
	instruction.BLTU: below, instruction.BGEU: aboveOrEqual, instruction.IfZero: equal, instruction.IfOther: notEqual,
	instruction.SLT: less, instruction.SLTU: below,
}

// lead has rdx be the index of where a jump leads, in the first text's code.
func (b *block) lead(v *value) {
	t := b.code.program.Texts[0]
	b.file.lock(rdx)
	b.evict(rdx)
	b.address(wide, rdx, b.hold(v.a), v.constant)
	b.constantTo(wide, and, register(rdx), -2)
	b.constant(int64(t.Address), register(rax))
	b.of(wide, rax, register(rdx), 0x29) // sub rdx, rax
	b.emit(0xf6, 0xc2, 3)                // test dl, 3
	b.leaveIf(notEqual, v)
	b.emit(wide, 0xc1, 0xea, 2) // shr rdx, 2
	b.constantTo(wide, compareTo, register(rdx), int64(t.Count))
	b.leaveIf(aboveOrEqual, v)
	b.emit32(int64(t.First), 0x8d, 0x92) // lea edx, [rdx+first]
}

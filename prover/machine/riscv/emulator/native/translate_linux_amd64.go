package native

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// hot is how often a block is come to before it is translated: translating takes as long as interpreting it a few
// dozen times.
const hot = 16

// ahead is how far before it is written the log is asked for, in bytes. Nobody else would in time: stores wait for
// each other.
const ahead = 2048

// block is a translation that is being made.
type block struct {
	assembler
	route
	code   *Code
	file   *file
	logged int32  // words that it has logged behind where rsi points
	body   int    // where its first instruction is
	noted  uint64 // registers that are in the set of those that were accessed
	sets   []set
	tight  []int // jumps from where too few cycles are left for all of it
	exits  []leave
	firsts []first // where words are touched for the first time
	steps  bool    // instructions are being emitted that end with the cycles
}

// set is one of registers that are noted, and the distance of the instruction that does from it.
type set struct {
	hole      int
	registers uint64
}

// leave is a jump to where a block is left, behind some of its instructions.
type leave struct {
	hole   int
	passed int    // instructions
	moves  []move // that give the guest's registers what they have there
	cycles int64  // that were taken, and have not passed
	logged int32
	side   bool   // or to the caller
	target uint32 // of a side
	noted  uint64 // registers to note there
}

// translate emits the block that begins at an index; false where its first instruction cannot be translated.
func (c *Code) translate(first uint32) (*block, bool) {
	b := &block{code: c, route: c.follow(first)}
	if len(b.codes) == 0 {
		return nil, false
	}
	b.enter()
	b.note(b.part(0))
	b.body = len(b.bytes)
	b.run(0, len(b.codes))
	b.stepThrough()
	for _, f := range b.firsts {
		b.touchFirst(f)
	}
	for _, e := range b.exits {
		b.land(e.hole)
		if e.side {
			b.leaveAside(e)
		} else {
			b.leaveFor(e)
		}
	}
	for _, s := range b.sets {
		b.land(s.hole)
		b.bytes = binary.LittleEndian.AppendUint64(b.bytes, s.registers)
	}
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, 0) // 16 bytes are read of each set
	return b, true
}

// note adds registers to those that were accessed.
func (b *block) note(registers uint64) {
	if b.code.bare {
		return
	}
	b.emit32(0, 0xc5, 0xf9, 0xeb, 0x05) // vpor xmm0, xmm0, [rip+...]
	b.sets = append(b.sets, set{len(b.bytes) - 4, registers})
	b.noted |= registers
}

// part are the registers that are accessed from an instruction on up to where the block may be left on a side.
func (b *block) part(from int) (registers uint64) {
	for i := from; i < len(b.codes) && (i == from || b.ways[i] != guards); i++ {
		registers |= b.code.uses[b.codes[i]]
		if b.ways[i] == turns {
			break
		}
	}
	return registers
}

// before are the registers that the first instructions access.
func (b *block) before(passed int) (registers uint64) {
	for _, code := range b.codes[:passed] {
		registers |= b.code.uses[code]
	}
	return registers
}

// run emits some of the block's instructions, as one.
func (b *block) run(from, to int) {
	g := newGraph(b.code.registers, b.code.room)
	g.program, g.bare = b.code.program, b.code.bare
	defer func() { b.code.room = g.values }()
	for i := from; i < to; i++ {
		g.instruction(i, &b.code.program.Code[b.codes[i]], b.ways[i])
	}
	g.needs()
	b.file = newFile(g)
	for i := guestRegisters; i < len(g.values); i++ {
		if v := &g.values[i]; v.needed && v.kind != constant {
			if b.ways[v.code] == ends && (v.kind == branched || v.kind == led) {
				b.bump()
			}
			b.value(i, v)
		}
	}
	b.file.at = len(g.values)
	list := b.file.moves(g.state())
	if b.steps {
		b.settle(list)
	} else {
		b.finish(list)
	}
}

// finish goes on behind the block, when values are where they should be.
func (b *block) finish(list []move) {
	index := b.codes[len(b.codes)-1]
	c := &b.code.program.Code[index]
	leads := c.Op == instruction.JALR || c.Op == instruction.Indir
	if leads && !b.file.graph.known {
		b.settle(list)
		b.of(narrow, rax, register(rdx), 0x8b)
		b.jumpByTable()
		return
	}
	b.bump()
	b.settle(list)
	switch {
	case leads:
		b.jump(b.file.graph.target)
	case c.Op.Branch():
		taken := b.jumpIf(conditions[c.Op])
		b.jump(index + 1)
		b.land(taken)
		b.jump(c.Target)
	case c.Op == instruction.Jump || c.Op == instruction.Link:
		b.jump(c.Target)
	default:
		b.jump(index + 1)
	}
}

// enter takes the block's cycles, and counts it.
func (b *block) enter() {
	b.constantTo(wide, sub, register(rdi), int64(len(b.codes)))
	b.tight = append(b.tight, b.jumpIf(below))
	b.countEntry()
}

func (b *block) countEntry() { b.count(int(b.codes[0])) }

// count adds one to a count.
func (b *block) count(number int) {
	if !b.code.bare {
		b.emit32(countsAt+8*int64(number), wide, 0xff, 0x83) // inc [rbx+...]
	}
}

// stepThrough emits the block once more, for where fewer cycles are left than it has instructions: it is left when
// they have passed, as for an instruction that is not its own.
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
		b.exits = append(b.exits, leave{hole: b.jumpIf(below), passed: i, cycles: 1, logged: b.logged, noted: b.before(i)})
		b.run(i, i+1)
	}
	b.leaveFor(leave{passed: last, logged: b.logged, noted: b.before(last)})
}

// leaveFor gives cycles back and returns to the caller, who goes on at an instruction.
func (b *block) leaveFor(e leave) {
	b.giveBack(e)
	b.constant(int64(b.codes[e.passed]), register(rax))
	b.constant(Left, register(rdx))
	b.jumpTo(b.code.leave - b.code.here())
}

// leaveAside gives cycles back and goes on elsewhere.
func (b *block) leaveAside(e leave) {
	b.giveBack(e)
	if e.target == b.codes[0] {
		b.jumpTo(0)
	} else {
		b.jump(e.target)
	}
}

// giveBack gives cycles back, and counts behind how many instructions the block is left.
func (b *block) giveBack(e leave) {
	b.settle(e.moves)
	if e.cycles != 0 {
		b.constantTo(wide, add, register(rdi), e.cycles)
	}
	if e.noted != 0 {
		b.note(e.noted)
	}
	b.count(b.code.counts + e.passed)
	b.bumpBy(e.logged)
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
	b.exits = append(b.exits, b.out(condition, v, v.code))
}

// out jumps to where the block is left with the state of a value, behind as many instructions as are said.
func (b *block) out(condition byte, v *value, passed int) leave {
	e := leave{hole: b.jumpIf(condition), passed: passed, cycles: int64(len(b.codes) - passed), logged: b.logged}
	if b.steps {
		e.cycles, e.noted = int64(v.code+1-passed), b.before(passed)
	}
	e.moves = b.file.moves(v.state)
	return e
}

// leaveAsideIf leaves the block on a side.
func (b *block) leaveAsideIf(condition byte, v *value, passed int, target uint32) {
	e := b.out(condition, v, passed)
	e.side, e.target = true, target
	if next := b.part(passed) &^ b.noted; !b.steps && next != 0 && (passed == v.code || b.ways[passed] != guards) {
		b.note(next)
	}
	b.exits = append(b.exits, e)
}

// branch sets the flags by which the block goes on behind it, or leaves it where that is not the next of its
// instructions.
func (b *block) branch(v *value) {
	b.compare(v)
	if b.ways[v.code] == ends {
		return
	}
	index := b.codes[v.code]
	c := &b.code.program.Code[index]
	if next := b.codes[v.code+1]; next == index+1 {
		b.leaveAsideIf(conditions[v.op], v, v.code+1, c.Target)
	} else {
		b.leaveAsideIf(conditions[v.op]^1, v, v.code+1, index+1)
	}
}

// guard leaves the block before an indirect jump that does not lead to the next of its instructions. A block that
// begins with that jump goes on.
func (b *block) guard(v *value) {
	address, _ := b.code.program.Address(b.codes[v.code+1])
	target := b.read(v.a)
	if v.constant != 0 {
		b.address(wide, rax, b.hold(v.a), v.constant)
		target = register(rax)
	}
	b.constantTo(wide, compareTo, target, int64(address))
	b.leaveAsideIf(notEqual, v, v.code, b.codes[v.code])
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

package native

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// hot is the number of times that a block is reached before it is translated. Translating a block takes as long as
// interpreting it a few dozen times.
const hot = 16

// ahead is how far in advance of the writes the log is prefetched, in bytes. The processor would not prefetch it in
// time, and stores wait for each other.
const ahead = 2048

// block is a translation under construction.
type block struct {
	assembler
	route
	code   *Code
	file   *file
	logged int32  // number of words logged beyond rsi
	body   int    // offset of its first instruction
	noted  uint64 // registers already added to the set of accessed registers
	sets   []set
	tight  []int // jumps taken if too few cycles are left for the whole block
	exits  []leave
	firsts []first // jumps for first accesses to words
	steps  bool    // whether the step-by-step instructions are being emitted
}

// set is a set of accessed registers, and the position of the distance to it in the instruction that adds it.
type set struct {
	hole      int
	registers uint64
}

// leave is a jump that leaves the block after some of its instructions.
type leave struct {
	hole   int
	passed int    // number of instructions executed
	moves  []move // moves that restore the guest's registers
	cycles int64  // cycles that were subtracted but not executed
	logged int32
	side   bool   // whether the exit leads to other code rather than to the caller
	target uint32 // of a side exit
	noted  uint64 // registers to add to the set of accessed registers
}

// translate emits the block that starts at an index. It returns false if its first instruction cannot be translated.
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
		b.patch(e.hole)
		if e.side {
			b.leaveAside(e)
		} else {
			b.leaveFor(e)
		}
	}
	for _, s := range b.sets {
		b.patch(s.hole)
		b.bytes = binary.LittleEndian.AppendUint64(b.bytes, s.registers)
	}
	b.bytes = binary.LittleEndian.AppendUint64(b.bytes, 0) // 16 bytes are read of each set
	return b, true
}

// note adds registers to the set of accessed registers.
func (b *block) note(registers uint64) {
	if b.code.bare {
		return
	}
	b.emit32(0, 0xc5, 0xf9, 0xeb, 0x05) // vpor xmm0, xmm0, [rip+...]
	b.sets = append(b.sets, set{len(b.bytes) - 4, registers})
	b.noted |= registers
}

// part returns the registers that are accessed from an instruction on up to the next side exit.
func (b *block) part(from int) (registers uint64) {
	for i := from; i < len(b.codes) && (i == from || b.ways[i] != guards); i++ {
		registers |= b.code.uses[b.codes[i]]
		if b.ways[i] == turns {
			break
		}
	}
	return registers
}

// before returns the registers that the first passed instructions access.
func (b *block) before(passed int) (registers uint64) {
	for _, code := range b.codes[:passed] {
		registers |= b.code.uses[code]
	}
	return registers
}

// run emits a range of the block's instructions from a single graph.
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

// finish emits the end of the block: it moves values to their homes and jumps to the next block.
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
		b.patch(taken)
		b.jump(c.Target)
	case c.Op == instruction.Jump || c.Op == instruction.Link:
		b.jump(c.Target)
	default:
		b.jump(index + 1)
	}
}

// enter subtracts the block's cycles and counts the entry.
func (b *block) enter() {
	b.constantTo(wide, sub, register(rdi), int64(len(b.codes)))
	b.tight = append(b.tight, b.jumpIf(below))
	b.countEntry()
}

func (b *block) countEntry() { b.count(int(b.codes[0])) }

// count increments a count.
func (b *block) count(number int) {
	if !b.code.bare {
		b.emit32(countsAt+8*int64(number), wide, 0xff, 0x83) // inc [rbx+...]
	}
}

// stepThrough emits the block again, for the case that fewer cycles are left than it has instructions. The block is
// left when no cycles are left, as it is before an instruction that it does not handle.
func (b *block) stepThrough() {
	for _, hole := range b.tight {
		b.patch(hole)
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

// leaveFor returns to the caller, which resumes at the next instruction.
func (b *block) leaveFor(e leave) {
	b.giveBack(e)
	b.constant(int64(b.codes[e.passed]), register(rax))
	b.constant(Left, register(rdx))
	b.jumpTo(b.code.leave - b.code.here())
}

// leaveAside jumps to the target of a side exit.
func (b *block) leaveAside(e leave) {
	b.giveBack(e)
	if e.target == b.codes[0] {
		b.jumpTo(0)
	} else {
		b.jump(e.target)
	}
}

// giveBack restores the guest's registers and unused cycles, and counts the exit.
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

// bump advances rsi past the logged words.
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

// jump emits a jump to an index: directly to its translation, or through the table if there is none yet.
func (b *block) jump(index uint32) {
	switch entry := b.code.table[index]; {
	case index == b.codes[0]: // its registers are in the set already
		b.enter()
		b.jumpTo(int64(b.body))
	case entry != b.code.missing:
		b.jumpTo(int64(entry) - int64(b.code.base) - b.code.here())
	case b.code.linked != nil && b.code.linked[index]: // translated later
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

// out emits a jump that leaves the block with the state of a value, after passed instructions.
func (b *block) out(condition byte, v *value, passed int) leave {
	e := leave{hole: b.jumpIf(condition), passed: passed, cycles: int64(len(b.codes) - passed), logged: b.logged}
	if b.steps {
		e.cycles, e.noted = int64(v.code+1-passed), b.before(passed)
	}
	e.moves = b.file.moves(v.state)
	return e
}

// leaveAsideIf leaves the block through a side exit.
func (b *block) leaveAsideIf(condition byte, v *value, passed int, target uint32) {
	e := b.out(condition, v, passed)
	e.side, e.target = true, target
	if next := b.part(passed) &^ b.noted; !b.steps && next != 0 && (passed == v.code || b.ways[passed] != guards) {
		b.note(next)
	}
	b.exits = append(b.exits, e)
}

// branch sets the flags for the end of the block, or leaves the block if the branch does not lead to the block's next
// instruction.
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

// guard leaves the block before an indirect jump that does not lead to the block's next instruction. The block that
// starts with that jump continues.
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

// conditions maps branches and comparisons to condition codes.
var conditions = map[instruction.Op]byte{
	instruction.BEQ: equal, instruction.BNE: notEqual, instruction.BLT: less, instruction.BGE: greaterEqual,
	instruction.BLTU: below, instruction.BGEU: aboveOrEqual, instruction.IfZero: equal, instruction.IfOther: notEqual,
	instruction.SLT: less, instruction.SLTU: below,
}

// lead sets rdx to the index of the target of a jump, within the code of the first text.
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

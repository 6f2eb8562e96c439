package native

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// twoOperands holds the opcodes of operations on a register and an operand.
var twoOperands = map[instruction.Op][]byte{
	instruction.ADD: {0x03}, instruction.SUB: {0x2b}, instruction.AND: {0x23}, instruction.OR: {0x0b},
	instruction.XOR: {0x33}, instruction.MUL: {0x0f, 0xaf},
	instruction.ADDW: {0x03}, instruction.SUBW: {0x2b}, instruction.MULW: {0x0f, 0xaf},
}

// withConstant holds the opcode extensions of operations on a register and a constant.
var withConstant = map[instruction.Op]byte{
	instruction.ADD: add, instruction.ADDW: add, instruction.SUB: sub, instruction.SUBW: sub,
	instruction.AND: and, instruction.OR: or, instruction.XOR: xor,
}

// shifts holds the opcode extensions of shifts by constants and the prefixes of shifts by registers.
var shifts = map[instruction.Op]struct{ kind, prefix byte }{
	instruction.SLL: {shl, prefix66}, instruction.SRL: {shr, prefixF2}, instruction.SRA: {sar, prefixF3},
	instruction.SLLW: {shl, prefix66}, instruction.SRLW: {shr, prefixF2}, instruction.SRAW: {sar, prefixF3},
}

// widthOf returns the width of an operation. A narrow result is sign-extended.
func widthOf(op instruction.Op) byte {
	switch op {
	case instruction.ADDW, instruction.SUBW, instruction.MULW, instruction.SLLW, instruction.SRLW, instruction.SRAW,
		instruction.DIVW, instruction.DIVUW, instruction.REMW, instruction.REMUW:
		return narrow
	}
	return wide
}

// value emits the code of a value or an action.
func (b *block) value(number int, v *value) {
	f := b.file
	f.at, f.locked = number, 0
	switch v.kind {
	case loaded, stored:
		b.access(number, v)
	case branched:
		b.branch(v)
	case guarded:
		b.guard(v)
	case led:
		b.lead(v)
	case rotated, turned, cleared:
		b.rotate(number, v)
	case scaled:
		b.scale(number, v)
	default:
		b.compute(number, v)
	}
	f.drop(v.a, v.b)
	for _, r := range v.state {
		f.drop(r.value)
	}
	f.drop(number)
}

// compute emits an operation on two values.
func (b *block) compute(number int, v *value) {
	_, shift := shifts[v.op]
	switch op := v.op; {
	case op == instruction.SLT || op == instruction.SLTU:
		b.compare(v)
		b.emit(0x0f, 0x90|conditions[op], 0xc0)          // set al
		b.emitTo(b.result(number, v.a, v.b), 0x0f, 0xb6) // movzx
	case op == instruction.MULHU || op == instruction.MULH:
		b.multiply(number, v)
	case divides(op):
		b.divide(number, v)
	case shift:
		b.shift(number, v)
	default:
		b.combine(number, v)
	}
}

// emitTo emits an operation from eax to a register.
func (b *block) emitTo(to byte, opcode ...byte) { b.of(narrow, to, register(rax), opcode...) }

// combine emits an operation that the processor supports on a register and an operand or a constant.
func (b *block) combine(number int, v *value) {
	width := widthOf(v.op)
	if c, ok := b.file.graph.constantOf(v.b); ok && c == int64(int32(c)) {
		b.combineConstant(number, v, c)
		return
	}
	second, first := b.read(v.b), b.read(v.a)
	to := b.result(number, v.a, v.b)
	operation := twoOperands[v.op]
	switch {
	case second == register(to) && (first == second || commutes(v.op)):
		b.of(width, to, first, operation...)
	case second == register(to): // and is read when the first is there
		b.move(rax, first)
		b.of(width, rax, second, operation...)
		b.move(to, register(rax))
	case first != register(to) && !first.inState && !second.inState && operation[0] == 0x03:
		b.sum(width, to, first.register, second.register, 0)
	default:
		b.move(to, first)
		b.of(width, to, second, operation...)
	}
	b.extendIf(width == narrow && v.full, to)
}

// combineConstant emits an operation on a register and a 32-bit constant.
func (b *block) combineConstant(number int, v *value, c int64) {
	width := widthOf(v.op)
	from := b.read(v.a)
	to := b.result(number, v.a)
	extends := width == narrow && v.full
	switch operation := withConstant[v.op]; {
	case v.op == instruction.MUL || v.op == instruction.MULW:
		b.of(width, to, from, 0x69)
		b.emit32(c)
	case c == 0 && extends: // only the sign extension remains
		b.of(wide, to, from, 0x63)
		return
	case operation == add && !from.inState && from != register(to):
		b.address(width, to, from.register, c)
	default:
		b.move(to, from)
		b.constantTo(width, operation, register(to), c)
	}
	b.extendIf(extends, to)
}

func (b *block) extendIf(extends bool, to byte) {
	if extends {
		b.extend(to)
	}
}

// shift emits a shift by a constant or a value. The processor uses as many bits of the distance as the guest.
func (b *block) shift(number int, v *value) {
	s, width := shifts[v.op], widthOf(v.op)
	if c, ok := b.file.graph.constantOf(v.b); ok {
		from := b.read(v.a)
		to := b.result(number, v.a)
		b.move(to, from)
		b.of(width, s.kind, register(to), 0xc1)
		b.emit(byte(c) & 63)
		b.extendIf(width == narrow && v.full, to)
		return
	}
	by := b.hold(v.b)
	from := b.read(v.a)
	to := b.result(number, v.a, v.b)
	b.vector(2, s.prefix, width, to, by, from, 0xf7) // shlx, shrx, sarx
	b.extendIf(width == narrow && v.full, to)
}

// rotate emits a rotation by a constant, or clears the upper half.
func (b *block) rotate(number int, v *value) {
	from := b.read(v.a)
	to := b.result(number, v.a)
	switch v.kind {
	case cleared:
		b.of(narrow, to, from, 0x8b)
	case turned:
		b.vector(3, prefixF2, wide, to, 0, from, 0xf0) // rorx
		b.emit(byte(64 - v.constant))
	default:
		b.vector(3, prefixF2, narrow, to, 0, from, 0xf0)
		b.emit(byte(32 - v.constant))
		b.extendIf(v.full, to)
	}
}

// scale emits the sum of a value and a multiple of another.
func (b *block) scale(number int, v *value) {
	multiple, other := b.hold(v.b), b.hold(v.a)
	b.sum(wide, b.result(number, v.a, v.b), other, multiple, byte(v.constant))
}

// compare emits a comparison that sets the processor's flags.
func (b *block) compare(v *value) {
	if c, ok := b.file.graph.constantOf(v.b); ok && c == int64(int32(c)) {
		if a := b.read(v.a); c == 0 && !a.inState {
			b.of(wide, a.register, a, 0x85) // test
		} else {
			b.constantTo(wide, compareTo, a, c)
		}
		return
	}
	a := b.hold(v.a)
	b.of(wide, a, b.read(v.b), 0x3b) // cmp
}

// multiply emits a multiplication whose upper half is the result, in rdx.
func (b *block) multiply(number int, v *value) {
	f := b.file
	b.evict(rdx)
	f.lock(rdx)
	second := b.read(v.b)
	if v.a == v.b {
		b.move(rax, second)
	} else if c, ok := f.graph.constantOf(v.a); ok {
		b.constant(c, register(rax))
	} else {
		b.move(rax, f.operand(v.a))
	}
	completed := byte(4) // mul; imul is 5
	if v.op == instruction.MULH {
		completed = 5
	}
	b.of(wide, completed, second, 0xf7)
	f.take(number, rdx)
}

// divides reports whether an operation divides.
func divides(op instruction.Op) bool {
	return instruction.DIV <= op && op <= instruction.REMU || instruction.DIVW <= op && op <= instruction.REMUW
}

// divide emits a division. It leaves the block where the processor differs from the guest: it traps for the divisor 0,
// and in signed divisions may trap for the divisor -1.
func (b *block) divide(number int, v *value) {
	f, op, width := b.file, v.op, widthOf(v.op)
	signed := op == instruction.DIV || op == instruction.REM || op == instruction.DIVW || op == instruction.REMW
	remainder := op == instruction.REM || op == instruction.REMU || op == instruction.REMW || op == instruction.REMUW
	b.evict(rdx)
	f.lock(rdx)
	by := b.hold(v.b)
	b.of(width, by, register(by), 0x85) // test
	b.leaveIf(equal, v)
	if signed {
		b.constantTo(width, compareTo, register(by), -1)
		b.leaveIf(equal, v)
	}
	if c, ok := f.graph.constantOf(v.a); ok {
		b.constant(c, register(rax))
	} else {
		b.move(rax, f.operand(v.a))
	}
	completed := byte(6) // div
	if signed {
		b.prefixed(width, 0, 0, 0, 0x99) // sign-extend into rdx
		completed = 7                    // idiv
	} else {
		b.emit(0x31, 0xd2) // xor edx, edx
	}
	b.of(width, completed, register(by), 0xf7)
	if !remainder {
		b.move(rdx, register(rax))
	}
	b.extendIf(width == narrow && v.full, rdx)
	f.take(number, rdx)
}

package native

import "encoding/binary"

// Registers of the processor, numbered as in instruction encodings.
const (
	rax = 0
	rcx = 1
	rdx = 2
	rbx = 3
	rsi = 6
	rdi = 7
	r12 = 12
)

// used is the 128-bit register that holds the set of guest registers that were accessed.
const used = 0

// stateBase is the offset of rbx from the start of the state. It puts the most used registers within reach of a signed
// byte.
const stateBase = 128

// An operand is a register of the processor, or eight bytes of the state.
type operand struct {
	register byte
	inState  bool
	offset   int // from the start of the state
}

func register(number byte) operand { return operand{register: number} }

func place(offset uintptr) operand { return operand{inState: true, offset: int(offset)} }

// assembler appends machine code.
type assembler struct {
	bytes []byte
}

func (a *assembler) emit(bytes ...byte) { a.bytes = append(a.bytes, bytes...) }

func (a *assembler) emit32(v int64, bytes ...byte) {
	a.bytes = binary.LittleEndian.AppendUint32(append(a.bytes, bytes...), uint32(v))
}

// wide is the prefix of 64-bit operations. Operations with narrow have 32 bits, and clear the upper half of a register.
const (
	narrow = 0x00
	wide   = 0x48
)

// prefixed emits an opcode, with the prefix that a width and registers from r8 on require, if any. field is the
// register of the second operand or an opcode extension. base and index are the registers of the first operand.
func (a *assembler) prefixed(width, field, index, base byte, opcode ...byte) {
	if rex := width&8 | field>>3<<2 | index>>3<<1 | base>>3; rex != 0 {
		a.emit(0x40 | rex)
	}
	a.emit(opcode...)
}

// of emits an operation on an operand. field is the register of the other operand or an opcode extension.
func (a *assembler) of(width, field byte, o operand, opcode ...byte) {
	base := byte(rbx)
	if !o.inState {
		base = o.register
	}
	a.prefixed(width, field, 0, base, opcode...)
	a.completed(field, o)
}

// completed emits the encoding of an operand and field.
func (a *assembler) completed(field byte, o operand) {
	if !o.inState {
		a.emit(0xc0 | field&7<<3 | o.register&7)
		return
	}
	if d := o.offset - stateBase; d >= -128 && d < 128 {
		a.emit(0x43|field&7<<3, byte(d))
	} else {
		a.emit32(int64(d), 0x83|field&7<<3)
	}
}

// move copies an operand to a register.
func (a *assembler) move(to byte, from operand) {
	if from != register(to) {
		a.of(wide, to, from, 0x8b)
	}
}

// keep copies a register to an operand.
func (a *assembler) keep(from byte, to operand) {
	if to != register(from) {
		a.of(wide, from, to, 0x89)
	}
}

// constant sets an operand to a constant. It clobbers rax if the constant needs more than 32 bits and the operand is
// not a register.
func (a *assembler) constant(v int64, o operand) {
	switch {
	case v == 0 && !o.inState:
		a.of(narrow, o.register, o, 0x31) // xor
	default:
		a.constantKeepingFlags(v, o)
	}
}

// constantKeepingFlags is like constant, but does not change flags.
func (a *assembler) constantKeepingFlags(v int64, o operand) {
	switch {
	case v == int64(uint32(v)) && !o.inState:
		a.prefixed(narrow, 0, 0, o.register, 0xb8|o.register&7)
		a.emit32(v)
	case v == int64(int32(v)):
		a.of(wide, 0, o, 0xc7)
		a.emit32(v)
	default:
		to := byte(rax)
		if !o.inState {
			to = o.register
		}
		a.prefixed(wide, 0, 0, to, 0xb8|to&7)
		a.bytes = binary.LittleEndian.AppendUint64(a.bytes, uint64(v))
		a.keep(to, o)
	}
}

// Opcode extensions of operations with a constant, and of shifts.
const (
	add       = 0
	or        = 1
	and       = 4
	sub       = 5
	xor       = 6
	compareTo = 7

	shl = 4
	shr = 5
	sar = 7
)

// constantTo emits an operation on an operand and a constant.
func (a *assembler) constantTo(width, op byte, o operand, v int64) {
	if v == int64(int8(v)) {
		a.of(width, op, o, 0x83)
		a.emit(byte(v))
		return
	}
	a.of(width, op, o, 0x81)
	a.emit32(v)
}

// address sets a register to the sum of a register and a constant.
func (a *assembler) address(width, to, base byte, constant int64) {
	mode, short := byte(0x80), constant == int64(int8(constant))
	if short {
		mode = 0x40
	}
	a.prefixed(width, to, 0, base, 0x8d)
	a.emit(mode | to&7<<3 | base&7)
	if base == r12 {
		a.emit(0x24) // the encoding of r12 requires a SIB byte
	}
	if short {
		a.emit(byte(constant))
	} else {
		a.emit32(constant)
	}
}

// indexed emits an operation on the memory at rbx plus index times 2^log plus distance. field is as for of.
func (a *assembler) indexed(width, field, index, log byte, distance int64, opcode ...byte) {
	a.prefixed(width, field, index, rbx, opcode...)
	a.emit32(distance, 0x84|field&7<<3, log<<6|index&7<<3|rbx)
}

// sum sets a register to the sum of a register and another one times 2^log.
func (a *assembler) sum(width, to, base, index, log byte) {
	a.prefixed(width, to, index, base, 0x8d)
	a.emit(0x44|to&7<<3, log<<6|index&7<<3|base&7, 0)
}

// Prefixes of VEX-encoded operations.
const (
	prefix66 = 1
	prefixF3 = 2
	prefixF2 = 3
)

// vector emits a VEX-encoded operation on three operands, or on two if second is 0. table selects the opcode table.
func (a *assembler) vector(table, prefix, width, to, second byte, o operand, opcode byte) {
	base := byte(rbx)
	if !o.inState {
		base = o.register
	}
	a.emit(0xc4, ^(to>>3<<7|base>>3<<5)&0xe0|table, width&8<<4|^second&15<<3|prefix, opcode)
	a.completed(to, o)
}

// extend sign-extends a register's lower half.
func (a *assembler) extend(to byte) { a.of(wide, to, register(to), 0x63) }

// Conditions of jumps and of set instructions.
const (
	below        = 2
	aboveOrEqual = 3
	equal        = 4
	notEqual     = 5
	less         = 12
	greaterEqual = 13
)

// jumpIf emits a jump whose distance is set by [assembler.patch].
func (a *assembler) jumpIf(condition byte) (hole int) {
	a.emit32(0, 0x0f, 0x80|condition)
	return len(a.bytes) - 4
}

// patch makes a jump lead to the code that is emitted next.
func (a *assembler) patch(hole int) {
	binary.LittleEndian.PutUint32(a.bytes[hole:], uint32(len(a.bytes)-hole-4))
}

// jumpTo emits a jump to an offset from the first byte.
func (a *assembler) jumpTo(distance int64) { a.emit32(distance-int64(len(a.bytes))-5, 0xe9) }

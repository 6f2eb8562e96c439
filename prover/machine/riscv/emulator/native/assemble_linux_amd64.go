package native

import "encoding/binary"

// Registers of the processor, as instructions number them.
const (
	rax = 0
	rcx = 1
	rdx = 2
	rbx = 3
	rsi = 6
	rdi = 7
)

// stateBase is how far behind the state rbx points, so that the registers that are used most are a signed byte away.
const stateBase = 128

// assembler appends machine code. Its operands are registers below r8, and places of the state.
type assembler struct {
	bytes []byte
}

func (a *assembler) emit(bytes ...byte) { a.bytes = append(a.bytes, bytes...) }

func (a *assembler) emit32(v int64, bytes ...byte) {
	a.bytes = binary.LittleEndian.AppendUint32(append(a.bytes, bytes...), uint32(v))
}

// wide is the prefix of operations on 64 bits.
const wide = 0x48

// at emits an operation on a place of the state: op is what stands before the operands, reg the register or what
// completes op.
func (a *assembler) at(offset int, reg byte, op ...byte) {
	a.emit(op...)
	if d := offset - stateBase; d >= -128 && d < 128 {
		a.emit(0x43|reg<<3, byte(d))
	} else {
		a.emit32(int64(d), 0x83|reg<<3)
	}
}

// x is the place of a guest's register.
func x(r uint8) int { return 8 * int(r) }

func (a *assembler) load(reg byte, r uint8)   { a.at(x(r), reg, wide, 0x8b) }
func (a *assembler) load32(reg byte, r uint8) { a.at(x(r), reg, 0x8b) }
func (a *assembler) store(reg byte, r uint8)  { a.at(x(r), reg, wide, 0x89) }

// constant puts a constant into a guest's register.
func (a *assembler) constant(v int64, r uint8) {
	if v == int64(int32(v)) {
		a.at(x(r), 0, wide, 0xc7)
		a.emit32(v)
		return
	}
	a.emit(wide, 0xb8) // mov rax, constant
	a.bytes = binary.LittleEndian.AppendUint64(a.bytes, uint64(v))
	a.store(rax, r)
}

// What completes the operations that take a constant, and shifts.
const (
	add = 0
	or  = 1
	and = 4
	xor = 6
	cmp = 7

	shl = 4
	shr = 5
	sar = 7
)

// constantTo emits an operation of a register and a constant.
func (a *assembler) constantTo(op, reg byte, v int64) { a.emit32(v, wide, 0x81, 0xc0|op<<3|reg) }

// extend extends the sign of eax to rax.
func (a *assembler) extend(reg byte) { a.emit(wide, 0x63, 0xc0|reg<<3|reg) }

// Conditions of jumps and of setting a byte.
const (
	below        = 2
	aboveOrEqual = 3
	equal        = 4
	notEqual     = 5
	less         = 12
	greaterEqual = 13
)

// jumpIf emits a jump whose distance [assembler.land] sets.
func (a *assembler) jumpIf(condition byte) (hole int) {
	a.emit32(0, 0x0f, 0x80|condition)
	return len(a.bytes) - 4
}

// land makes a jump lead to what is emitted next.
func (a *assembler) land(hole int) {
	binary.LittleEndian.PutUint32(a.bytes[hole:], uint32(len(a.bytes)-hole-4))
}

// jumpTo emits a jump to a place by its distance from the first byte.
func (a *assembler) jumpTo(distance int64) { a.emit32(distance-int64(len(a.bytes))-5, 0xe9) }

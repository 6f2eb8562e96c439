package instruction

import (
	"math"
	"math/bits"
)

// Evaluate returns the result of an operation on two values: the second is rs2, or the instruction's constant if it has
// one.
func Evaluate(op Op, a, b uint64) uint64 {
	switch op = op.Register(); op {
	case ADD:
		return a + b
	case SUB:
		return a - b
	case AND:
		return a & b
	case OR:
		return a | b
	case XOR:
		return a ^ b
	case SLL:
		return a << (b & 63)
	case SRL:
		return a >> (b & 63)
	case SRA:
		return uint64(int64(a) >> (b & 63))
	case SLT:
		return truth(int64(a) < int64(b))
	case SLTU:
		return truth(a < b)
	case ADDW:
		return extend(uint32(a + b))
	case SUBW:
		return extend(uint32(a - b))
	case SLLW:
		return extend(uint32(a) << (b & 31))
	case SRLW:
		return extend(uint32(a) >> (b & 31))
	case SRAW:
		return uint64(int64(int32(a) >> (b & 31)))
	}
	return multiply(op, a, b)
}

// multiply implements Evaluate for the operations of the M extension.
func multiply(op Op, a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	switch op {
	case MUL:
		return low
	case MULHU:
		return high
	case MULHSU:
		return high - mask(a)&b
	case MULH:
		return high - mask(a)&b - mask(b)&a
	case MULW:
		return extend(uint32(low))
	case DIVU:
		quotient, _ := divide(a, b)
		return quotient
	case REMU:
		_, remainder := divide(a, b)
		return remainder
	case DIV:
		return uint64(quotient(int64(a), int64(b)))
	case REM:
		return uint64(remainder(int64(a), int64(b)))
	case DIVUW:
		quotient, _ := divide(uint64(uint32(a)), uint64(uint32(b)))
		return extend(uint32(quotient))
	case REMUW:
		_, remainder := divide(uint64(uint32(a)), uint64(uint32(b)))
		return extend(uint32(remainder))
	case DIVW:
		return extend(uint32(quotient(int64(int32(a)), int64(int32(b)))))
	case REMW:
		return extend(uint32(remainder(int64(int32(a)), int64(int32(b)))))
	}
	panic("instruction: " + op.String() + " computes no value from two")
}

// Compare returns the outcome of a branch's comparison by which its program rows are numbered: for BNE whether the
// values are equal, for BGE and BGEU whether the first is less. taken reports whether the branch is taken.
func Compare(op Op, a, b uint64) (truth, taken bool) {
	switch op {
	case BEQ, IfZero:
		return a == b, a == b
	case BNE, IfOther:
		return a == b, a != b
	case BLT:
		return int64(a) < int64(b), int64(a) < int64(b)
	case BGE:
		return int64(a) < int64(b), int64(a) >= int64(b)
	case BLTU:
		return a < b, a < b
	case BGEU:
		return a < b, a >= b
	}
	panic("instruction: " + op.String() + " is no branch")
}

// Loaded returns the value that a load puts into the register: the low bytes of value, extended.
func Loaded(op Op, value uint64) uint64 {
	switch op {
	case LB:
		return uint64(int64(int8(value)))
	case LBU:
		return uint64(uint8(value))
	case LH:
		return uint64(int64(int16(value)))
	case LHU:
		return uint64(uint16(value))
	case LW:
		return extend(uint32(value))
	case LWU:
		return uint64(uint32(value))
	}
	return value
}

// divide returns quotient and remainder of an unsigned division as the ISA defines it: by 0 the quotient is all ones,
// the remainder a.
func divide(a, b uint64) (quotient, remainder uint64) {
	if b == 0 {
		return math.MaxUint64, a
	}
	return a / b, a % b
}

// quotient returns the quotient of a signed division, truncated; -2^63 / -1 overflows to -2^63.
func quotient(a, b int64) int64 {
	switch {
	case b == 0:
		return -1
	case b == -1:
		return -a
	}
	return a / b
}

// remainder returns the remainder of a signed division, which has the sign of a.
func remainder(a, b int64) int64 {
	switch b {
	case 0:
		return a
	case -1:
		return 0
	}
	return a % b
}

func extend(v uint32) uint64 { return uint64(int64(int32(v))) }

// mask returns all ones for a negative value, else 0.
func mask(v uint64) uint64 { return uint64(int64(v) >> 63) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// twoOperands are operations of a register and an operand.
var twoOperands = map[instruction.Op][]byte{
	instruction.ADD: {0x03}, instruction.SUB: {0x2b}, instruction.AND: {0x23}, instruction.OR: {0x0b},
	instruction.XOR: {0x33}, instruction.MUL: {0x0f, 0xaf},
	instruction.ADDW: {0x03}, instruction.SUBW: {0x2b}, instruction.MULW: {0x0f, 0xaf},
}

// withConstant are operations of a register and a constant.
var withConstant = map[instruction.Op]byte{
	instruction.ADDI: add, instruction.ADDIW: add, instruction.ANDI: and, instruction.ORI: or, instruction.XORI: xor,
}

// shifts by constants and by registers.
var shifts = map[instruction.Op]byte{
	instruction.SLLI: shl, instruction.SRLI: shr, instruction.SRAI: sar,
	instruction.SLLIW: shl, instruction.SRLIW: shr, instruction.SRAIW: sar,
	instruction.SLL: shl, instruction.SRL: shr, instruction.SRA: sar,
	instruction.SLLW: shl, instruction.SRLW: shr, instruction.SRAW: sar,
}

// widthOf is that of an operation: of 32 bits the result's sign is extended.
func widthOf(op instruction.Op) byte {
	switch op {
	case instruction.ADDIW, instruction.ADDW, instruction.SUBW, instruction.MULW,
		instruction.SLLIW, instruction.SRLIW, instruction.SRAIW, instruction.SLLW, instruction.SRLW, instruction.SRAW,
		instruction.DIVW, instruction.DIVUW, instruction.REMW, instruction.REMUW:
		return narrow
	}
	return wide
}

// compute is an instruction that only computes a value for rd.
func (b *block) compute(c *program.Code) {
	op, rd := c.Op, b.code.registers[c.Rd]
	switch op {
	case instruction.SLT, instruction.SLTU, instruction.SLTI, instruction.SLTIU:
		b.compare(c)
		return
	case instruction.MULHU, instruction.MULH:
		b.move(rax, b.code.registers[c.Rs1])
		completed := byte(4) // mul; imul is 5
		if op == instruction.MULH {
			completed = 5
		}
		b.of(wide, completed, b.code.registers[c.Rs2], 0xf7)
		b.keep(rdx, rd)
		return
	}
	to := b.target(c.Rd, rax)
	if !op.Immediate() && c.Rd == c.Rs2 {
		to = rax // the second operand is read when the first is there
	}
	switch width := widthOf(op); {
	case shifts[op] != 0:
		b.shift(c, width, to)
	case op == instruction.ADDI:
		b.address(wide, to, b.source(c.Rs1, to), c.Imm)
	case op.Immediate():
		b.move(to, b.code.registers[c.Rs1])
		b.constantTo(width, withConstant[op], register(to), c.Imm)
	default:
		b.move(to, b.code.registers[c.Rs1])
		b.of(width, to, b.code.registers[c.Rs2], twoOperands[op]...)
	}
	if widthOf(op) == narrow {
		b.extend(to)
	}
	b.keep(to, rd)
}

// shift shifts the first operand into a register. The processor takes of an amount as many bits as the guest does.
func (b *block) shift(c *program.Code, width, to byte) {
	kind := shifts[c.Op]
	if c.Op.Immediate() {
		b.move(to, b.code.registers[c.Rs1])
		b.of(width, kind, register(to), 0xc1)
		b.emit(byte(c.Imm))
		return
	}
	b.move(rcx, b.code.registers[c.Rs2])
	b.move(to, b.code.registers[c.Rs1])
	b.of(width, kind, register(to), 0xd3)
}

// compare sets rd to 0 or 1.
func (b *block) compare(c *program.Code) {
	b.emit(0x31, 0xd2) // xor edx, edx
	if c.Op.Immediate() {
		b.constantTo(wide, compareTo, b.code.registers[c.Rs1], c.Imm)
	} else {
		b.of(wide, b.source(c.Rs1, rax), b.code.registers[c.Rs2], 0x3b)
	}
	condition := byte(below)
	if c.Op == instruction.SLT || c.Op == instruction.SLTI {
		condition = less
	}
	b.emit(0x0f, 0x90|condition, 0xc2) // set dl
	b.keep(rdx, b.code.registers[c.Rd])
}

// divides reports whether an operation divides.
func divides(op instruction.Op) bool {
	return instruction.DIV <= op && op <= instruction.REMU || instruction.DIVW <= op && op <= instruction.REMUW
}

// divide divides where the processor does as the guest: not by 0, which traps there, and with a sign not by -1, which
// may.
func (b *block) divide(index uint32, c *program.Code) {
	op, width := c.Op, widthOf(c.Op)
	signed := op == instruction.DIV || op == instruction.REM || op == instruction.DIVW || op == instruction.REMW
	remainder := op == instruction.REM || op == instruction.REMU || op == instruction.REMW || op == instruction.REMUW
	b.of(width, rcx, b.code.registers[c.Rs2], 0x8b)
	b.of(width, rcx, register(rcx), 0x85) // test
	b.leaveIf(equal, index)
	if signed {
		b.constantTo(width, compareTo, register(rcx), -1)
		b.leaveIf(equal, index)
	}
	b.of(width, rax, b.code.registers[c.Rs1], 0x8b)
	completed := byte(6) // div
	if signed {
		b.prefixed(width, 0, 0, 0, 0x99) // the sign to rdx
		completed = 7                    // idiv
	} else {
		b.emit(0x31, 0xd2) // xor edx, edx
	}
	b.of(width, completed, register(rcx), 0xf7)
	result := byte(rax)
	if remainder {
		result = rdx
	}
	if width == narrow {
		b.extend(result)
	}
	b.keep(result, b.code.registers[c.Rd])
}

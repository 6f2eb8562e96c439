package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// twoOperands are operations of rax and a place of the state.
var twoOperands = map[instruction.Op][]byte{
	instruction.ADD: {wide, 0x03}, instruction.SUB: {wide, 0x2b}, instruction.AND: {wide, 0x23},
	instruction.OR:  {wide, 0x0b},
	instruction.XOR: {wide, 0x33}, instruction.MUL: {wide, 0x0f, 0xaf},
	instruction.ADDW: {0x03}, instruction.SUBW: {0x2b}, instruction.MULW: {0x0f, 0xaf},
}

// withConstant are operations of rax and a constant.
var withConstant = map[instruction.Op]byte{
	instruction.ADDI: add, instruction.ANDI: and, instruction.ORI: or, instruction.XORI: xor,
}

// shifts by constants and by registers.
var shifts = map[instruction.Op]byte{
	instruction.SLLI: shl, instruction.SRLI: shr, instruction.SRAI: sar,
	instruction.SLLIW: shl, instruction.SRLIW: shr, instruction.SRAIW: sar,
	instruction.SLL: shl, instruction.SRL: shr, instruction.SRA: sar,
	instruction.SLLW: shl, instruction.SRLW: shr, instruction.SRAW: sar,
}

// ofWords reports whether an operation is of 32 bits, of which the result's sign is extended.
func ofWords(op instruction.Op) bool {
	switch op {
	case instruction.ADDIW, instruction.ADDW, instruction.SUBW, instruction.MULW,
		instruction.SLLIW, instruction.SRLIW, instruction.SRAIW, instruction.SLLW, instruction.SRLW, instruction.SRAW,
		instruction.DIVW, instruction.DIVUW, instruction.REMW, instruction.REMUW:
		return true
	}
	return false
}

// compute is an instruction that only computes a value for rd.
func (b *block) compute(c *program.Code) {
	op := c.Op
	switch op {
	case instruction.SLT, instruction.SLTU, instruction.SLTI, instruction.SLTIU:
		b.compare(c)
		return
	case instruction.MULHU, instruction.MULH:
		b.load(rax, c.Rs1)
		completed := byte(4) // mul; imul is 5
		if op == instruction.MULH {
			completed = 5
		}
		b.at(x(c.Rs2), completed, wide, 0xf7)
		b.store(rdx, c.Rd)
		return
	}
	narrow := ofWords(op)
	if narrow {
		b.load32(rax, c.Rs1)
	} else {
		b.load(rax, c.Rs1)
	}
	if shift, ok := shifts[op]; ok {
		b.shift(c, shift, narrow)
	} else if two, ok := twoOperands[op]; ok {
		b.at(x(c.Rs2), rax, two...)
	} else if op == instruction.ADDIW {
		b.emit32(c.Imm, 0x05) // add eax, constant
	} else {
		b.constantTo(withConstant[op], rax, c.Imm)
	}
	if narrow {
		b.extend(rax)
	}
	b.store(rax, c.Rd)
}

// shift shifts rax, or eax. The processor takes of an amount as many bits as the guest does.
func (b *block) shift(c *program.Code, kind byte, narrow bool) {
	operation := byte(0xc1)
	if !c.Op.Immediate() {
		b.load32(rcx, c.Rs2)
		operation = 0xd3
	}
	if !narrow {
		b.emit(wide)
	}
	b.emit(operation, 0xc0|kind<<3|rax)
	if c.Op.Immediate() {
		b.emit(byte(c.Imm))
	}
}

// compare sets rd to 0 or 1.
func (b *block) compare(c *program.Code) {
	b.emit(0x31, 0xc9) // xor ecx, ecx
	b.load(rax, c.Rs1)
	if c.Op.Immediate() {
		b.constantTo(cmp, rax, c.Imm)
	} else {
		b.at(x(c.Rs2), rax, wide, 0x3b)
	}
	condition := byte(below)
	if c.Op == instruction.SLT || c.Op == instruction.SLTI {
		condition = less
	}
	b.emit(0x0f, 0x90|condition, 0xc1) // set cl
	b.store(rcx, c.Rd)
}

// divides reports whether an operation divides.
func divides(op instruction.Op) bool {
	return instruction.DIV <= op && op <= instruction.REMU || instruction.DIVW <= op && op <= instruction.REMUW
}

// divide divides where the processor does as the guest: not by 0, which traps there, and with a sign not by -1, which
// may.
func (b *block) divide(index uint32, c *program.Code) {
	op, prefix := c.Op, []byte{wide}
	if ofWords(op) {
		prefix = nil
	}
	signed := op == instruction.DIV || op == instruction.REM || op == instruction.DIVW || op == instruction.REMW
	remainder := op == instruction.REM || op == instruction.REMU || op == instruction.REMW || op == instruction.REMUW
	b.at(x(c.Rs2), rcx, append(prefix[:len(prefix):len(prefix)], 0x8b)...)
	b.emit(append(prefix[:len(prefix):len(prefix)], 0x85, 0xc9)...) // test rcx, rcx
	b.leaveIf(equal, index)
	if signed {
		b.emit(append(prefix[:len(prefix):len(prefix)], 0x83, 0xf9, 0xff)...) // cmp rcx, -1
		b.leaveIf(equal, index)
	}
	b.at(x(c.Rs1), rax, append(prefix[:len(prefix):len(prefix)], 0x8b)...)
	completed := byte(0xf1) // div rcx
	if signed {
		b.emit(append(prefix[:len(prefix):len(prefix)], 0x99)...) // the sign to rdx
		completed = 0xf9                                          // idiv rcx
	} else {
		b.emit(0x31, 0xd2) // xor edx, edx
	}
	b.emit(append(prefix[:len(prefix):len(prefix)], 0xf7, completed)...)
	result := byte(rax)
	if remainder {
		result = rdx
	}
	if prefix == nil {
		b.extend(result)
	}
	b.store(result, c.Rd)
}

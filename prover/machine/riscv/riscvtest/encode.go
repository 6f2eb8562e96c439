package riscvtest

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// encoding is the encoding of an operation: the opcode, funct3, and funct7 if the format has it.
type encoding struct {
	format         byte // U, J, I, B, S, R; h: shift by a 6-bit constant, w: by a 5-bit constant
	opcode, f3, f7 uint32
}

// encodings is transcribed by hand from the tables of the RISC-V manual, so that it shares nothing with the decoder.
var encodings = map[instruction.Op]encoding{
	instruction.LUI:    {'U', 0x37, 0, 0},
	instruction.AUIPC:  {'U', 0x17, 0, 0},
	instruction.JAL:    {'J', 0x6f, 0, 0},
	instruction.JALR:   {'I', 0x67, 0, 0},
	instruction.BEQ:    {'B', 0x63, 0, 0},
	instruction.BNE:    {'B', 0x63, 1, 0},
	instruction.BLT:    {'B', 0x63, 4, 0},
	instruction.BGE:    {'B', 0x63, 5, 0},
	instruction.BLTU:   {'B', 0x63, 6, 0},
	instruction.BGEU:   {'B', 0x63, 7, 0},
	instruction.LB:     {'I', 0x03, 0, 0},
	instruction.LH:     {'I', 0x03, 1, 0},
	instruction.LW:     {'I', 0x03, 2, 0},
	instruction.LD:     {'I', 0x03, 3, 0},
	instruction.LBU:    {'I', 0x03, 4, 0},
	instruction.LHU:    {'I', 0x03, 5, 0},
	instruction.LWU:    {'I', 0x03, 6, 0},
	instruction.SB:     {'S', 0x23, 0, 0},
	instruction.SH:     {'S', 0x23, 1, 0},
	instruction.SW:     {'S', 0x23, 2, 0},
	instruction.SD:     {'S', 0x23, 3, 0},
	instruction.ADDI:   {'I', 0x13, 0, 0},
	instruction.SLTI:   {'I', 0x13, 2, 0},
	instruction.SLTIU:  {'I', 0x13, 3, 0},
	instruction.XORI:   {'I', 0x13, 4, 0},
	instruction.ORI:    {'I', 0x13, 6, 0},
	instruction.ANDI:   {'I', 0x13, 7, 0},
	instruction.SLLI:   {'h', 0x13, 1, 0x00},
	instruction.SRLI:   {'h', 0x13, 5, 0x00},
	instruction.SRAI:   {'h', 0x13, 5, 0x20},
	instruction.ADDIW:  {'I', 0x1b, 0, 0},
	instruction.SLLIW:  {'w', 0x1b, 1, 0x00},
	instruction.SRLIW:  {'w', 0x1b, 5, 0x00},
	instruction.SRAIW:  {'w', 0x1b, 5, 0x20},
	instruction.ADD:    {'R', 0x33, 0, 0x00},
	instruction.SUB:    {'R', 0x33, 0, 0x20},
	instruction.SLL:    {'R', 0x33, 1, 0x00},
	instruction.SLT:    {'R', 0x33, 2, 0x00},
	instruction.SLTU:   {'R', 0x33, 3, 0x00},
	instruction.XOR:    {'R', 0x33, 4, 0x00},
	instruction.SRL:    {'R', 0x33, 5, 0x00},
	instruction.SRA:    {'R', 0x33, 5, 0x20},
	instruction.OR:     {'R', 0x33, 6, 0x00},
	instruction.AND:    {'R', 0x33, 7, 0x00},
	instruction.ADDW:   {'R', 0x3b, 0, 0x00},
	instruction.SUBW:   {'R', 0x3b, 0, 0x20},
	instruction.SLLW:   {'R', 0x3b, 1, 0x00},
	instruction.SRLW:   {'R', 0x3b, 5, 0x00},
	instruction.SRAW:   {'R', 0x3b, 5, 0x20},
	instruction.MUL:    {'R', 0x33, 0, 0x01},
	instruction.MULH:   {'R', 0x33, 1, 0x01},
	instruction.MULHSU: {'R', 0x33, 2, 0x01},
	instruction.MULHU:  {'R', 0x33, 3, 0x01},
	instruction.DIV:    {'R', 0x33, 4, 0x01},
	instruction.DIVU:   {'R', 0x33, 5, 0x01},
	instruction.REM:    {'R', 0x33, 6, 0x01},
	instruction.REMU:   {'R', 0x33, 7, 0x01},
	instruction.MULW:   {'R', 0x3b, 0, 0x01},
	instruction.DIVW:   {'R', 0x3b, 4, 0x01},
	instruction.DIVUW:  {'R', 0x3b, 5, 0x01},
	instruction.REMW:   {'R', 0x3b, 6, 0x01},
	instruction.REMUW:  {'R', 0x3b, 7, 0x01},
	instruction.FENCE:  {'I', 0x0f, 0, 0},
	instruction.ECALL:  {'I', 0x73, 0, 0},
}

// Encode returns the word of an instruction. It panics if the constant does not fit.
func Encode(i instruction.Instruction) uint32 {
	e, ok := encodings[i.Op]
	if !ok {
		panic("no encoding of " + i.Op.String())
	}
	rd, rs1, rs2 := uint32(i.Rd), uint32(i.Rs1), uint32(i.Rs2)
	imm := uint32(i.Imm)
	word := e.opcode | e.f3<<12
	fits := func(low, high, step int64) {
		if i.Imm < low || i.Imm > high || i.Imm%step != 0 {
			panic(fmt.Sprintf("%s: the constant %d does not fit", i.Op, i.Imm))
		}
	}
	switch e.format {
	case 'U':
		fits(-1<<31, 1<<31-4096, 4096)
		return word | rd<<7 | imm
	case 'J':
		fits(-1<<20, 1<<20-2, 2)
		return word | rd<<7 | imm>>20&1<<31 | imm>>1&0x3ff<<21 | imm>>11&1<<20 | imm>>12&0xff<<12
	case 'I':
		fits(-2048, 2047, 1)
		return word | rd<<7 | rs1<<15 | imm<<20
	case 'h':
		fits(0, 63, 1)
		return word | rd<<7 | rs1<<15 | imm<<20 | e.f7<<25
	case 'w':
		fits(0, 31, 1)
		return word | rd<<7 | rs1<<15 | imm<<20 | e.f7<<25
	case 'B':
		fits(-4096, 4094, 2)
		return word | rs1<<15 | rs2<<20 | imm>>12&1<<31 | imm>>5&0x3f<<25 | imm>>1&0xf<<8 | imm>>11&1<<7
	case 'S':
		fits(-2048, 2047, 1)
		return word | rs1<<15 | rs2<<20 | imm&0x1f<<7 | imm>>5&0x7f<<25
	}
	return word | rd<<7 | rs1<<15 | rs2<<20 | e.f7<<25
}

// Ops returns all operations of RV64IM that Decode returns, in declaration order.
func Ops() []instruction.Op {
	var list []instruction.Op
	for op := instruction.LUI; op <= instruction.ECALL; op++ {
		list = append(list, op)
	}
	return list
}

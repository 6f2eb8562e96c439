package instruction

// Major opcodes.
const (
	majorLoad   = 0x03
	majorFence  = 0x0f
	majorImm    = 0x13
	majorAUIPC  = 0x17
	majorImm32  = 0x1b
	majorStore  = 0x23
	majorReg    = 0x33
	majorLUI    = 0x37
	majorReg32  = 0x3b
	majorBranch = 0x63
	majorJALR   = 0x67
	majorJAL    = 0x6f
	wordECALL   = 0x73
)

// Operations by funct3.
var (
	branches   = [8]Op{BEQ, BNE, Illegal, Illegal, BLT, BGE, BLTU, BGEU}
	loads      = [8]Op{LB, LH, LW, LD, LBU, LHU, LWU, Illegal}
	stores     = [8]Op{SB, SH, SW, SD}
	immediates = [8]Op{ADDI, Illegal, SLTI, SLTIU, XORI, Illegal, ORI, ANDI}
)

// Operations on two registers, by funct7 and funct3.
var (
	registers = map[uint32][8]Op{
		0x00: {ADD, SLL, SLT, SLTU, XOR, SRL, OR, AND},
		0x20: {0: SUB, 5: SRA},
		0x01: {MUL, MULH, MULHSU, MULHU, DIV, DIVU, REM, REMU},
	}
	registers32 = map[uint32][8]Op{
		0x00: {0: ADDW, 1: SLLW, 5: SRLW},
		0x20: {0: SUBW, 5: SRAW},
		0x01: {0: MULW, 4: DIVW, 5: DIVUW, 6: REMW, 7: REMUW},
	}
)

// Decode is the instruction of a word; ok is false where RV64IM has none.
func Decode(word uint32) (i Instruction, ok bool) {
	i = decode(word)
	return i, i.Op != Illegal
}

func decode(word uint32) Instruction {
	rd, rs1, rs2 := uint8(word>>7&31), uint8(word>>15&31), uint8(word>>20&31)
	funct3, funct7 := word>>12&7, word>>25
	immediate := int64(int32(word) >> 20)
	switch word & 127 {
	case majorLUI:
		return Instruction{Op: LUI, Rd: rd, Imm: int64(int32(word & 0xfffff000))}
	case majorAUIPC:
		return Instruction{Op: AUIPC, Rd: rd, Imm: int64(int32(word & 0xfffff000))}
	case majorJAL:
		return Instruction{Op: JAL, Rd: rd, Imm: jumpOffset(word)}
	case majorJALR:
		if funct3 == 0 {
			return Instruction{Op: JALR, Rd: rd, Rs1: rs1, Imm: immediate}
		}
	case majorBranch:
		return legal(Instruction{Op: branches[funct3], Rs1: rs1, Rs2: rs2, Imm: branchOffset(word)})
	case majorLoad:
		return legal(Instruction{Op: loads[funct3], Rd: rd, Rs1: rs1, Imm: immediate})
	case majorStore:
		return legal(Instruction{Op: stores[funct3], Rs1: rs1, Rs2: rs2, Imm: immediate&^31 | int64(rd)})
	case majorImm:
		if funct3 == 1 || funct3 == 5 {
			return legal(Instruction{Op: shift(word>>26, funct3), Rd: rd, Rs1: rs1, Imm: int64(word >> 20 & 63)})
		}
		return Instruction{Op: immediates[funct3], Rd: rd, Rs1: rs1, Imm: immediate}
	case majorImm32:
		if funct3 == 0 {
			return Instruction{Op: ADDIW, Rd: rd, Rs1: rs1, Imm: immediate}
		}
		return legal(Instruction{Op: shift32(funct7, funct3), Rd: rd, Rs1: rs1, Imm: int64(rs2)})
	case majorReg:
		return legal(Instruction{Op: registers[funct7][funct3], Rd: rd, Rs1: rs1, Rs2: rs2})
	case majorReg32:
		return legal(Instruction{Op: registers32[funct7][funct3], Rd: rd, Rs1: rs1, Rs2: rs2})
	case majorFence:
		if funct3 == 0 {
			return Instruction{Op: FENCE}
		}
	}
	if word == wordECALL {
		return Instruction{Op: ECALL}
	}
	return Instruction{}
}

// legal is the instruction, or none where its operation is none.
func legal(i Instruction) Instruction {
	if i.Op == Illegal {
		return Instruction{}
	}
	return i
}

// shift is a shift of 64 bits by a constant; funct6 is what is above the amount.
func shift(funct6, funct3 uint32) Op {
	switch {
	case funct3 == 1 && funct6 == 0:
		return SLLI
	case funct3 == 5 && funct6 == 0:
		return SRLI
	case funct3 == 5 && funct6 == 0x10:
		return SRAI
	}
	return Illegal
}

// shift32 is a shift of 32 bits by a constant.
func shift32(funct7, funct3 uint32) Op {
	switch {
	case funct3 == 1 && funct7 == 0:
		return SLLIW
	case funct3 == 5 && funct7 == 0:
		return SRLIW
	case funct3 == 5 && funct7 == 0x20:
		return SRAIW
	}
	return Illegal
}

// jumpOffset is the constant of a J-type word.
func jumpOffset(word uint32) int64 {
	sign := int64(int32(word)>>31) << 20
	return sign | int64(word>>12&0xff)<<12 | int64(word>>20&1)<<11 | int64(word>>21&0x3ff)<<1
}

// branchOffset is the constant of a B-type word.
func branchOffset(word uint32) int64 {
	sign := int64(int32(word)>>31) << 12
	return sign | int64(word>>7&1)<<11 | int64(word>>25&63)<<5 | int64(word>>8&15)<<1
}

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

// Decode returns the instruction of a word; ok is false if the word is not an instruction of RV64IM.
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
		if op := immediates32[funct3]; op != Illegal {
			return Instruction{Op: op, Rd: rd, Rs1: rs1, Imm: immediate}
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

// legal returns the instruction, or the zero value if its operation is illegal.
func legal(i Instruction) Instruction {
	if i.Op == Illegal {
		return Instruction{}
	}
	return i
}

// shift returns the operation of a 64-bit shift by a constant. funct6 is the bits above the 6-bit amount.
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

// shift32 returns the operation of a 32-bit shift by a constant.
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

// jumpOffset returns the constant of a J-type word.
func jumpOffset(word uint32) int64 {
	sign := int64(int32(word)>>31) << 20
	return sign | int64(word>>12&0xff)<<12 | int64(word>>20&1)<<11 | int64(word>>21&0x3ff)<<1
}

// branchOffset returns the constant of a B-type word.
func branchOffset(word uint32) int64 {
	sign := int64(int32(word)>>31) << 12
	return sign | int64(word>>7&1)<<11 | int64(word>>25&63)<<5 | int64(word>>8&15)<<1
}

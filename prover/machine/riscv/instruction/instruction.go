package instruction

import "fmt"

// Idle reports whether an instruction of RV64IM only advances the program counter.
func (i Instruction) Idle() bool {
	return i.Op == FENCE || i.Op.writes() && i.Rd == 0 || i.Op == ADDI && i.Rd == i.Rs1 && i.Imm == 0
}

// An Instruction is a decoded word. Fields that the operation does not have are 0.
type Instruction struct {
	Op           Op
	Rd, Rs1, Rs2 uint8
	Imm          int64 // the immediate, sign-extended; for shifts the amount
}

// RegisterNames are the registers' names in the ABI.
var RegisterNames = [32]string{
	"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
}

// String returns the instruction in assembly language, with targets relative to the instruction.
func (i Instruction) String() string {
	rd, rs1, rs2 := RegisterNames[i.Rd], RegisterNames[i.Rs1], RegisterNames[i.Rs2]
	switch {
	case i.Op == Illegal || i.Op == FENCE || i.Op == ECALL:
		return i.Op.String()
	case i.Op == LUI || i.Op == AUIPC:
		return fmt.Sprintf("%s %s, %#x", i.Op, rd, uint64(i.Imm)>>12&0xfffff)
	case i.Op == JAL:
		return fmt.Sprintf("%s %s, .%+d", i.Op, rd, i.Imm)
	case i.Op == JALR || i.Op.Load():
		return fmt.Sprintf("%s %s, %d(%s)", i.Op, rd, i.Imm, rs1)
	case i.Op.Store():
		return fmt.Sprintf("%s %s, %d(%s)", i.Op, rs2, i.Imm, rs1)
	case i.Op.Branch():
		return fmt.Sprintf("%s %s, %s, .%+d", i.Op, rs1, rs2, i.Imm)
	case i.Op.Immediate():
		return fmt.Sprintf("%s %s, %s, %d", i.Op, rd, rs1, i.Imm)
	}
	return fmt.Sprintf("%s %s, %s, %s", i.Op, rd, rs1, rs2)
}

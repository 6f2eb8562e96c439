package instruction

import "fmt"

// Op is what an instruction does.
type Op uint8

// The operations of RV64IM, then the forms that packages program and emulator reduce some of them to.
const (
	Illegal Op = iota

	LUI
	AUIPC
	JAL
	JALR
	BEQ
	BNE
	BLT
	BGE
	BLTU
	BGEU
	LB
	LH
	LW
	LD
	LBU
	LHU
	LWU
	SB
	SH
	SW
	SD
	ADDI
	SLTI
	SLTIU
	XORI
	ORI
	ANDI
	SLLI
	SRLI
	SRAI
	ADDIW
	SLLIW
	SRLIW
	SRAIW
	ADD
	SUB
	SLL
	SLT
	SLTU
	XOR
	SRL
	SRA
	OR
	AND
	ADDW
	SUBW
	SLLW
	SRLW
	SRAW
	MUL
	MULH
	MULHSU
	MULHU
	DIV
	DIVU
	REM
	REMU
	MULW
	DIVW
	DIVUW
	REMW
	REMUW
	FENCE
	ECALL

	// Forms. Decode never returns them.

	Nop     // changes no register and goes on
	Jump    // to a constant target, without a link
	Const   // rd := constant
	Link    // rd := pc + 4, to a constant target
	Move    // rd := rs1
	AddIn   // rd := rd + constant
	Indir   // to rs1 + constant, without a link
	IfZero  // to the target if rs1 = 0
	IfOther // to the target if rs1 != 0

	OpCount = int(IfOther) + 1
)

var opNames = [OpCount]string{
	Illegal: "illegal",
	LUI:     "lui",
	AUIPC:   "auipc",
	JAL:     "jal",
	JALR:    "jalr",
	BEQ:     "beq",
	BNE:     "bne",
	BLT:     "blt",
	BGE:     "bge",
	BLTU:    "bltu",
	BGEU:    "bgeu",
	LB:      "lb",
	LH:      "lh",
	LW:      "lw",
	LD:      "ld",
	LBU:     "lbu",
	LHU:     "lhu",
	LWU:     "lwu",
	SB:      "sb",
	SH:      "sh",
	SW:      "sw",
	SD:      "sd",
	ADDI:    "addi",
	SLTI:    "slti",
	SLTIU:   "sltiu",
	XORI:    "xori",
	ORI:     "ori",
	ANDI:    "andi",
	SLLI:    "slli",
	SRLI:    "srli",
	SRAI:    "srai",
	ADDIW:   "addiw",
	SLLIW:   "slliw",
	SRLIW:   "srliw",
	SRAIW:   "sraiw",
	ADD:     "add",
	SUB:     "sub",
	SLL:     "sll",
	SLT:     "slt",
	SLTU:    "sltu",
	XOR:     "xor",
	SRL:     "srl",
	SRA:     "sra",
	OR:      "or",
	AND:     "and",
	ADDW:    "addw",
	SUBW:    "subw",
	SLLW:    "sllw",
	SRLW:    "srlw",
	SRAW:    "sraw",
	MUL:     "mul",
	MULH:    "mulh",
	MULHSU:  "mulhsu",
	MULHU:   "mulhu",
	DIV:     "div",
	DIVU:    "divu",
	REM:     "rem",
	REMU:    "remu",
	MULW:    "mulw",
	DIVW:    "divw",
	DIVUW:   "divuw",
	REMW:    "remw",
	REMUW:   "remuw",
	FENCE:   "fence",
	ECALL:   "ecall",
	Nop:     "nop",
	Jump:    "j",
	Const:   "li",
	Link:    "jal",
	Move:    "mv",
	AddIn:   "addi",
	Indir:   "jr",
	IfZero:  "beqz",
	IfOther: "bnez",
}

func (o Op) String() string { return opNames[o] }

// Branch reports whether the operation compares two registers to decide where to go.
func (o Op) Branch() bool { return BEQ <= o && o <= BGEU || o == IfZero || o == IfOther }

// Load reports whether the operation reads memory into a register.
func (o Op) Load() bool { return LB <= o && o <= LWU }

// Store reports whether the operation writes a register to memory.
func (o Op) Store() bool { return SB <= o && o <= SD }

// Width is how many bytes a load or a store accesses.
func (o Op) Width() uint64 {
	switch o {
	case LB, LBU, SB:
		return 1
	case LH, LHU, SH:
		return 2
	case LW, LWU, SW:
		return 4
	}
	return 8
}

// Signed reports whether a load of less than eight bytes extends the sign.
func (o Op) Signed() bool { return o == LB || o == LH || o == LW }

// Immediate reports whether the second operand is the instruction's constant.
func (o Op) Immediate() bool { return ADDI <= o && o <= SRAIW }

// writes reports whether the operation does nothing but compute a value for rd, so that with rd = x0 it
// does nothing.
func (o Op) writes() bool { return o == LUI || o == AUIPC || ADDI <= o && o <= REMUW }

// Idle reports whether an instruction of RV64IM does nothing but go on.
func (i Instruction) Idle() bool {
	return i.Op == FENCE || i.Op.writes() && i.Rd == 0 || i.Op == ADDI && i.Rd == i.Rs1 && i.Imm == 0
}

// An Instruction is a decoded word. Fields that the operation does not have are 0.
type Instruction struct {
	Op           Op
	Rd, Rs1, Rs2 uint8
	Imm          int64 // the constant, sign-extended; for shifts the amount
}

// RegisterNames are the names of the ABI.
var RegisterNames = [32]string{
	"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
}

// String is the instruction as an assembler writes it, targets relative to the instruction.
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

package instruction

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Op is an operation of RV64IM, or a reduced form of one.
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

	Nop     // changes no register and continues
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

// operation has the properties of an operation, except its execution.
type operation struct {
	name  string
	class Class
	// family is the table that proves it. Package program gives some instructions, by their registers and constants, a
	// form below and with it another table.
	family table.Table
	// register is, for an operation with a constant, the operation that computes the same from two registers.
	register Op
}

var operations = [OpCount]operation{
	Illegal: {name: "illegal", class: ClassNone},
	LUI:     {name: "lui", class: ClassMove, family: table.UJ},
	AUIPC:   {name: "auipc", class: ClassMove, family: table.UJ},
	JAL:     {name: "jal", class: ClassJump, family: table.UJ},
	JALR:    {name: "jalr", class: ClassJump, family: table.JALR},
	BEQ:     {name: "beq", class: ClassBranch, family: table.BEQ},
	BNE:     {name: "bne", class: ClassBranch, family: table.BEQ},
	BLT:     {name: "blt", class: ClassBranch, family: table.BLT},
	BGE:     {name: "bge", class: ClassBranch, family: table.BLT},
	BLTU:    {name: "bltu", class: ClassBranch, family: table.BLTU},
	BGEU:    {name: "bgeu", class: ClassBranch, family: table.BLTU},
	LB:      {name: "lb", class: ClassLoad, family: table.LBH},
	LH:      {name: "lh", class: ClassLoad, family: table.LBH},
	LW:      {name: "lw", class: ClassLoad, family: table.LW},
	LD:      {name: "ld", class: ClassLoad, family: table.LD},
	LBU:     {name: "lbu", class: ClassLoad, family: table.LBH},
	LHU:     {name: "lhu", class: ClassLoad, family: table.LBH},
	LWU:     {name: "lwu", class: ClassLoad, family: table.LW},
	SB:      {name: "sb", class: ClassStore, family: table.SBH},
	SH:      {name: "sh", class: ClassStore, family: table.SBH},
	SW:      {name: "sw", class: ClassStore, family: table.SW},
	SD:      {name: "sd", class: ClassStore, family: table.SD},
	ADDI:    {name: "addi", class: ClassAdd, register: ADD, family: table.ADDI},
	SLTI:    {name: "slti", class: ClassCompare, register: SLT, family: table.SLT},
	SLTIU:   {name: "sltiu", class: ClassCompare, register: SLTU, family: table.SLTU},
	XORI:    {name: "xori", class: ClassLogic, register: XOR, family: table.LOGI},
	ORI:     {name: "ori", class: ClassLogic, register: OR, family: table.LOGI},
	ANDI:    {name: "andi", class: ClassLogic, register: AND, family: table.LOGI},
	SLLI:    {name: "slli", class: ClassShift, register: SLL, family: table.SHI},
	SRLI:    {name: "srli", class: ClassShift, register: SRL, family: table.SHI},
	SRAI:    {name: "srai", class: ClassShift, register: SRA, family: table.SHI},
	ADDIW:   {name: "addiw", class: ClassAdd, register: ADDW, family: table.ADDIW},
	SLLIW:   {name: "slliw", class: ClassShift, register: SLLW, family: table.SHWI},
	SRLIW:   {name: "srliw", class: ClassShift, register: SRLW, family: table.SHWI},
	SRAIW:   {name: "sraiw", class: ClassShift, register: SRAW, family: table.SHWI},
	ADD:     {name: "add", class: ClassAdd, family: table.ADD},
	SUB:     {name: "sub", class: ClassAdd, family: table.SUB},
	SLL:     {name: "sll", class: ClassShift, family: table.SHR},
	SLT:     {name: "slt", class: ClassCompare, family: table.SLT},
	SLTU:    {name: "sltu", class: ClassCompare, family: table.SLTU},
	XOR:     {name: "xor", class: ClassLogic, family: table.LOGR},
	SRL:     {name: "srl", class: ClassShift, family: table.SHR},
	SRA:     {name: "sra", class: ClassShift, family: table.SHR},
	OR:      {name: "or", class: ClassLogic, family: table.LOGR},
	AND:     {name: "and", class: ClassLogic, family: table.LOGR},
	ADDW:    {name: "addw", class: ClassAdd, family: table.SUB},
	SUBW:    {name: "subw", class: ClassAdd, family: table.SUB},
	SLLW:    {name: "sllw", class: ClassShift, family: table.SHWR},
	SRLW:    {name: "srlw", class: ClassShift, family: table.SHWR},
	SRAW:    {name: "sraw", class: ClassShift, family: table.SHWR},
	MUL:     {name: "mul", class: ClassMultiply, family: table.MUL},
	MULH:    {name: "mulh", class: ClassMultiply, family: table.MULH},
	MULHSU:  {name: "mulhsu", class: ClassMultiply, family: table.MULH},
	MULHU:   {name: "mulhu", class: ClassMultiply, family: table.MULHU},
	DIV:     {name: "div", class: ClassDivide, family: table.DIV},
	DIVU:    {name: "divu", class: ClassDivide, family: table.DIV},
	REM:     {name: "rem", class: ClassDivide, family: table.DIV},
	REMU:    {name: "remu", class: ClassDivide, family: table.DIV},
	MULW:    {name: "mulw", class: ClassMultiply, family: table.MUL},
	DIVW:    {name: "divw", class: ClassDivide, family: table.DIV},
	DIVUW:   {name: "divuw", class: ClassDivide, family: table.DIV},
	REMW:    {name: "remw", class: ClassDivide, family: table.DIV},
	REMUW:   {name: "remuw", class: ClassDivide, family: table.DIV},
	FENCE:   {name: "fence", class: ClassNone, family: table.J},
	ECALL:   {name: "ecall", class: ClassCall, family: table.ECALLS},
	Nop:     {name: "nop", class: ClassNone, family: table.J},
	Jump:    {name: "j", class: ClassJump, family: table.J},
	Const:   {name: "li", class: ClassMove, family: table.UJ},
	Link:    {name: "jal", class: ClassJump, family: table.UJ},
	Move:    {name: "mv", class: ClassMove, family: table.MV},
	AddIn:   {name: "addi", class: ClassAdd, family: table.ADDIQ},
	Indir:   {name: "jr", class: ClassJump, family: table.JR},
	IfZero:  {name: "beqz", class: ClassBranch, family: table.BEQZ},
	IfOther: {name: "bnez", class: ClassBranch, family: table.BEQZ},
}

// Operations by funct3.
var (
	branches   = [8]Op{BEQ, BNE, Illegal, Illegal, BLT, BGE, BLTU, BGEU}
	loads      = [8]Op{LB, LH, LW, LD, LBU, LHU, LWU, Illegal}
	stores     = [8]Op{SB, SH, SW, SD}
	immediates = [8]Op{ADDI, Illegal, SLTI, SLTIU, XORI, Illegal, ORI, ANDI}

	immediates32 = [8]Op{ADDIW} // shifts have more bits: see shift32
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

func (o Op) String() string { return operations[o].name }

// Class returns the operation's class.
func (o Op) Class() Class { return operations[o].class }

// Family returns the table that proves the operation.
func (o Op) Family() table.Table { return operations[o].family }

// registerForm has the operations that compute the same from two registers, in compact form.
var registerForm = func() (list [OpCount]Op) {
	for op := range list {
		if list[op] = operations[op].register; list[op] == Illegal {
			list[op] = Op(op)
		}
	}
	return list
}()

// Register returns the operation that computes from two registers what this one computes from a register and a
// constant. Other operations return themselves.
func (o Op) Register() Op { return registerForm[o] }

// Branch reports whether the operation is a conditional branch.
func (o Op) Branch() bool { return BEQ <= o && o <= BGEU || o == IfZero || o == IfOther }

// Load reports whether the operation reads memory into a register.
func (o Op) Load() bool { return LB <= o && o <= LWU }

// Store reports whether the operation writes a register to memory.
func (o Op) Store() bool { return SB <= o && o <= SD }

// Width returns the number of bytes that a load or store accesses.
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

// writes reports whether the operation only computes a value for rd, so that it does nothing if rd is x0.
func (o Op) writes() bool { return o == LUI || o == AUIPC || ADDI <= o && o <= REMUW }

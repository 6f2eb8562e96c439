package instruction

// Class is a kind of instructions, as people count them.
type Class uint8

// The classes.
const (
	ClassAdd Class = iota
	ClassMove
	ClassLogic
	ClassShift
	ClassCompare
	ClassMultiply
	ClassDivide
	ClassLoad
	ClassStore
	ClassBranch
	ClassJump
	ClassCall
	ClassNone
	ClassCount = int(ClassNone) + 1
)

var classNames = [ClassCount]string{
	ClassAdd:      "add, subtract",
	ClassMove:     "constants, moves",
	ClassLogic:    "logic",
	ClassShift:    "shift",
	ClassCompare:  "compare",
	ClassMultiply: "multiply",
	ClassDivide:   "divide",
	ClassLoad:     "load",
	ClassStore:    "store",
	ClassBranch:   "branch",
	ClassJump:     "jump",
	ClassCall:     "call",
	ClassNone:     "no effect",
}

func (c Class) String() string { return classNames[c] }

// Class is the operation's class.
func (o Op) Class() Class {
	switch o {
	case ADDI, ADD, SUB, ADDIW, ADDW, SUBW, AddIn:
		return ClassAdd
	case LUI, AUIPC, Const, Move:
		return ClassMove
	case ANDI, ORI, XORI, AND, OR, XOR:
		return ClassLogic
	case SLLI, SRLI, SRAI, SLLIW, SRLIW, SRAIW, SLL, SRL, SRA, SLLW, SRLW, SRAW:
		return ClassShift
	case SLTI, SLTIU, SLT, SLTU:
		return ClassCompare
	case MUL, MULH, MULHSU, MULHU, MULW:
		return ClassMultiply
	case DIV, DIVU, REM, REMU, DIVW, DIVUW, REMW, REMUW:
		return ClassDivide
	case JAL, JALR, Jump, Link, Indir:
		return ClassJump
	case ECALL:
		return ClassCall
	}
	switch {
	case o.Load():
		return ClassLoad
	case o.Store():
		return ClassStore
	case o.Branch():
		return ClassBranch
	}
	return ClassNone
}

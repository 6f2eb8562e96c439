package program

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// element returns an integer as an element of the field.
func element(v int64) goldilocks.Element {
	if v < 0 {
		return goldilocks.Element(goldilocks.Modulus - uint64(-v))
	}
	return goldilocks.Element(v)
}

func bit(b bool) goldilocks.Element {
	if b {
		return 1
	}
	return 0
}

// limbs returns the low and the high half of a value.
func limbs(v int64) (lo, hi goldilocks.Element) {
	return goldilocks.Element(uint32(v)), goldilocks.Element(uint64(v) >> 32)
}

// lower returns an instruction at an address as code and rows. target is the address of a jump's or branch's target;
// the caller, which knows indices, sets the code's Target from it.
func lower(pc uint32, i instruction.Instruction) (code Code, target int64, rows []rv64im.Row) {
	next := int64(pc) + 4
	code = Code{Op: i.Op, Rd: i.Rd, Rs1: i.Rs1, Rs2: i.Rs2, Imm: i.Imm}
	row := rv64im.Row{PC: pc, Rd: i.Rd, Rs1: i.Rs1, Rs2: i.Rs2}
	switch {
	case i.Idle():
		row = rv64im.Row{PC: pc, Table: table.J}
		row.K[0] = element(next)
		return Code{Op: instruction.Nop}, 0, []rv64im.Row{row}
	case i.Op == instruction.JAL && i.Rd == 0:
		row.Table = table.J
		row.K[0] = element(next - 4 + i.Imm)
		return Code{Op: instruction.Jump}, next - 4 + i.Imm, []rv64im.Row{row}
	case i.Op == instruction.JAL:
		row.Table = table.UJ
		row.K[0] = element(next - 4 + i.Imm)
		row.K[1], row.K[2] = limbs(next)
		return Code{Op: instruction.Link, Rd: i.Rd, Imm: next}, next - 4 + i.Imm, []rv64im.Row{row}
	case i.Op == instruction.JALR:
		row.Table, row.K[0] = table.JALR, element(i.Imm)
		code.Target = uint32(next)
		if i.Rd == 0 {
			row.Table, code.Op = table.JR, instruction.Indir
		}
		return code, 0, []rv64im.Row{row}
	case i.Op.Branch():
		return lowerBranch(code, row, next-4+i.Imm, next)
	case i.Op == instruction.ECALL:
		row.Table = table.ECALLS
		return code, 0, []rv64im.Row{row}
	case i.Op.Load() || i.Op.Store():
		code, row = lowerAccess(code, row)
		return code, 0, []rv64im.Row{row}
	}
	if value, ok := constant(pc, i); ok {
		row = rv64im.Row{PC: pc, Table: table.UJ, Rd: i.Rd}
		row.K[0] = element(next)
		row.K[1], row.K[2] = limbs(value)
		return Code{Op: instruction.Const, Rd: i.Rd, Imm: value}, 0, []rv64im.Row{row}
	}
	code, row = lowerValue(code, row)
	return code, 0, []rv64im.Row{row}
}

// addsConstant reports whether an operation adds its constant to a register.
func addsConstant(op instruction.Op) bool {
	return op.Immediate() && op.Class() == instruction.ClassAdd
}

// constant returns the value that an instruction puts into rd independently of registers.
func constant(pc uint32, i instruction.Instruction) (value int64, ok bool) {
	switch {
	case i.Op == instruction.LUI, addsConstant(i.Op) && i.Rs1 == 0:
		return i.Imm, true
	case i.Op == instruction.AUIPC:
		return int64(pc) + i.Imm, true
	}
	return 0, false
}

// lowerBranch returns a branch with its two rows: K0 is the outcome of the comparison, K1 the next address.
func lowerBranch(code Code, row rv64im.Row, target, next int64) (Code, int64, []rv64im.Row) {
	op := code.Op
	code.Imm = 0
	row.Table = op.Family()
	if equality := op == instruction.BEQ || op == instruction.BNE; equality && (row.Rs1 == 0 || row.Rs2 == 0) {
		row.Table, row.Rs1, row.Rs2 = table.BEQZ, row.Rs1|row.Rs2, 0
		code.Rs1, code.Rs2 = row.Rs1, 0
		code.Op = instruction.IfZero
		if op == instruction.BNE {
			code.Op = instruction.IfOther
		}
	}
	leads := [2]int64{next, target} // by the outcome
	if op == instruction.BNE || op == instruction.BGE || op == instruction.BGEU {
		leads = [2]int64{target, next}
	}
	rows := []rv64im.Row{row, row}
	for outcome := range rows {
		rows[outcome].K[0], rows[outcome].K[1] = element(int64(outcome)), element(leads[outcome])
	}
	return code, target, rows
}

// lowerAccess lowers loads and stores: K is the constant, and flags for sign extension and bytes.
func lowerAccess(code Code, row rv64im.Row) (Code, rv64im.Row) {
	row.Table = code.Op.Family()
	if code.Op.Load() && code.Rd == 0 {
		code.Rd, row.Rd = Sink, Sink
	}
	row.K[0], row.K[1], row.K[2] = element(code.Imm), bit(code.Op.Signed()), bit(code.Op.Width() == 1)
	return code, row
}

// lowerValue lowers instructions that compute a value from one or two registers.
func lowerValue(code Code, row rv64im.Row) (Code, rv64im.Row) {
	op, imm := code.Op, code.Imm
	row.Table = op.Family()
	switch op {
	case instruction.ADDI:
		switch {
		case imm == 0:
			row.Table, code.Op = table.MV, instruction.Move
		case row.Rd == row.Rs1:
			row.Table, row.Rs1, row.K[0] = table.ADDIQ, 0, element(imm)
			code.Op, code.Rs1 = instruction.AddIn, 0
		default:
			row.K[0] = element(imm)
		}
	case instruction.ADD:
		if row.Rs1 == 0 || row.Rs2 == 0 {
			row.Table, row.Rs1, row.Rs2 = table.MV, row.Rs1|row.Rs2, 0
			code.Op, code.Rs1, code.Rs2 = instruction.Move, row.Rs1, 0
		}
	case instruction.SUB, instruction.ADDW, instruction.SUBW:
		row.K[0], row.K[1] = bit(op != instruction.ADDW), bit(op != instruction.SUB)
	case instruction.SLT, instruction.SLTI:
		row.K[0], row.K[1] = limbs(imm)
	case instruction.SLTU, instruction.SLTIU:
		row.K[0], row.K[1] = limbs(imm)
	case instruction.MUL, instruction.MULW:
		row.K[0] = bit(op == instruction.MULW)
	case instruction.MULH, instruction.MULHSU:
		row.K[0] = bit(op == instruction.MULH)
	default:
		switch {
		case addsConstant(op):
			row.K[0] = element(imm)
		case instruction.DIV <= op && op <= instruction.REMU, instruction.DIVW <= op && op <= instruction.REMUW:
			row = division(op, row)
		default:
			row = logicOrShift(op, imm, row)
		}
	}
	return code, row
}

func division(op instruction.Op, row rv64im.Row) rv64im.Row {
	switch op {
	case instruction.DIV, instruction.REM, instruction.DIVW, instruction.REMW:
		row.K[0] = 1
	}
	row.K[1] = bit(op >= instruction.DIVW)
	switch op {
	case instruction.REM, instruction.REMU, instruction.REMW, instruction.REMUW:
		row.K[2] = 1
	}
	return row
}

// logicOrShift sets the table and the constants of logic and shifts.
func logicOrShift(op instruction.Op, imm int64, row rv64im.Row) rv64im.Row {
	switch op {
	case instruction.AND, instruction.OR, instruction.XOR:
		row.K[0] = logicOp[op]
	case instruction.ANDI, instruction.ORI, instruction.XORI:
		sign := imm < 0
		row.K[0], row.K[1], row.K[2] = logicOp[op], goldilocks.Element(imm&0xff), goldilocks.Element(imm>>8&0xff)
		// The operation applied to the upper 48 bits x: ka*x + kb*(all ones).
		switch op {
		case instruction.ANDI:
			row.K[3] = bit(sign)
		case instruction.ORI:
			row.K[3], row.K[4] = bit(!sign), bit(sign)
		case instruction.XORI:
			row.K[3], row.K[4] = 1, bit(sign)
			if sign {
				row.K[3] = element(-1)
			}
		}
	case instruction.SLLI, instruction.SRLI, instruction.SRAI:
		kind := rv64im.ShiftLeft
		if op != instruction.SLLI {
			kind = rv64im.ShiftRight
		}
		f := rv64im.ShiftConstants(kind, uint(imm))
		copy(row.K[:4], f[:4])
		row.K[4], row.K[5] = bit(op != instruction.SLLI), bit(op == instruction.SRAI)
	case instruction.SLLIW, instruction.SRLIW, instruction.SRAIW:
		row.K = rv64im.ShiftConstants(rv64im.ShiftLeftW+rv64im.ShiftKind(op-instruction.SLLIW), uint(imm))
	case instruction.SLL, instruction.SRL, instruction.SRA:
		row.K[0], row.K[1] = bit(op != instruction.SLL), bit(op == instruction.SRA)
	case instruction.SLLW, instruction.SRLW, instruction.SRAW:
		row.K[0] = goldilocks.Element(rv64im.ShiftLeftW) + goldilocks.Element(op-instruction.SLLW)
	}
	return row
}

// logicOp is the number of a logic operation in the lookup table B8.
var logicOp = map[instruction.Op]goldilocks.Element{
	instruction.AND:  0,
	instruction.ANDI: 0,
	instruction.OR:   1,
	instruction.ORI:  1,
	instruction.XOR:  2,
	instruction.XORI: 2,
}

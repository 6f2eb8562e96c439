package riscvtest

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// Registers of the programs of forms. Each round loads a and b, and loads them again into the rare registers, which few
// instructions use, so that a translation that caches few registers does not cache the rare ones.
const (
	formA, formB         = 5, 6
	formResult           = 7
	formSpare            = 8
	formConstant         = 9
	formLeft, formWord   = 10, 11 // remaining rounds; the 32-bit sum of a and b
	formBase             = 12     // aligned in every other round
	formRareA, formRareB = 18, 19
	formRareResult       = 20
)

// FormEdges are operands at which the behavior of 64-bit or 32-bit operations, signed or unsigned, changes.
var FormEdges = []uint64{
	0, 1, math.MaxUint64, 1 << 63, 1<<63 - 1, 1 << 31, 1<<31 - 1, 0xffffffff_80000000, 1<<32 - 1, 1 << 32,
	33, 0x8000_0000_8000_0001, 0x1234_5678_9abc_def0,
}

// formConstants are operands that are known before the program runs.
var formConstants = []uint64{0, 1, math.MaxUint64, 1 << 63, 1 << 31, 0xffffffff_80000000, 1<<32 - 1, 33, 0x7ff, 0x12345}

// FewPairs are operands for short runs.
var FewPairs = [][2]uint64{{1 << 63, math.MaxUint64}, {0x1234_5678_9abc_def0, 33}, {1<<31 - 1, 0xffffffff_80000000}}

// FormPairs returns all pairs of edges.
func FormPairs(edges []uint64) (pairs [][2]uint64) {
	for _, a := range edges {
		for _, b := range edges {
			pairs = append(pairs, [2]uint64{a, b})
		}
	}
	return pairs
}

// forms is a program under construction: a loop whose rounds have different operands and store all results.
type forms struct {
	*Program
	op    instruction.Op
	slots int64 // words of results per round
}

// FormsOf returns a program that executes an operation once for every pair of operands, in every form that a
// translation or a replay may treat differently: equal registers, x0, constants, 32-bit operands, results of which only
// half is needed, every alignment, targets before and after. A jump leads to each form, so that execution resumes there
// after it leaves a block. There must be at most 250 pairs.
func FormsOf(op instruction.Op, pairs [][2]uint64) *Program {
	p := NewProgram(formData(pairs))
	p.forms(op, len(pairs))
	return p
}

// FormsOfAll returns a program that does the same for all operations, one after another.
func FormsOfAll(pairs [][2]uint64) *Program {
	p := NewProgram(formData(pairs))
	for _, op := range Ops() {
		if op != instruction.ECALL && op != instruction.FENCE {
			p.Op(instruction.LUI, DataRegister, 0, 0, DataAddress)
			p.forms(op, len(pairs))
		}
	}
	return p
}

// formData returns data that starts with the pairs of operands.
func formData(pairs [][2]uint64) []byte {
	var data []byte
	for _, pair := range pairs {
		data = binary.LittleEndian.AppendUint64(data, pair[0])
		data = binary.LittleEndian.AppendUint64(data, pair[1])
	}
	return append(data, EdgeData()[:DataBytes-len(data)]...)
}

// forms appends a loop that executes an operation in every form once for each pair of operands.
func (p *Program) forms(op instruction.Op, pairs int) {
	f := &forms{Program: p, op: op}
	f.set(formLeft, uint64(pairs))
	begin := len(f.Text)
	f.Op(instruction.LD, formA, DataRegister, 0, 0)
	f.Op(instruction.LD, formB, DataRegister, 0, 8)
	f.Op(instruction.LD, formRareA, DataRegister, 0, 0)
	f.Op(instruction.LD, formRareB, DataRegister, 0, 8)
	f.Op(instruction.ANDI, formBase, formLeft, 0, 1)
	f.Op(instruction.ADD, formBase, formBase, DataRegister, 0)
	f.Op(instruction.SD, 0, DumpRegister, formA, 0)
	switch e := encodings[op]; {
	case op == instruction.LUI || op == instruction.AUIPC:
		for _, imm := range []int64{0, 4096, -4096, 1 << 30, -1 << 31, 1<<31 - 4096} {
			f.trial(formResult, func() { f.Op(op, formResult, 0, 0, imm) })
		}
	case op.Load():
		f.loads()
	case op.Store():
		f.stores()
	case op.Branch():
		f.branches()
	case op == instruction.JAL || op == instruction.JALR:
		f.jumps()
	case e.format == 'R':
		f.binary()
	case op.Immediate():
		f.immediates()
	}
	f.Op(instruction.ADDI, DataRegister, DataRegister, 0, 16)
	f.Op(instruction.ADDI, DumpRegister, DumpRegister, 0, 8*f.slots)
	f.Op(instruction.ADDI, formLeft, formLeft, 0, -1)
	f.Op(instruction.BEQ, 0, formLeft, 0, 8)
	f.Op(instruction.JAL, 0, 0, 0, int64(4*(begin-len(f.Text))))
	f.dump += 8 * f.slots * int64(pairs)
}

// set sets a register to a value that is known before the program runs.
func (p *Program) set(register uint8, value uint64) {
	if v := int64(value); v == v<<52>>52 {
		p.Op(instruction.ADDI, register, 0, 0, v)
		return
	} else if v == int64(int32(v))&^4095 {
		p.Op(instruction.LUI, register, 0, 0, v)
		return
	}
	p.Op(instruction.ADDI, register, 0, 0, int64(value>>55))
	for shift := 44; shift >= 0; shift -= 11 {
		p.Op(instruction.SLLI, register, register, 0, 11)
		p.Op(instruction.ADDI, register, register, 0, int64(value>>shift&0x7ff))
	}
}

// trial appends a form: code, and a store of the register that holds its result.
func (f *forms) trial(result uint8, code func()) {
	f.Op(instruction.JAL, 0, 0, 0, 4)
	code()
	f.Op(instruction.SD, 0, DumpRegister, result, 8*f.slots)
	f.slots++
}

// half appends a form of whose result only the lower half is used.
func (f *forms) half(code func()) {
	f.Op(instruction.JAL, 0, 0, 0, 4)
	code()
	f.Op(instruction.SW, 0, DumpRegister, formResult, 8*f.slots)
	f.Op(instruction.ADDI, formResult, 0, 0, 0)
	f.slots++
}

// extended appends two forms that sign-extend the lower half of the result, in the two ways that compilers do it.
func (f *forms) extended(code func()) {
	f.trial(formResult, func() { code(); f.Op(instruction.ADDIW, formResult, formResult, 0, 0) })
	f.trial(formResult, func() { code(); f.Op(instruction.SUBW, formResult, formResult, 0, 0) })
}

// ofWord appends a form whose operand formWord is the result of a 32-bit operation and is not needed later.
func (f *forms) ofWord(code func()) {
	f.trial(formResult, func() {
		f.Op(instruction.ADDW, formWord, formA, formB, 0)
		code()
		f.Op(instruction.ADDI, formWord, 0, 0, 0)
	})
}

// binary appends the forms of an operation on two registers.
func (f *forms) binary() {
	op := func(rd, rs1, rs2 uint8) { f.Op(f.op, rd, rs1, rs2, 0) }
	for _, same := range [][3]uint8{
		{formResult, formA, formB}, {formResult, formB, formA}, {formResult, formA, formA}, {formResult, 0, formB},
		{formResult, formA, 0}, {formResult, 0, 0}, {formResult, formRareA, formRareB}, {formRareResult, formRareA, formB},
		{formRareResult, formA, formRareB},
	} {
		f.trial(same[0], func() { op(same[0], same[1], same[2]) })
	}
	f.trial(0, func() { op(0, formA, formB) })
	for _, own := range [][3]uint8{
		{formA, formResult, formB}, {formB, formA, formResult}, {formA, formResult, formResult},
	} {
		f.trial(formResult, func() { // rd is one of the operands
			f.Op(instruction.ADDI, formResult, own[0], 0, 0)
			op(formResult, own[1], own[2])
		})
	}
	f.half(func() { op(formResult, formA, formB) })
	f.extended(func() { op(formResult, formA, formB) })
	f.ofWord(func() { op(formResult, formWord, formB) })
	f.ofWord(func() { op(formResult, formA, formWord) })
	f.half(func() {
		f.Op(instruction.ADDW, formWord, formA, formB, 0)
		op(formResult, formWord, formA)
		f.Op(instruction.ADDI, formWord, 0, 0, 0)
	})
	for _, c := range formConstants {
		f.trial(formResult, func() { f.set(formConstant, c); op(formResult, formA, formConstant) })
		f.trial(formResult, func() { f.set(formConstant, c); op(formResult, formConstant, formB) })
		f.half(func() { f.set(formConstant, c); op(formResult, formA, formConstant) })
	}
	for i, c := range formConstants { // both operands are known
		f.trial(formResult, func() {
			f.set(formConstant, c)
			f.set(formSpare, formConstants[(i+2)%len(formConstants)])
			op(formResult, formConstant, formSpare)
		})
	}
}

// immediates appends the forms of an operation on a register and an immediate.
func (f *forms) immediates() {
	for _, imm := range constants(encodings[f.op].format) {
		op := func(rd, rs1 uint8) { f.Op(f.op, rd, rs1, 0, imm) }
		f.trial(formResult, func() { op(formResult, formA) })
		f.trial(formRareResult, func() { op(formRareResult, formRareA) })
		f.trial(formResult, func() { op(formResult, 0) })
		f.trial(0, func() { op(0, formA) })
		f.trial(formResult, func() { f.Op(instruction.ADDI, formResult, formA, 0, 0); op(formResult, formResult) })
		f.half(func() { op(formResult, formA) })
		f.extended(func() { op(formResult, formA) })
		f.ofWord(func() { op(formResult, formWord) })
	}
}

// loads appends loads from every byte of two words. One pointer advances by 16 bytes each round, so that the loaded
// values have either sign, and the other is odd in every other round.
func (f *forms) loads() {
	for offset := range int64(16) {
		f.trial(formResult, func() { f.Op(f.op, formResult, DataRegister, 0, offset) })
		f.half(func() { f.Op(f.op, formResult, DataRegister, 0, offset) })
		f.trial(formResult, func() { f.Op(f.op, formResult, formBase, 0, offset) })
	}
	f.extended(func() { f.Op(f.op, formResult, DataRegister, 0, 8) })
	f.extended(func() {
		f.Op(f.op, formResult, DataRegister, 0, 8)
		f.Op(instruction.AND, formResult, formResult, formA, 0)
	})
	f.trial(formRareResult, func() { f.Op(f.op, formRareResult, DataRegister, 0, 8) })
	f.trial(0, func() { f.Op(f.op, 0, DataRegister, 0, 8) })
	f.trial(formResult, func() { // rd is also the pointer, and the offset is negative
		f.Op(instruction.ADDI, formResult, DataRegister, 0, 2047)
		f.Op(f.op, formResult, formResult, 0, 8-2047)
	})
	f.trial(formResult, func() { // the loaded value is not used
		f.Op(f.op, formResult, DataRegister, 0, 8)
		f.Op(instruction.ADDI, formResult, 0, 0, 3)
	})
}

// stores appends stores to every byte of two words, and loads of these words.
func (f *forms) stores() {
	of := func(rs1, rs2 uint8, offset int64) {
		f.Op(instruction.JAL, 0, 0, 0, 4)
		f.Op(f.op, 0, rs1, rs2, 8*f.slots+offset)
		f.trial(formResult, func() { f.Op(instruction.LD, formResult, DumpRegister, 0, 8*f.slots) })
		f.slots++ // the second word
	}
	f.Op(instruction.ANDI, formBase, formLeft, 0, 1)
	f.Op(instruction.ADD, formBase, formBase, DumpRegister, 0)
	for offset := range int64(8) {
		of(DumpRegister, formA, offset)
		of(DumpRegister, formRareB, offset)
		of(formBase, formB, offset)
	}
	// Cover every processor register that a translation may use: the low byte of some has a special encoding.
	for _, r := range []uint8{
		0, DataRegister, DumpRegister, formA, formB, formResult, formConstant, formLeft, formBase, formRareA,
	} {
		of(DumpRegister, r, 0)
	}
	for _, c := range formConstants {
		f.set(formConstant, c)
		of(DumpRegister, formConstant, 0)
	}
	f.Op(instruction.ADDW, formWord, formA, formB, 0)
	of(DumpRegister, formWord, 0)
	f.Op(instruction.ADDI, formWord, 0, 0, 0)
}

// branches appends branches over an instruction that would change the result.
func (f *forms) branches() {
	over := func(rs1, rs2 uint8) func() {
		return func() {
			f.Op(instruction.ADDI, formResult, 0, 0, 1)
			f.Op(f.op, 0, rs1, rs2, 8)
			f.Op(instruction.ADDI, formResult, 0, 0, 2)
		}
	}
	for _, r := range [][2]uint8{
		{formA, formB}, {formB, formA}, {formA, formA}, {formA, 0}, {0, formB}, {formRareA, formRareB}, {formA, formRareB},
	} {
		f.trial(formResult, over(r[0], r[1]))
	}
	f.ofWord(over(formWord, formB))
	f.ofWord(over(formA, formWord))
	for _, c := range formConstants {
		f.set(formConstant, c)
		f.trial(formResult, over(formA, formConstant))
		f.trial(formResult, over(formConstant, formB))
	}
	f.trial(formResult, func() { // backward
		f.Op(instruction.ADDI, formResult, 0, 0, 1)
		f.Op(instruction.JAL, 0, 0, 0, 12)
		f.Op(instruction.ADDI, formResult, 0, 0, 2)
		f.Op(instruction.JAL, 0, 0, 0, 8)
		f.Op(f.op, 0, formA, formB, -8)
	})
}

// jumps appends jumps over an instruction that would change the result, forward and backward. The target of a JALR is a
// register plus a constant of either sign, whose sum's lowest bit is ignored.
func (f *forms) jumps() {
	link := func(rd uint8) {
		f.Op(instruction.JAL, 0, 0, 0, 4)
		f.Op(instruction.SD, 0, DumpRegister, rd, 8*f.slots)
		f.slots++
	}
	if f.op == instruction.JAL {
		for _, rd := range []uint8{0, 1, formRareResult} {
			f.trial(formResult, func() {
				f.Op(instruction.ADDI, formResult, 0, 0, 1)
				f.Op(f.op, rd, 0, 0, 12)
				f.Op(instruction.ADDI, formResult, 0, 0, 2)
				f.Op(f.op, rd, 0, 0, 8)
				f.Op(f.op, rd, 0, 0, -8)
			})
			link(rd)
		}
		return
	}
	for _, rd := range []uint8{0, 1, formSpare} {
		for _, imm := range []int64{4, 8, -4, -8} {
			f.trial(formResult, func() { f.jumpRarely(rd, imm) })
			link(rd)
		}
		f.trial(formResult, func() { f.jumpBack(rd) })
		link(rd)
	}
	for _, known := range []bool{true, false} {
		for _, imm := range []int64{0, 1, 3, 8, 2046, 2047, -1, -2, -3, -4, -13, -2047, -2048} {
			for _, rd := range []uint8{0, 1, formSpare} {
				f.trial(formResult, func() { f.jumpBy(rd, imm, known) })
				link(rd)
			}
		}
	}
}

// jumpRarely appends a jump to the same address in all rounds but one, which differs from form to form. In that round
// the constant is added twice, so the register itself holds the target of all other rounds.
func (f *forms) jumpRarely(rd uint8, imm int64) {
	f.Op(instruction.ADDI, formResult, 0, 0, 1)
	f.Op(instruction.ADDI, formWord, formLeft, 0, -f.slots/2-1)
	f.Op(instruction.SLTIU, formWord, formWord, 0, 1)
	f.Op(instruction.SUB, formWord, 0, formWord, 0)
	f.Op(instruction.ANDI, formWord, formWord, 0, imm)
	f.Op(instruction.AUIPC, formSpare, 0, 0, 0)
	f.Op(instruction.ADDI, formSpare, formSpare, 0, 4*9-imm)
	f.Op(instruction.ADD, formSpare, formSpare, formWord, 0)
	f.Op(instruction.SD, 0, DumpRegister, formSpare, 8*f.slots)
	f.Op(instruction.LD, formSpare, DumpRegister, 0, 8*f.slots)
	f.Op(f.op, rd, formSpare, 0, imm)
	for bit := range 6 { // the usual target is the fourth
		f.Op(instruction.ADDI, formResult, formResult, 0, 2<<bit)
	}
}

// jumpBack appends a backward jump to an address that an earlier instruction computes.
func (f *forms) jumpBack(rd uint8) {
	f.Op(instruction.ADDI, formResult, 0, 0, 1)
	f.Op(instruction.JAL, 0, 0, 0, 12)
	f.Op(instruction.ADDI, formResult, formResult, 0, 8)
	f.Op(instruction.JAL, 0, 0, 0, 20)
	f.Op(instruction.AUIPC, formSpare, 0, 0, 0)
	f.Op(instruction.ADDI, formResult, formResult, 0, 2)
	f.Op(f.op, rd, formSpare, 0, -8)
	f.Op(instruction.ADDI, formResult, formResult, 0, 4)
}

// jumpBy appends a jump over the next instruction. If the register's value is not known before the program runs, the
// jump skips another instruction in every other round.
func (f *forms) jumpBy(rd uint8, imm int64, known bool) {
	f.Op(instruction.ADDI, formResult, 0, 0, 1)
	before := int64(5)
	if !known {
		before += 5
	}
	at := 4*(before+1) - imm // the register's value relative to AUIPC
	if imm%2 != 0 || imm == -2 || imm == 2046 {
		at++ // the sum is odd
	}
	f.Op(instruction.AUIPC, formSpare, 0, 0, 0)
	for range 3 {
		step := max(-2047, min(2047, at))
		f.Op(instruction.ADDI, formSpare, formSpare, 0, step)
		at -= step
	}
	if !known {
		f.Op(instruction.SLLI, formWord, formLeft, 0, 2)
		f.Op(instruction.ANDI, formWord, formWord, 0, 4)
		f.Op(instruction.ADD, formSpare, formSpare, formWord, 0)
		f.Op(instruction.SD, 0, DumpRegister, formSpare, 8*f.slots)
		f.Op(instruction.LD, formSpare, DumpRegister, 0, 8*f.slots)
	}
	f.Op(f.op, rd, formSpare, 0, imm)
	f.Op(instruction.ADDI, formResult, formResult, 0, 2)
	f.Op(instruction.ADDI, formResult, formResult, 0, 4)
	f.Op(instruction.ADDI, formResult, formResult, 0, 8)
}

// Skewed returns pairs for which a branch goes the same way with few exceptions, so that translations lay out the code
// for that way.
func Skewed(op instruction.Op, pairs [][2]uint64, taken bool) (skewed [][2]uint64) {
	others := 0
	for _, pair := range slices.Concat(pairs, pairs) {
		if _, goes := instruction.Compare(op, pair[0], pair[1]); goes == taken {
			skewed = append(skewed, pair)
		} else if others++; others%16 == 0 {
			skewed = append(skewed, pair)
		}
	}
	return skewed[:min(len(skewed), 100)]
}

package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// A branch has two program rows, one for each outcome of its comparison, which give the next address. So neither the
// target nor its direction is a column, and the constraints determine the outcome.

// IfZero has the columns of BEQZ.
type IfZero[T any] struct {
	Header[T]
	Rs1, E, NPC T
	A           Limbs[T]
	Inverse     Inverse[T] `column:"inv"`
	Previous1   T          `column:"pt0"`
}

// ifZero declares BEQZ: e says whether a is 0. alo + ahi is below 2^33, so it is 0 modulo p only if both are.
func (b *buses) ifZero(number table.Table) *row {
	r, c := newInstruction[IfZero[expr]](b, number)
	sum := c.A.Low.Add(c.A.High)
	r.assert("0 if it says so", sum.Mul(c.E))
	r.assert("not 0 if it says so", sum.Mul(c.Inverse.Column()).Sub(r.m.Sub(c.E)))
	r.goes(c.NPC)
	r.is(operands[expr]{rs1: c.Rs1}, c.E, c.NPC)
	r.reads1(c.Rs1, c.Previous1, c.A)
	return r
}

// NonResidue generates the field's units, so it is not a square.
const NonResidue = 7

// IfEqual has the columns of BEQ.
type IfEqual[T any] struct {
	Compare[T]
	E, NPC  T
	A, B    Limbs[T]
	Inverse Inverse[T] `column:"inv"`
	Sources[T]
}

// ifEqual declares BEQ: e says whether a = b. With D and Q the differences of the limbs, D^2 = 7 Q^2 only if both are
// 0.
func (b *buses) ifEqual(number table.Table) *row {
	r, c := newInstruction[IfEqual[expr]](b, number)
	d, q := c.A.Low.Sub(c.B.Low), c.A.High.Sub(c.B.High)
	r.assert("the low limbs are equal if it says so", c.E.Mul(d))
	r.assert("the high limbs are equal if it says so", c.E.Mul(q))
	r.assert("they differ if it says so",
		d.Square().Sub(q.Square().Scale(NonResidue)).Mul(c.Inverse.Column()).Sub(r.m.Sub(c.E)))
	r.goes(c.NPC)
	r.is(c.operands(), c.E, c.NPC)
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	return r
}

// Signs holds the high halves of a and b and their signs.
type Signs[T any] struct{ TA, TB, MA, MB T }

// comparison holds the columns that decide whether a is below b + i.
type comparison struct {
	operands[expr]
	Sources[expr]
	a, b, i pair
	signs   *Signs[expr] // nil where a and b have no signs
	h, less expr
	d       Halves[expr]
}

// compared declares that lt says whether a is below b + i, where i is a constant and b or i is 0. E is the difference
// of the high limbs, with their signs in signed comparisons, and D that of the limbs that decide: the low ones if h =
// 1, else the high ones. The limb d is in [0, W), all other terms in (-2W, 2W), so the last constraint holds over the
// integers: D is at least 1 if lt, and at most 0 (h = 1) or -1 (h = 0) if not. h = 1 forces equal high limbs, and h = 0
// with equal ones is impossible.
func (r *row) compared(c comparison) {
	h, lt := c.h, c.less
	blo, bhi := c.b.Low.Add(c.i.Low), c.b.High.Add(c.i.High)
	e := bhi.Sub(c.a.High)
	if s := c.signs; s != nil {
		e = e.Add(s.MA.Sub(s.MB).Scale(W))
		r.inRange16(c.a.High.Sub(s.TA.Scale(H)), bhi.Sub(s.TB.Scale(H)))
		r.hasSign(s.TA, s.MA)
		r.hasSign(s.TB, s.MB)
	}
	d := h.Select(blo.Sub(c.a.Low), e)
	r.boolean(h, lt)
	r.assert("the high limbs are equal where the low ones decide", h.Mul(e))
	r.assert("the difference is positive just where it says so",
		r.limb(c.d).Sub(lt.Mul(d.SubConstant(1))).Sub(r.m.Sub(lt).Mul(h.SubConstant(1).Sub(d))))
	r.readsBoth(c.operands, c.Sources, c.a, c.b)
	r.halvesInRange(c.d)
}

// IfLess has the columns of BLTU.
type IfLess[T any] struct {
	Compare[T]
	Less T `column:"lt"`
	NPC  T
	A, B Limbs[T]
	H    T
	D    Halves[T]
	Sources[T]
}

// ifLess declares BLTU.
func (b *buses) ifLess(number table.Table) *row {
	r, c := newInstruction[IfLess[expr]](b, number)
	r.compared(comparison{c.operands(), c.Sources, c.A, c.B, pair{r.zero(), r.zero()}, nil, c.H, c.Less, c.D})
	r.goes(c.NPC)
	r.is(c.operands(), c.Less, c.NPC)
	return r
}

// IfLessSigned has the columns of BLT.
type IfLessSigned[T any] struct {
	Compare[T]
	Less T `column:"lt"`
	NPC  T
	A, B Limbs[T]
	Signs[T]
	H T
	D Halves[T]
	Sources[T]
}

// ifLessSigned declares BLT.
func (b *buses) ifLessSigned(number table.Table) *row {
	r, c := newInstruction[IfLessSigned[expr]](b, number)
	r.compared(comparison{c.operands(), c.Sources, c.A, c.B, pair{r.zero(), r.zero()}, &c.Signs, c.H, c.Less, c.D})
	r.goes(c.NPC)
	r.is(c.operands(), c.Less, c.NPC)
	return r
}

// SetLess has the columns of SLTU.
type SetLess[T any] struct {
	Binary[T]
	I    Limbs[T] // the constant; then b is 0, the value of x0
	A, B Limbs[T]
	H    T
	Less T `column:"lt"`
	D    Halves[T]
	BinaryAccesses[T]
}

// setLess declares SLTU, of registers and of constants.
func (b *buses) setLess(number table.Table) *row {
	r, c := newInstruction[SetLess[expr]](b, number)
	r.compared(comparison{c.operands(), c.Sources, c.A, c.B, c.I, nil, c.H, c.Less, c.D})
	r.setsLess(c.Binary, c.I, c.Destination, c.Less)
	return r
}

// SetLessSigned has the columns of SLT.
type SetLessSigned[T any] struct {
	Binary[T]
	I    Limbs[T] // as in SetLess
	A, B Limbs[T]
	Signs[T]
	H    T
	Less T `column:"lt"`
	D    Halves[T]
	BinaryAccesses[T]
}

// setLessSigned declares SLT, of registers and of constants.
func (b *buses) setLessSigned(number table.Table) *row {
	r, c := newInstruction[SetLessSigned[expr]](b, number)
	r.compared(comparison{c.operands(), c.Sources, c.A, c.B, c.I, &c.Signs, c.H, c.Less, c.D})
	r.setsLess(c.Binary, c.I, c.Destination, c.Less)
	return r
}

// setsLess declares that rd becomes the outcome.
func (r *row) setsLess(c Binary[expr], constant pair, d Destination[expr], less expr) {
	r.continues()
	r.is(c.operands(), constant.Low, constant.High)
	r.writes(c.Rd, d, pair{less, r.zero()})
}

// JumpTarget has the columns of a target in a register.
type JumpTarget[T any] struct {
	Imm  T
	Base T `column:"alo"`
	LSB  T // bit 0 of base + imm
}

// jumps goes to base + imm with its lowest bit cleared. The base's high limb is the constant 0; a target is received
// only by a row whose pc is in the text, a multiple of 4, so lsb is bit 0 of the sum.
func (r *row) jumps(o operands[expr], t JumpTarget[expr], previous expr) {
	r.boolean(t.LSB)
	r.goes(t.Base.Add(t.Imm).Sub(t.LSB))
	r.is(o, t.Imm)
	r.reads1(o.rs1, previous, pair{t.Base, r.zero()})
}

// JumpRegister has the columns of JR.
type JumpRegister[T any] struct {
	Header[T]
	Rs1 T
	JumpTarget[T]
	Previous1 T `column:"pt0"`
}

// jumpRegister declares JR, a jump without a link.
func (b *buses) jumpRegister(number table.Table) *row {
	r, c := newInstruction[JumpRegister[expr]](b, number)
	r.jumps(operands[expr]{rs1: c.Rs1}, c.JumpTarget, c.Previous1)
	return r
}

// JumpRegisterLink has the columns of JALR.
type JumpRegisterLink[T any] struct {
	Unary[T]
	JumpTarget[T]
	UnaryAccesses[T]
}

// jumpRegisterLink declares JALR: rd becomes the address of the following instruction.
func (b *buses) jumpRegisterLink(number table.Table) *row {
	r, c := newInstruction[JumpRegisterLink[expr]](b, number)
	r.jumps(c.operands(), c.JumpTarget, c.Previous1)
	r.writes(c.Rd, c.Destination, pair{r.pc.AddConstant(4), r.zero()})
	return r
}

package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Jump has the columns of J.
type Jump[T any] struct {
	Header[T]
	NPC T
}

// jump declares J: an instruction that changes no register goes to a constant address.
func (b *buses) jump(number table.Table) *row {
	r, c := newInstruction[Jump[expr]](b, number)
	r.goes(c.NPC)
	r.is(operands[expr]{}, c.NPC)
	return r
}

// Constant has the columns of UJ.
type Constant[T any] struct {
	Header[T]
	Rd, NPC T
	Value   Limbs[T] `column:"lo hi"`
	Destination[T]
}

// constant declares UJ: rd becomes a constant.
func (b *buses) constant(number table.Table) *row {
	r, c := newInstruction[Constant[expr]](b, number)
	r.goes(c.NPC)
	r.is(operands[expr]{rd: c.Rd}, c.NPC, c.Value.Low, c.Value.High)
	r.writes(c.Rd, c.Destination, c.Value)
	return r
}

// Move has the columns of MV.
type Move[T any] struct {
	Unary[T]
	A Limbs[T]
	UnaryAccesses[T]
}

// move declares MV: rd becomes rs1.
func (b *buses) move(number table.Table) *row {
	r, c := newInstruction[Move[expr]](b, number)
	r.continues()
	r.is(c.operands())
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, c.A)
	return r
}

// ConstantSum has the columns of c = a + imm.
type ConstantSum[T any] struct {
	Imm     T
	A       Limbs[T]
	C       Halves[T]  // the low limb of c
	CHigh   T          `column:"chi"`
	Inverse Inverse[T] `column:"inv"`
}

// sumWithConstant declares the constraints of ADDI: (c, chi) = a + imm modulo 2^64, where imm is a signed constant of
// 12 bits.
//
// k = (alo + imm - c)/W is -1, 0 or 1, and both sides are below 2^34, so c and the carry k are correct. With X = chi -
// ahi - k either X = 0, so chi = ahi + k in [-1, W], of which the last constraint forbids -1 and W; or X = -W k is not
// 0, and the third forces chi to be 0 (k = 1) or M (k = -1), so that ahi is M or 0: exactly the wrap. chi is in range
// without lookups.
func (r *row) sumWithConstant(s ConstantSum[expr]) pair {
	c, chi := r.limb(s.C), s.CHigh
	k := r.scale(inverseW, s.A.Low.Add(s.Imm).Sub(c))
	x := chi.Sub(s.A.High).Sub(k)
	r.assert("the carry is -1, 0 or 1", k.Square().Mul(k).Sub(k))
	r.assert("the high limb takes the carry or wraps", x.Mul(x.Add(k.Scale(W))))
	r.assert("a wrap ends at 0 or M", x.Mul(chi.Double().Sub(r.one().Sub(k).Scale(M))))
	r.assert("the high limb is neither -1 nor W",
		chi.SubConstant(W).Mul(chi.AddConstant(1)).Mul(s.Inverse.Column()).Sub(r.m))
	r.halvesInRange(s.C)
	return pair{c, chi}
}

// AddConstant has the columns of ADDI.
type AddConstant[T any] struct {
	Unary[T]
	ConstantSum[T]
	UnaryAccesses[T]
}

// addConstant declares ADDI where rd and rs1 differ.
func (b *buses) addConstant(number table.Table) *row {
	r, c := newInstruction[AddConstant[expr]](b, number)
	sum := r.sumWithConstant(c.ConstantSum)
	r.continues()
	r.is(c.operands(), c.Imm)
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, sum)
	return r
}

// AddInPlace has the columns of ADDIQ.
type AddInPlace[T any] struct {
	Header[T]
	Rd T
	ConstantSum[T]
	PreviousD T `column:"pt3"`
}

// addInPlace declares ADDI where rd is rs1: one access, at the destination's slot.
func (b *buses) addInPlace(number table.Table) *row {
	r, c := newInstruction[AddInPlace[expr]](b, number)
	sum := r.sumWithConstant(c.ConstantSum)
	r.continues()
	r.is(operands[expr]{rd: c.Rd}, c.Imm)
	r.access(c.Rd, c.PreviousD, r.ts.AddConstant(3), c.A, sum)
	return r
}

// AddConstant32 has the columns of additions of a constant in 32 bits.
type AddConstant32[T any] struct {
	Unary[T]
	Imm T
	A   Limbs[T]
	C   Halves[T]
	S   T
	UnaryAccesses[T]
}

// addConstant32 declares additions of a constant in 32 bits: c is (alo + imm) mod W as in ADDI, and its sign s fills
// the high limb.
func (b *buses) addConstant32(number table.Table) *row {
	r, c := newInstruction[AddConstant32[expr]](b, number)
	k := r.scale(inverseW, c.A.Low.Add(c.Imm).Sub(r.limb(c.C)))
	r.assert("the carry is -1, 0 or 1", k.Square().Mul(k).Sub(k))
	r.continues()
	r.is(c.operands(), c.Imm)
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, pair{r.limb(c.C), c.S.Scale(M)})
	r.inRange16(c.C.Low)
	r.hasSign(c.C.High, c.S)
	return r
}

// Add has the columns of ADD.
type Add[T any] struct {
	Binary[T]
	A, B Limbs[T]
	C    Quarters[T]
	BinaryAccesses[T]
}

// add declares ADD. All sums are below 2^34, so the carries are those of integers; the result's limbs are in range.
func (b *buses) add(number table.Table) *row {
	r, c := newInstruction[Add[expr]](b, number)
	sum := r.whole(c.C)
	k0 := r.scale(inverseW, c.A.Low.Add(c.B.Low).Sub(sum.Low))
	k1 := r.scale(inverseW, c.A.High.Add(c.B.High).Add(k0).Sub(sum.High))
	r.AssertBoolean("the low carry is 0 or 1", k0)
	r.AssertBoolean("the high carry is 0 or 1", k1)
	r.continues()
	r.is(c.operands())
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, sum)
	r.halvesInRange(c.C.Low, c.C.High)
	return r
}

// Subtract has the columns of SUB.
type Subtract[T any] struct {
	Binary[T]
	FS, FW    T // whether it subtracts, and whether the result has 32 bits
	A, B      Limbs[T]
	K0, K1, S T
	C         Quarters[T]
	BinaryAccesses[T]
}

// subtract declares SUB, ADDW and SUBW. All terms are below 2^34. With g = 1 - 2 fs, k0 and k1 are carries or borrows.
// For 32 bits k1 is not used and the high limb is the sign of clo.
func (b *buses) subtract(number table.Table) *row {
	r, c := newInstruction[Subtract[expr]](b, number)
	clo, chi := r.limb(c.C.Low), r.limb(c.C.High)
	g := r.one().Sub(c.FS.Double())
	r.boolean(c.K0, c.K1)
	r.assert("the low limb", c.A.Low.Add(g.Mul(c.B.Low)).Sub(clo).Sub(g.Mul(c.K0).Scale(W)))
	r.assert("the high limb of 64 bits",
		c.FW.Not().Mul(c.A.High.Add(g.Mul(c.B.High.Add(c.K0))).Sub(chi).Sub(g.Mul(c.K1).Scale(W))))
	r.assert("the high limb of 32 bits", c.FW.Mul(chi.Sub(c.S.Scale(M))))
	r.continues()
	r.is(c.operands(), c.FS, c.FW)
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, pair{clo, chi})
	r.inRange16(c.C.Low.Low, c.C.High.Low, c.C.High.High)
	r.hasSign(c.C.Low.High, c.S)
	return r
}

package tables

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// jump declares J: what changes no register goes to a constant.
func (b *buses) jump() *row {
	r := b.newInstruction(table.J, "npc")
	r.goes(r.at("npc"))
	r.is(r.at("npc"))
	return r
}

func fillJump(l *line, x *record.Plain, k *program.Row) {
	l.header(x.Cycle, k)
	l.element(k.K[0])
}

// constant declares UJ: rd becomes a constant.
func (b *buses) constant() *row {
	r := b.newInstruction(table.UJ, "rd npc lo hi pt3 old_lo old_hi")
	r.goes(r.at("npc"))
	r.is(r.list("npc lo hi")...)
	r.writes(pair{r.at("lo"), r.at("hi")})
	return r
}

func fillConstant(l *line, x *record.Constant, k *program.Row) {
	l.header(x.Cycle, k)
	l.word(uint64(k.Rd))
	l.element(k.K[0])
	l.element(k.K[1])
	l.element(k.K[2])
	l.destination(x.PreviousD, x.Old)
}

// move declares MV: rd becomes rs1.
func (b *buses) move() *row {
	r := b.newInstruction(table.MV, "rd rs1 alo ahi pt0 pt3 old_lo old_hi")
	a := pair{r.at("alo"), r.at("ahi")}
	r.goesOn()
	r.is()
	r.reads1(a)
	r.writes(a)
	return r
}

func fillMove(l *line, x *record.Unary, k *program.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.limbs(x.A)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

// sumWithConstant declares the constraints of ADDI: (c, chi) = a + imm modulo 2^64, imm a signed constant of 12 bits.
//
// k = (alo + imm - c)/W is -1, 0 or 1, and both sides are below 2^34, so c and the carry k are right. With X = chi -
// ahi - k either X = 0, so chi = ahi + k in [-1, W], of which the last constraint forbids -1 and W; or X = -W k is not
// 0, and the third forces chi to be 0 (k = 1) or M (k = -1), so that ahi is M or 0: exactly the wrap. chi is in range
// without lookups.
func (r *row) sumWithConstant() pair {
	alo, ahi, chi := r.at("alo"), r.at("ahi"), r.at("chi")
	c := r.limb("c")
	k := r.scale(inverseW, alo.Add(r.at("imm")).Sub(c))
	x := chi.Sub(ahi).Sub(k)
	r.assert("the carry is -1, 0 or 1", k.Square().Mul(k).Sub(k))
	r.assert("the high limb takes the carry or wraps", x.Mul(x.Add(k.Scale(W))))
	r.assert("a wrap ends at 0 or M", x.Mul(chi.Double().Sub(r.one().Sub(k).Scale(M))))
	r.assert("the high limb is neither -1 nor W", chi.SubConstant(W).Mul(chi.AddConstant(1)).Mul(r.at("inv")).Sub(r.m))
	r.inRange16(r.list("c0 c1")...)
	return pair{c, chi}
}

// addConstant declares ADDI where rd and rs1 differ.
func (b *buses) addConstant() *row {
	r := b.newInstruction(table.ADDI, "rd rs1 imm alo ahi c0 c1 chi inv pt0 pt3 old_lo old_hi")
	c := r.sumWithConstant()
	r.goesOn()
	r.is(r.at("imm"))
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(c)
	return r
}

func (l *line) sumWithConstant(a, result uint64) {
	l.limbs(a)
	l.halves(low(result))
	l.word(high(result))
	chi := element(high(result))
	l.inverse(chi.Sub(W).Mul(chi.Add(1)))
}

func fillAddConstant(l *line, x *record.Unary, k *program.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.element(k.K[0])
	l.sumWithConstant(x.A, x.Result)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

// addInPlace declares ADDI where rd is rs1: one access, at the destination's slot.
func (b *buses) addInPlace() *row {
	r := b.newInstruction(table.ADDIQ, "rd imm alo ahi c0 c1 chi inv pt3")
	c := r.sumWithConstant()
	r.goesOn()
	r.is(r.at("imm"))
	r.access(r.at("rd"), r.at("pt3"), r.ts.AddConstant(3), pair{r.at("alo"), r.at("ahi")}, c)
	return r
}

func fillAddInPlace(l *line, x *record.Unary, k *program.Row) {
	l.header(x.Cycle, k)
	l.word(uint64(k.Rd))
	l.element(k.K[0])
	l.sumWithConstant(x.A, x.Result)
	l.word(uint64(x.PreviousD))
}

// addConstant32 declares ADDIW: c is (alo + imm) mod W as in ADDI, and s its sign, which fills the high limb.
func (b *buses) addConstant32() *row {
	r := b.newInstruction(table.ADDIW, "rd rs1 imm alo ahi c0 c1 s pt0 pt3 old_lo old_hi")
	k := r.scale(inverseW, r.at("alo").Add(r.at("imm")).Sub(r.limb("c")))
	r.assert("the carry is -1, 0 or 1", k.Square().Mul(k).Sub(k))
	r.goesOn()
	r.is(r.at("imm"))
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(pair{r.limb("c"), r.at("s").Scale(M)})
	r.inRange16(r.at("c0"))
	r.hasSign(r.at("c1"), r.at("s"))
	return r
}

func fillAddConstant32(l *line, x *record.Unary, k *program.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.element(k.K[0])
	l.limbs(x.A)
	l.halves(low(x.Result))
	l.word(low(x.Result) >> 31)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

// add declares ADD. All sums are below 2^34, so the carries are those of integers; the result's limbs are in range.
func (b *buses) add() *row {
	r := b.newInstruction(table.ADD, "rd rs1 rs2 alo ahi blo bhi c0 c1 c2 c3 pt0 pt1 pt3 old_lo old_hi")
	clo, chi := r.halves(r.at("c0"), r.at("c1")), r.halves(r.at("c2"), r.at("c3"))
	k0 := r.scale(inverseW, r.at("alo").Add(r.at("blo")).Sub(clo))
	k1 := r.scale(inverseW, r.at("ahi").Add(r.at("bhi")).Add(k0).Sub(chi))
	r.AssertBoolean("the low carry is 0 or 1", k0)
	r.AssertBoolean("the high carry is 0 or 1", k1)
	r.goesOn()
	r.is()
	r.readsBoth()
	r.writes(pair{clo, chi})
	r.inRange16(r.list("c0 c1 c2 c3")...)
	return r
}

// readsBoth reads both source registers, into alo, ahi and blo, bhi.
func (r *row) readsBoth() {
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.reads2(pair{r.at("blo"), r.at("bhi")})
}

func fillAdd(l *line, x *record.Binary, k *program.Row) {
	l.binary(x, k)
	l.limbs(x.A)
	l.limbs(x.B)
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.accesses(x)
}

// subtract declares SUB, ADDW and SUBW: fs says whether it subtracts, fw whether the result has 32 bits. All terms are
// below 2^34. With g = 1 - 2 fs, k0 and k1 are carries or borrows; for 32 bits k1 is used nowhere and the high limb is
// the sign of clo.
func (b *buses) subtract() *row {
	r := b.newInstruction(table.SUB, "rd rs1 rs2 fs fw alo ahi blo bhi k0 k1 s c0 c1 c2 c3 pt0 pt1 pt3 old_lo old_hi")
	clo, chi := r.halves(r.at("c0"), r.at("c1")), r.halves(r.at("c2"), r.at("c3"))
	fw, k0, k1 := r.at("fw"), r.at("k0"), r.at("k1")
	g := r.one().Sub(r.at("fs").Double())
	r.boolean("k0 k1")
	r.assert("the low limb", r.at("alo").Add(g.Mul(r.at("blo"))).Sub(clo).Sub(g.Mul(k0).Scale(W)))
	r.assert("the high limb of 64 bits",
		fw.Not().Mul(r.at("ahi").Add(g.Mul(r.at("bhi").Add(k0))).Sub(chi).Sub(g.Mul(k1).Scale(W))))
	r.assert("the high limb of 32 bits", fw.Mul(chi.Sub(r.at("s").Scale(M))))
	r.goesOn()
	r.is(r.list("fs fw")...)
	r.readsBoth()
	r.writes(pair{clo, chi})
	r.inRange16(r.list("c0 c2 c3")...)
	r.hasSign(r.at("c1"), r.at("s"))
	return r
}

func fillSubtract(l *line, x *record.Binary, k *program.Row) {
	fs, fw := k.K[0] == 1, k.K[1] == 1
	carry := func(a, b, in, result uint64) uint64 { // of a + b + in, or the borrow of a - b - in
		if fs {
			return (b + in + result - a) >> 32
		}
		return (a + b + in - result) >> 32
	}
	k0 := carry(low(x.A), low(x.B), 0, low(x.Result))
	k1 := uint64(0)
	if !fw {
		k1 = carry(high(x.A), high(x.B), k0, high(x.Result))
	}
	l.binary(x, k)
	l.element(k.K[0])
	l.element(k.K[1])
	l.limbs(x.A)
	l.limbs(x.B)
	l.word(k0)
	l.word(k1)
	l.word(low(x.Result) >> 31)
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.accesses(x)
}

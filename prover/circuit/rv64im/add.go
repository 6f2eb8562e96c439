package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// jump declares J: what changes no register goes to a constant.
func (b *buses) jump(number table.Table) *row {
	r := b.newInstruction(number, "npc")
	r.goes(r.at("npc"))
	r.is(r.at("npc"))
	return r
}

// constant declares UJ: rd becomes a constant.
func (b *buses) constant(number table.Table) *row {
	r := b.newInstruction(number, "rd npc lo hi pt3 old_lo old_hi")
	r.goes(r.at("npc"))
	r.is(r.list("npc lo hi")...)
	r.writes(pair{r.at("lo"), r.at("hi")})
	return r
}

// move declares MV: rd becomes rs1.
func (b *buses) move(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 alo ahi pt0 pt3 old_lo old_hi")
	a := pair{r.at("alo"), r.at("ahi")}
	r.goesOn()
	r.is()
	r.reads1(a)
	r.writes(a)
	return r
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
func (b *buses) addConstant(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 imm alo ahi c0 c1 chi inv pt0 pt3 old_lo old_hi")
	c := r.sumWithConstant()
	r.goesOn()
	r.is(r.at("imm"))
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(c)
	return r
}

// addInPlace declares ADDI where rd is rs1: one access, at the destination's slot.
func (b *buses) addInPlace(number table.Table) *row {
	r := b.newInstruction(number, "rd imm alo ahi c0 c1 chi inv pt3")
	c := r.sumWithConstant()
	r.goesOn()
	r.is(r.at("imm"))
	r.access(r.at("rd"), r.at("pt3"), r.ts.AddConstant(3), pair{r.at("alo"), r.at("ahi")}, c)
	return r
}

// addConstant32 declares additions of a constant in 32 bits: c is (alo + imm) mod W as in ADDI, and s its sign, which
// fills the high limb.
func (b *buses) addConstant32(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 imm alo ahi c0 c1 s pt0 pt3 old_lo old_hi")
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

// add declares ADD. All sums are below 2^34, so the carries are those of integers; the result's limbs are in range.
func (b *buses) add(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 rs2 alo ahi blo bhi c0 c1 c2 c3 pt0 pt1 pt3 old_lo old_hi")
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

// subtract declares SUB, ADDW and SUBW: fs says whether it subtracts, fw whether the result has 32 bits. All terms are
// below 2^34. With g = 1 - 2 fs, k0 and k1 are carries or borrows; for 32 bits k1 is used nowhere and the high limb is
// the sign of clo.
func (b *buses) subtract(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 rs2 fs fw alo ahi blo bhi k0 k1 s c0 c1 c2 c3 pt0 pt1 pt3 old_lo old_hi")
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

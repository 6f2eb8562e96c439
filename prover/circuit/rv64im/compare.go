package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// A branch meets one of two program rows, by the outcome of its comparison, which gives where it goes. So neither the
// target nor its direction is a column, and the constraints pin the outcome.

// ifZero declares BEQZ: e says whether a is 0. alo + ahi is below 2^33, so it is 0 modulo p only if both are.
func (b *buses) ifZero(number table.Table) *row {
	r := b.newInstruction(number, "rs1 e npc alo ahi inv pt0")
	sum := r.at("alo").Add(r.at("ahi"))
	r.assert("0 if it says so", sum.Mul(r.at("e")))
	r.assert("not 0 if it says so", sum.Mul(r.at("inv")).Sub(r.m.Sub(r.at("e"))))
	r.goes(r.at("npc"))
	r.is(r.list("e npc")...)
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	return r
}

// NonResidue generates the field's units, so it is no square.
const NonResidue = 7

// ifEqual declares BEQ: e says whether a = b. With D and Q the differences of the limbs, D^2 = 7 Q^2 only if both are
// 0.
func (b *buses) ifEqual(number table.Table) *row {
	r := b.newInstruction(number, "rs1 rs2 e npc alo ahi blo bhi inv pt0 pt1")
	d, q, e := r.at("alo").Sub(r.at("blo")), r.at("ahi").Sub(r.at("bhi")), r.at("e")
	r.assert("the low limbs are equal if it says so", e.Mul(d))
	r.assert("the high limbs are equal if it says so", e.Mul(q))
	r.assert("they differ if it says so", d.Square().Sub(q.Square().Scale(NonResidue)).Mul(r.at("inv")).Sub(r.m.Sub(e)))
	r.goes(r.at("npc"))
	r.is(r.list("e npc")...)
	r.readsBoth()
	return r
}

// compared declares that lt says whether a is below b, or below b + the constant where one of them is 0. E is the
// difference of the high limbs, signed ones where the comparison is, and D that of the limbs that decide: of the low
// ones where h = 1. The limb d is in [0, W), all else in (-2W, 2W), so the last constraint holds over the integers: D
// is at least 1 where lt, and at most 0 (h = 1) or -1 (h = 0) where not. h = 1 forces equal high limbs, and h = 0 with
// equal ones is impossible.
func (r *row) compared(isSigned bool) {
	alo, ahi, h, lt := r.at("alo"), r.at("ahi"), r.at("h"), r.at("lt")
	blo, bhi := r.at("blo").Add(r.or0("ilo")), r.at("bhi").Add(r.or0("ihi"))
	e := bhi.Sub(ahi)
	if isSigned {
		ta, tb, ma, mb := r.at("ta"), r.at("tb"), r.at("ma"), r.at("mb")
		e = e.Add(ma.Sub(mb).Scale(W))
		r.inRange16(ahi.Sub(ta.Scale(H)), bhi.Sub(tb.Scale(H)))
		r.hasSign(ta, ma)
		r.hasSign(tb, mb)
	}
	d := h.Select(blo.Sub(alo), e)
	r.boolean("h lt")
	r.assert("the high limbs are equal where the low ones decide", h.Mul(e))
	r.assert("the difference is positive just where it says so",
		r.limb("d").Sub(lt.Mul(d.SubConstant(1))).Sub(r.m.Sub(lt).Mul(h.SubConstant(1).Sub(d))))
	r.readsBoth()
	r.inRange16(r.list("d0 d1")...)
}

// ifLess declares BLTU and BLT.
func (b *buses) ifLess(number table.Table, isSigned bool) *row {
	columns := "rs1 rs2 lt npc alo ahi blo bhi "
	if isSigned {
		columns += "ta tb ma mb "
	}
	r := b.newInstruction(number, columns+"h d0 d1 pt0 pt1")
	r.compared(isSigned)
	r.goes(r.at("npc"))
	r.is(r.list("lt npc")...)
	return r
}

// setLess declares SLTU and SLT, of registers and of constants ilo, ihi: then b is x0's 0.
func (b *buses) setLess(number table.Table, isSigned bool) *row {
	columns := "rd rs1 rs2 ilo ihi alo ahi blo bhi "
	if isSigned {
		columns += "ta tb ma mb "
	}
	r := b.newInstruction(number, columns+"h lt d0 d1 pt0 pt1 pt3 old_lo old_hi")
	r.compared(isSigned)
	r.goesOn()
	r.is(r.list("ilo ihi")...)
	r.writes(pair{r.at("lt"), r.zero()})
	return r
}

// jumpRegister declares JALR and, without a link, JR: the target is alo + imm with its lowest bit cleared. The base's
// high limb is the constant 0; a target is received only by a row whose pc is in the text, a multiple of 4, so lsb is
// bit 0 of the sum.
func (b *buses) jumpRegister(number table.Table, link bool) *row {
	columns := "rs1 imm alo lsb pt0"
	if link {
		columns = "rd rs1 imm alo lsb pt0 pt3 old_lo old_hi"
	}
	r := b.newInstruction(number, columns)
	r.boolean("lsb")
	r.goes(r.at("alo").Add(r.at("imm")).Sub(r.at("lsb")))
	r.is(r.at("imm"))
	r.reads1(pair{r.at("alo"), r.zero()})
	if link {
		r.writes(pair{r.pc.AddConstant(4), r.zero()})
	}
	return r
}

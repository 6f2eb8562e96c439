package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// lessM is v - M: not 0 just where a limb is not M.
func lessM(v air.Expr) air.Expr { return v.SubConstant(M) }

// multiply declares MUL and, with fw, MULW. c is the low limb of the product, e the high one.
//
// alo blo = c + W h is at most p - W and h + alo bhi = u + W g at most p - 2; with h and g other than M both hold over
// the integers. u + ahi blo = e + W k is at most p - 1, where k = M must mean e = 0. So the high limb modulo W is e.
// For 32 bits e is the sign of c.
func (b *buses) multiply(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 fw alo ahi blo bhi c0 c1 h0 h1 u0 u1 g0 g1 e0 e1 k0 k1 s inv1 inv2 pt0 pt1 pt3 old_lo old_hi")
	c, h, u, g, e, k := r.limb("c"), r.limb("h"), r.limb("u"), r.limb("g"), r.limb("e"), r.limb("k")
	fw := r.at("fw")
	r.assert("alo blo", r.at("alo").Mul(r.at("blo")).Sub(c).Sub(h.Scale(W)))
	r.assert("alo bhi", h.Add(r.at("alo").Mul(r.at("bhi"))).Sub(u).Sub(g.Scale(W)))
	r.assert("neither carry is M", lessM(h).Mul(lessM(g)).Mul(r.at("inv1")).Sub(r.m))
	r.assert("ahi blo", fw.Not().Mul(u.Add(r.at("ahi").Mul(r.at("blo"))).Sub(e).Sub(k.Scale(W))))
	r.assert("0 where the last carry is M", e.Mul(lessM(k).Mul(r.at("inv2")).SubConstant(1)))
	r.assert("the high limb of 32 bits", fw.Mul(e.Sub(r.at("s").Scale(M))))
	r.goesOn()
	r.is(fw)
	r.readsBoth()
	r.writes(pair{c, e})
	r.inRange16(r.list("c0 h0 h1 u0 u1 g0 g1 e0 e1 k0 k1")...)
	r.hasSign(r.at("c1"), r.at("s"))
	return r
}

// product declares the whole product of a and b without signs: limbs l, v, y + k and j, the last two to be added up.
// The steps are those of MUL, and g + ahi bhi = y + W j is at most p - 2, so that j is not M.
func (r *row) product() {
	h, u, g, v, k, y, j := r.limb("h"), r.limb("u"), r.limb("g"), r.limb("v"), r.limb("k"), r.limb("y"), r.limb("j")
	r.assert("alo blo", r.at("alo").Mul(r.at("blo")).Sub(r.limb("l")).Sub(h.Scale(W)))
	r.assert("alo bhi", h.Add(r.at("alo").Mul(r.at("bhi"))).Sub(u).Sub(g.Scale(W)))
	r.assert("neither carry is M", lessM(h).Mul(lessM(g)).Mul(r.at("inv1")).Sub(r.m))
	r.assert("ahi blo", u.Add(r.at("ahi").Mul(r.at("blo"))).Sub(v).Sub(k.Scale(W)))
	r.assert("0 where its carry is M", v.Mul(lessM(k).Mul(r.at("inv2")).SubConstant(1)))
	r.assert("ahi bhi", g.Add(r.at("ahi").Mul(r.at("bhi"))).Sub(y).Sub(j.Scale(W)))
	r.assert("the top limb is not M", lessM(j).Mul(r.at("inv3")).Sub(r.m))
	r.inRange16(r.list("l0 l1 h0 h1 u0 u1 g0 g1 v0 v1 k0 k1 y0 y1 j0 j1")...)
}

// multiplyHigh declares MULHU: y + k = c + W kk is exact, and the high limb j + kk is at most M.
func (b *buses) multiplyHigh(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 alo ahi blo bhi l0 l1 h0 h1 u0 u1 g0 g1 v0 v1 k0 k1 y0 y1 j0 j1 c0 c1 inv1 inv2 inv3 "+
			"pt0 pt1 pt3 old_lo old_hi")
	kk := r.scale(inverseW, r.limb("y").Add(r.limb("k")).Sub(r.limb("c")))
	r.product()
	r.AssertBoolean("the carry is 0 or 1", kk)
	r.goesOn()
	r.is()
	r.readsBoth()
	r.writes(pair{r.limb("c"), r.limb("j").Add(kk)})
	r.inRange16(r.list("c0 c1")...)
	return r
}

// multiplyHighSigned declares MULH and, with fb = 0, MULHSU; a is signed in both. The signed high half is the unsigned
// one less va b and vb a modulo 2^64. All terms are below 2^36, so both equations hold over the integers: c in range
// fixes q - kk, from -1 to 2, and e in range fixes q1, from 0 to 2.
func (b *buses) multiplyHighSigned(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 fb alo ahi blo bhi l0 l1 h0 h1 u0 u1 g0 g1 v0 v1 k0 k1 y0 y1 j0 j1 inv1 inv2 inv3 "+
			"ta va vb tb kk q q1 c0 c1 e0 e1 pt0 pt1 pt3 old_lo old_hi")
	va, vb, fb, q, q1 := r.at("va"), r.at("vb"), r.at("fb"), r.at("q"), r.at("q1")
	c, e, carry := r.limb("c"), r.limb("e"), q.Sub(r.at("kk"))
	r.product()
	r.boolean("fb kk")
	r.assert("b has no sign unless it is signed", fb.Not().Mul(vb))
	r.assert("the first borrow is 0, 1 or 2", q.Mul(q.SubConstant(1)).Mul(q.SubConstant(2)))
	r.assert("the second borrow is 0, 1 or 2", q1.Mul(q1.SubConstant(1)).Mul(q1.SubConstant(2)))
	r.assert("the low limb", r.limb("y").Add(r.limb("k")).Sub(va.Mul(r.at("blo"))).Sub(vb.Mul(r.at("alo"))).Sub(c).
		Add(carry.Scale(W)))
	r.assert("the high limb",
		r.limb("j").Sub(va.Mul(r.at("bhi"))).Sub(vb.Mul(r.at("ahi"))).Sub(carry).Sub(e).Add(q1.Scale(W)))
	r.goesOn()
	r.is(fb)
	r.readsBoth()
	r.writes(pair{c, e})
	r.inRange16(r.list("c0 c1 e0 e1")...)
	r.inRange16(r.at("ahi").Sub(r.at("ta").Scale(H)))
	r.hasSign(r.at("ta"), va)
	r.range16.Ask(r.Builder, r.m.Mul(fb), inRange{r.at("bhi").Sub(r.at("tb").Scale(H))})
	r.sign.Ask(r.Builder, r.m.Mul(fb), sign{r.one(), r.at("tb"), vb})
	return r
}

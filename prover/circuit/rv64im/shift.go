package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// shifted64 declares a shift of 64 bits by 16 q + t. To the left p = 2^t and d = 0, to the right p = 2^(16-t) and d =
// 1. The product a p is cut into digits w0, w1, (h), w2, w3 of 16 bits and the rest u at the top; h is what the low
// limb's product carries into the high one's. fa says that it is arithmetic, f1 to f3 which q it is.
//
//   - p alo is at most 2^48 and the right side below 2^49, so w0, w1, h are the digits. p ahi + h likewise: as w2 + H
//     w3 is below W, w4 - s (H - p) = u is what lies above, the top bits of a, for either s.
//   - Where fa = 0, s = 0 and w4 = u. Where fa = 1, v p = H u, all below 2^33: v is u moved to the top of 16 bits,
//     whose sign is that of a. w4 is u filled up with the sign, F the digits above.
//   - The result are 64 bits of the digits from place q to the left, or 1 + q to the right. Only h and w4 are dropped
//     bits, and both are in range, so nothing can move into them.
func (r *row) shifted64() pair {
	p, d, fa, s, v := r.at("p"), r.at("d"), r.at("fa"), r.at("s"), r.at("v")
	w0, w1, w2, w3, w4, h := r.at("w0"), r.at("w1"), r.at("w2"), r.at("w3"), r.at("w4"), r.at("h")
	fill := s.Scale(H - 1)
	top := w4.Sub(s.Mul(r.Constant(H).Sub(p)))
	r.boolean("fa")
	r.assert("no sign unless it is arithmetic", fa.Not().Mul(s))
	r.assert("the low product", p.Mul(r.at("alo")).Sub(r.halves(w0, w1)).Sub(h.Scale(W)))
	r.assert("the high product", p.Mul(r.at("ahi")).Add(h).Sub(r.halves(w2, w3)).Sub(top.Scale(W)))
	r.assert("the sign is looked up", fa.Mul(v.Mul(p).Sub(top.Scale(H))))
	f := []air.Expr{r.one().Sub(r.at("f1")).Sub(r.at("f2")).Sub(r.at("f3")), r.at("f1"), r.at("f2"), r.at("f3")}
	zero := r.zero()
	left := [4]pair{{r.halves(w0, w1), r.halves(w2, w3)}, {r.halves(zero, w0), r.halves(w1, w2)}, {zero, r.halves(w0, w1)},
		{zero, r.halves(zero, w0)}}
	right := [4]pair{{r.halves(w1, w2), r.halves(w3, w4)}, {r.halves(w2, w3), r.halves(w4, fill)},
		{r.halves(w3, w4), r.halves(fill, fill)}, {r.halves(w4, fill), r.halves(fill, fill)}}
	for i, c := range r.list("clo chi") {
		sum := zero
		for q := range f {
			sum = sum.Add(f[q].Mul(d.Select(right[q][i], left[q][i])))
		}
		r.assert([]string{"the low limb", "the high limb"}[i], c.Sub(sum))
	}
	r.inRange16(w0, w1, w2, w3, w4, h)
	r.sign.Ask(r.Builder, r.m.Mul(fa), sign{r.one(), v, s})
	return pair{r.at("clo"), r.at("chi")}
}

// shifted32 declares a shift of the low limb by 16 q + t, filled up to 64 bits with the result's sign. e0 and e1 are to
// the left with q = 0 and 1, e2 and e3 (what is left of 1) to the right, e4 and e5 to the right and arithmetic. v is
// the top half of the result (left, logical), or the top bits of a moved to the top of 16 bits (arithmetic), so s is
// the sign.
func (r *row) shifted32() pair {
	p, s, v, w0, w1, w2 := r.at("p"), r.at("s"), r.at("v"), r.at("w0"), r.at("w1"), r.at("w2")
	e0, e1, e2, e4, e5 := r.at("e0"), r.at("e1"), r.at("e2"), r.at("e4"), r.at("e5")
	e3 := r.one().Sub(r.Sum(e0, e1, e2, e4, e5))
	r.assert("the product", p.Mul(r.at("alo")).Sub(r.halves(w0, w1)).Sub(w2.Scale(W)))
	r.assert("the sign is looked up", r.Sum(e0.Mul(v.Sub(w1)), e1.Mul(v.Sub(w0)), e2.Mul(v.Sub(w2)), e3.Mul(v),
		e4.Add(e5).Mul(v.Mul(p).Sub(w2.Scale(H)))))
	r.assert("the low limb", r.at("clo").Sub(r.Sum(e0.Mul(r.halves(w0, w1)), e1.Mul(w0.Scale(H)), e2.Mul(r.halves(w1, w2)),
		e3.Mul(w2),
		e4.Mul(r.halves(w1, w2.Add(s.Mul(r.Constant(H).Sub(p))))), e5.Mul(w2.Add(s.Mul(r.Constant(W).Sub(p)))))))
	r.inRange16(w0, w1, w2)
	r.hasSign(v, s)
	return pair{r.at("clo"), s.Scale(M)}
}

// shiftConstant declares SHI, shifts of 64 bits by a constant.
func (b *buses) shiftConstant(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 p f1 f2 f3 d fa alo ahi w0 w1 h w2 w3 w4 s v clo chi pt0 pt3 old_lo old_hi")
	c := r.shifted64()
	r.goesOn()
	r.is(r.list("p f1 f2 f3 d fa")...)
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(c)
	return r
}

// shiftConstant32 declares SHWI, shifts of 32 bits by a constant.
func (b *buses) shiftConstant32(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 p e0 e1 e2 e4 e5 alo ahi w0 w1 w2 v s clo pt0 pt3 old_lo old_hi")
	c := r.shifted32()
	r.goesOn()
	r.is(r.list("p e0 e1 e2 e4 e5")...)
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(c)
	return r
}

// amount declares that sh is blo mod 2^bits: blo = sh + 2^bits (q0 + H q1) is below 2^39, so it holds over the
// integers, and sh is below 2^bits by its lookup. The high limb is ignored, as the instruction set says.
func (r *row) amount(inverse goldilocks.Element, kind, factor air.Expr, flags ...air.Expr) {
	sh, q0 := r.at("sh"), r.at("q0")
	r.inRange16(q0, r.scale(inverseH, r.scale(inverse, r.at("blo").Sub(sh)).Sub(q0)))
	message := shift{Kind: kind, Amount: sh, Factor: factor}
	for i := range message.Flags {
		message.Flags[i] = r.zero()
	}
	copy(message.Flags[:], flags)
	r.shift.Ask(r.Builder, r.m, message)
}

// shiftRegister declares SHR, shifts of 64 bits by a register.
func (b *buses) shiftRegister(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 d fa blo bhi p f1 f2 f3 alo ahi sh q0 w0 w1 h w2 w3 w4 s v clo chi pt0 pt1 pt3 old_lo old_hi")
	c := r.shifted64()
	r.goesOn()
	r.is(r.list("d fa")...)
	r.readsBoth()
	r.writes(c)
	r.amount(inverse64, r.at("d").Double(), r.at("p"), r.list("f1 f2 f3")...)
	return r
}

// shiftRegister32 declares SHWR, shifts of 32 bits by a register.
func (b *buses) shiftRegister32(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 kd blo bhi p e0 e1 e2 e4 e5 alo ahi sh q0 w0 w1 w2 v s clo pt0 pt1 pt3 old_lo old_hi")
	c := r.shifted32()
	r.goesOn()
	r.is(r.at("kd"))
	r.readsBoth()
	r.writes(c)
	r.amount(inverse32, r.at("kd"), r.at("p"), r.list("e0 e1 e2 e4 e5")...)
	return r
}

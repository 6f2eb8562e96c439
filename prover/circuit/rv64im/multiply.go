package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// lessM returns v - M, which is 0 exactly where a limb is M.
func lessM(v expr) expr { return v.SubConstant(M) }

// Multiply has the columns of MUL.
type Multiply[T any] struct {
	Binary[T]
	FW               T // whether the result has 32 bits
	A, B             Limbs[T]
	C, H, U, G, E, K Halves[T]
	S                T
	Inv1, Inv2       Inverse[T]
	BinaryAccesses[T]
}

// multiply declares MUL and, with fw, MULW. c is the low limb of the product, e the high one.
//
// alo blo = c + W h is at most p - W and h + alo bhi = u + W g at most p - 2; with h and g other than M both hold over
// the integers. u + ahi blo = e + W k is at most p - 1, where k = M must mean e = 0. So the high limb modulo W is e.
// For 32 bits e is the sign of c.
func (b *buses) multiply(number table.Table) *row {
	r, x := newInstruction[Multiply[expr]](b, number)
	c, h, u, g, e, k := r.limb(x.C), r.limb(x.H), r.limb(x.U), r.limb(x.G), r.limb(x.E), r.limb(x.K)
	r.assert("alo blo", x.A.Low.Mul(x.B.Low).Sub(c).Sub(h.Scale(W)))
	r.assert("alo bhi", h.Add(x.A.Low.Mul(x.B.High)).Sub(u).Sub(g.Scale(W)))
	r.assert("neither carry is M", lessM(h).Mul(lessM(g)).Mul(x.Inv1.Column()).Sub(r.m))
	r.assert("ahi blo", x.FW.Not().Mul(u.Add(x.A.High.Mul(x.B.Low)).Sub(e).Sub(k.Scale(W))))
	r.assert("0 where the last carry is M", e.Mul(lessM(k).Mul(x.Inv2.Column()).SubConstant(1)))
	r.assert("the high limb of 32 bits", x.FW.Mul(e.Sub(x.S.Scale(M))))
	r.continues()
	r.is(x.operands(), x.FW)
	r.readsBoth(x.operands(), x.Sources, x.A, x.B)
	r.writes(x.Rd, x.Destination, pair{c, e})
	r.inRange16(x.C.Low)
	r.halvesInRange(x.H, x.U, x.G, x.E, x.K)
	r.hasSign(x.C.High, x.S)
	return r
}

// Product has the limbs of a full product, and of its carries.
type Product[T any] struct{ L, H, U, G, V, K, Y, J Halves[T] }

// ProductInverses show that carries of a product are not M.
type ProductInverses[T any] struct{ Inv1, Inv2, Inv3 Inverse[T] }

// product declares the full unsigned product of a and b: limbs l, v, y + k and j. The carry of y + k is not yet added
// to j. The steps are those of MUL, and g + ahi bhi = y + W j is at most p - 2, so that j is not M.
func (r *row) product(a, b pair, p Product[expr], inverses ProductInverses[expr]) {
	h, u, g, v, k, y, j := r.limb(p.H), r.limb(p.U), r.limb(p.G), r.limb(p.V), r.limb(p.K), r.limb(p.Y), r.limb(p.J)
	r.assert("alo blo", a.Low.Mul(b.Low).Sub(r.limb(p.L)).Sub(h.Scale(W)))
	r.assert("alo bhi", h.Add(a.Low.Mul(b.High)).Sub(u).Sub(g.Scale(W)))
	r.assert("neither carry is M", lessM(h).Mul(lessM(g)).Mul(inverses.Inv1.Column()).Sub(r.m))
	r.assert("ahi blo", u.Add(a.High.Mul(b.Low)).Sub(v).Sub(k.Scale(W)))
	r.assert("0 where its carry is M", v.Mul(lessM(k).Mul(inverses.Inv2.Column()).SubConstant(1)))
	r.assert("ahi bhi", g.Add(a.High.Mul(b.High)).Sub(y).Sub(j.Scale(W)))
	r.assert("the top limb is not M", lessM(j).Mul(inverses.Inv3.Column()).Sub(r.m))
	r.halvesInRange(p.L, p.H, p.U, p.G, p.V, p.K, p.Y, p.J)
}

// MultiplyHigh has the columns of MULHU.
type MultiplyHigh[T any] struct {
	Binary[T]
	A, B Limbs[T]
	Product[T]
	C Halves[T]
	ProductInverses[T]
	BinaryAccesses[T]
}

// multiplyHigh declares MULHU: y + k = c + W kk is exact, and the high limb j + kk is at most M.
func (b *buses) multiplyHigh(number table.Table) *row {
	r, c := newInstruction[MultiplyHigh[expr]](b, number)
	kk := r.scale(inverseW, r.limb(c.Y).Add(r.limb(c.K)).Sub(r.limb(c.C)))
	r.product(c.A, c.B, c.Product, c.ProductInverses)
	r.AssertBoolean("the carry is 0 or 1", kk)
	r.continues()
	r.is(c.operands())
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, pair{r.limb(c.C), r.limb(c.J).Add(kk)})
	r.halvesInRange(c.C)
	return r
}

// MultiplyHighSigned has the columns of MULH.
type MultiplyHighSigned[T any] struct {
	Binary[T]
	FB   T // whether b is signed
	A, B Limbs[T]
	Product[T]
	ProductInverses[T]
	TA, VA, VB, TB T // high halves, and signs
	KK, Q, Q1      T
	C, E           Halves[T]
	BinaryAccesses[T]
}

// multiplyHighSigned declares MULH and, with fb = 0, MULHSU; a is signed in both. The signed high half is the unsigned
// one minus va b and vb a modulo 2^64. All terms are below 2^36, so both equations hold over the integers: c in range
// fixes q - kk, from -1 to 2, and e in range fixes q1, from 0 to 2.
func (b *buses) multiplyHighSigned(number table.Table) *row {
	r, x := newInstruction[MultiplyHighSigned[expr]](b, number)
	va, vb, fb, q, q1 := x.VA, x.VB, x.FB, x.Q, x.Q1
	c, e, carry := r.limb(x.C), r.limb(x.E), q.Sub(x.KK)
	r.product(x.A, x.B, x.Product, x.ProductInverses)
	r.boolean(fb, x.KK)
	r.assert("b has no sign unless it is signed", fb.Not().Mul(vb))
	r.assert("the first borrow is 0, 1 or 2", q.Mul(q.SubConstant(1)).Mul(q.SubConstant(2)))
	r.assert("the second borrow is 0, 1 or 2", q1.Mul(q1.SubConstant(1)).Mul(q1.SubConstant(2)))
	r.assert("the low limb", r.limb(x.Y).Add(r.limb(x.K)).Sub(va.Mul(x.B.Low)).Sub(vb.Mul(x.A.Low)).Sub(c).
		Add(carry.Scale(W)))
	r.assert("the high limb",
		r.limb(x.J).Sub(va.Mul(x.B.High)).Sub(vb.Mul(x.A.High)).Sub(carry).Sub(e).Add(q1.Scale(W)))
	r.continues()
	r.is(x.operands(), fb)
	r.readsBoth(x.operands(), x.Sources, x.A, x.B)
	r.writes(x.Rd, x.Destination, pair{c, e})
	r.halvesInRange(x.C, x.E)
	r.inRange16(x.A.High.Sub(x.TA.Scale(H)))
	r.hasSign(x.TA, va)
	r.range16.Ask(r.Builder, r.m.Mul(fb), inRange{x.B.High.Sub(x.TB.Scale(H))})
	r.sign.Ask(r.Builder, r.m.Mul(fb), sign{r.one(), x.TB, vb})
	return r
}

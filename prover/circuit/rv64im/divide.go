package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Divide has the columns of DIV.
type Divide[T any] struct {
	Binary[T]
	FS, FW, FR T // whether it is signed, has 32 bits, and gives the remainder
	A, B       Limbs[T]
	MA         Magnitude[T] `column:"ta sa tha ka ia al ah"`
	MB         Magnitude[T] `column:"tb sb thb kb ib bl bh"`
	Z          T            // whether the divisor is 0
	IZ         Inverse[T]
	Q          Quarters[T] `column:"Q0 Q1 U0 U1"` // the quotient
	R          Quarters[T] `column:"R0 R1 V0 V1"` // the remainder
	H, D       Halves[T]
	C          Quarters[T] `column:"c0 c1 e0 e1"` // the result
	IH, IQ     Inverse[T]
	HH, SQ, SC T
	X          Limbs[T] `column:"xl xh"` // the magnitude of the result
	K1, K2, SW T
	BinaryAccesses[T]
}

// Magnitude has the columns of |o|.
type Magnitude[T any] struct {
	Top, S  T // the limb with the sign, and the sign; 0 if it is unsigned
	TopHalf T // the high half of the top limb, if it is signed
	K       T // whether the low limb is not 0
	I       Inverse[T]
	Value   Limbs[T]
}

// divide declares all divisions and remainders. Euclid's division divides magnitudes; the sign is applied afterwards.
func (b *buses) divide(number table.Table) *row {
	r, c := newInstruction[Divide[expr]](b, number)
	r.boolean(c.FS)
	r.magnitude("a", &c, c.A, c.MA)
	r.magnitude("b", &c, c.B, c.MB)
	r.euclid(&c)
	r.divisionSign(&c)
	r.continues()
	r.is(c.operands(), c.FS, c.FW, c.FR)
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, r.whole(c.C))
	r.halvesInRange(c.Q.Low, c.Q.High, c.R.Low, c.R.High, c.H, c.D)
	r.inRange16(c.C.Low.Low, c.C.High.Low, c.C.High.High)
	r.hasSign(c.C.Low.High, c.SW)
	for _, o := range []Magnitude[expr]{c.MA, c.MB} {
		r.range16.Ask(r.Builder, r.m.Mul(c.FS), inRange{o.Top.Sub(o.TopHalf.Scale(H))})
		r.sign.Ask(r.Builder, r.m.Mul(c.FS), sign{r.one(), o.TopHalf, o.S})
	}
	return r
}

// magnitude declares that (ol, oh) is |o|: s is the sign of the top limb t, or 0, and k says whether the low limb is
// not 0. Magnitudes are at most 2^63 where signed; oh is 0 for 32 bits.
func (r *row) magnitude(name string, c *Divide[expr], o pair, m Magnitude[expr]) {
	s, k := m.S, m.K
	of := func(what string) string { return what + " of " + name }
	r.assert(of("the top limb"), m.Top.Sub(c.FW.Select(o.Low, o.High)))
	r.assert(of("no sign unless it is signed"), c.FS.Not().Mul(s))
	r.assert(of("whether the low limb is 0"), o.Low.Mul(m.I.Column()).Sub(k))
	r.assert(of("it is 0 if it says so"), k.Not().Mul(o.Low))
	r.assert(of("the magnitude's low limb"), m.Value.Low.Sub(o.Low.Add(s.Mul(k.Scale(W).Sub(o.Low.Double())))))
	r.assert(of("the magnitude's high limb"),
		m.Value.High.Sub(c.FW.Not().Mul(o.High.Add(s.Mul(r.Constant(W).Sub(k).Sub(o.High.Double()))))))
}

// euclid declares |a| = (Q + W U) |b| + (R + W V) with the remainder below |b|, or quotient 2^64 - 1 and remainder |a|
// for b = 0.
//
// Q bl + R is at most p - 1 and al + W h at most p + W - 2, so h other than M makes the low equation exact. U bh = 0
// leaves one of two products, T = Q bh + U bl = ah - h - V modulo p, which is at least -(2M - 1); T = that + p would
// need T of at least W^2 - 3W + 4, which only a product M M reaches, and iq excludes both such products. So nothing
// overflows. The remainder is compared as in [row.compared], its difference d in range. A division has one result.
func (r *row) euclid(c *Divide[expr]) {
	q, u, rest, v, h := r.limb(c.Q.Low), r.limb(c.Q.High), r.limb(c.R.Low), r.limb(c.R.High), r.limb(c.H)
	al, ah, bl, bh, z, hh := c.MA.Value.Low, c.MA.Value.High, c.MB.Value.Low, c.MB.Value.High, c.Z, c.HH
	b := bl.Add(bh)
	r.assert("0 if it says so", b.Mul(z))
	r.assert("not 0 if it says so", b.Mul(c.IZ.Column()).Sub(r.m.Sub(z)))
	r.assert("the quotient by 0, low limb", z.Mul(lessM(q)))
	r.assert("the quotient by 0, high limb", z.Mul(lessM(u)))
	r.assert("the low limb of the dividend", q.Mul(bl).Add(rest).Sub(al).Sub(h.Scale(W)))
	r.assert("its carry is not M", lessM(h).Mul(c.IH.Column()).Sub(r.m))
	r.assert("no product of high limbs", u.Mul(bh))
	r.assert("the high limb of the dividend", q.Mul(bh).Add(u.Mul(bl)).Add(h).Add(v).Sub(ah))
	r.assert("no product of M by M",
		q.Add(bh).SubConstant(2*M).Mul(u.Add(bl).SubConstant(2*M)).Mul(c.IQ.Column()).Sub(r.m))
	r.boolean(hh)
	r.assert("the high limbs are equal where the low ones decide", hh.Mul(bh.Sub(v)))
	r.assert("the remainder is less",
		r.limb(c.D).Sub(r.m.Sub(z).Mul(hh.Select(bl.Sub(rest), bh.Sub(v)).SubConstant(1))))
}

// divisionSign declares the result: the quotient is negative if exactly one operand is and the divisor is not 0; the
// remainder has the dividend's sign. x negated is W k1 - xl and W k2 - k1 - xh, where limbs in range fix k1 and k2.
func (r *row) divisionSign(c *Divide[expr]) {
	sa, sb, sq, sc, fr, fw := c.MA.S, c.MB.S, c.SQ, c.SC, c.FR, c.FW
	xl, xh, k1, k2, e := c.X.Low, c.X.High, c.K1, c.K2, r.limb(c.C.High)
	r.assert("the quotient's sign", sq.Sub(c.Z.Not().Mul(sa.Add(sb).Sub(sa.Mul(sb).Double()))))
	r.assert("the result's sign", sc.Sub(fr.Select(sa, sq)))
	r.assert("the low limb wanted", xl.Sub(fr.Select(r.limb(c.R.Low), r.limb(c.Q.Low))))
	r.assert("the high limb wanted", xh.Sub(fr.Select(r.limb(c.R.High), r.limb(c.Q.High))))
	r.boolean(k1, k2)
	r.assert("the low limb", r.limb(c.C.Low).Sub(xl.Add(sc.Mul(k1.Scale(W).Sub(xl.Double())))))
	r.assert("the high limb of 64 bits", fw.Not().Mul(e.Sub(xh).Sub(sc.Mul(k2.Scale(W).Sub(k1).Sub(xh.Double())))))
	r.assert("the high limb of 32 bits", fw.Mul(e.Sub(c.SW.Scale(M))))
}

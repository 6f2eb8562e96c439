package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// divide declares all divisions and remainders: fs says that they are signed, fw that they have 32 bits, fr that the
// remainder is wanted. Euclid's division is of magnitudes, and the sign is put back afterwards.
func (b *buses) divide(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 fs fw fr alo ahi blo bhi ta sa tha ka ia al ah tb sb thb kb ib bl bh z iz "+
			"Q0 Q1 U0 U1 R0 R1 V0 V1 h0 h1 d0 d1 c0 c1 e0 e1 ih iq hh sq sc xl xh k1 k2 sw pt0 pt1 pt3 old_lo old_hi")
	r.boolean("fs")
	r.magnitude("a")
	r.magnitude("b")
	r.euclid()
	r.divisionSign()
	r.goesOn()
	r.is(r.list("fs fw fr")...)
	r.readsBoth()
	r.writes(pair{r.limb("c"), r.limb("e")})
	r.inRange16(r.list("Q0 Q1 U0 U1 R0 R1 V0 V1 h0 h1 d0 d1 c0 e0 e1")...)
	r.hasSign(r.at("c1"), r.at("sw"))
	for _, o := range []string{"a", "b"} {
		r.range16.Ask(r.Builder, r.m.Mul(r.at("fs")), inRange{r.at("t" + o).Sub(r.at("th" + o).Scale(H))})
		r.sign.Ask(r.Builder, r.m.Mul(r.at("fs")), sign{r.one(), r.at("th" + o), r.at("s" + o)})
	}
	return r
}

// magnitude declares that (ol, oh) is |o|: s is the sign of the top limb t, or 0, and k says whether the low limb is
// not 0. Magnitudes are at most 2^63 where signed; oh is 0 for 32 bits.
func (r *row) magnitude(o string) {
	olo, ohi, fw := r.at(o+"lo"), r.at(o+"hi"), r.at("fw")
	t, s, k := r.at("t"+o), r.at("s"+o), r.at("k"+o)
	of := func(what string) string { return what + " of " + o }
	r.assert(of("the top limb"), t.Sub(fw.Select(olo, ohi)))
	r.assert(of("no sign unless it is signed"), r.at("fs").Not().Mul(s))
	r.assert(of("whether the low limb is 0"), olo.Mul(r.at("i"+o)).Sub(k))
	r.assert(of("it is 0 if it says so"), k.Not().Mul(olo))
	r.assert(of("the magnitude's low limb"), r.at(o+"l").Sub(olo.Add(s.Mul(k.Scale(W).Sub(olo.Double())))))
	r.assert(of("the magnitude's high limb"),
		r.at(o+"h").Sub(fw.Not().Mul(ohi.Add(s.Mul(r.Constant(W).Sub(k).Sub(ohi.Double()))))))
}

// euclid declares |a| = (Q + W U) |b| + (R + W V) with the remainder below |b|, or quotient 2^64 - 1 and remainder |a|
// for b = 0.
//
// Q bl + R is at most p - 1 and al + W h at most p + W - 2, so h other than M makes the low equation exact. U bh = 0
// leaves one of two products, T = Q bh + U bl = ah - h - V modulo p, which is at least -(2M - 1); T = that + p would
// need T of at least W^2 - 3W + 4, which M M alone reaches, and iq excludes both ways of it. So nothing overflows. The
// remainder is compared as in [row.compared], its difference d in range. A division has one result.
func (r *row) euclid() {
	q, u, rest, v, h := r.limb("Q"), r.limb("U"), r.limb("R"), r.limb("V"), r.limb("h")
	al, ah, bl, bh, z, hh := r.at("al"), r.at("ah"), r.at("bl"), r.at("bh"), r.at("z"), r.at("hh")
	b := bl.Add(bh)
	r.assert("0 if it says so", b.Mul(z))
	r.assert("not 0 if it says so", b.Mul(r.at("iz")).Sub(r.m.Sub(z)))
	r.assert("the quotient by 0, low limb", z.Mul(lessM(q)))
	r.assert("the quotient by 0, high limb", z.Mul(lessM(u)))
	r.assert("the low limb of the dividend", q.Mul(bl).Add(rest).Sub(al).Sub(h.Scale(W)))
	r.assert("its carry is not M", lessM(h).Mul(r.at("ih")).Sub(r.m))
	r.assert("no product of high limbs", u.Mul(bh))
	r.assert("the high limb of the dividend", q.Mul(bh).Add(u.Mul(bl)).Add(h).Add(v).Sub(ah))
	r.assert("no product of M by M", q.Add(bh).SubConstant(2*M).Mul(u.Add(bl).SubConstant(2*M)).Mul(r.at("iq")).Sub(r.m))
	r.boolean("hh")
	r.assert("the high limbs are equal where the low ones decide", hh.Mul(bh.Sub(v)))
	r.assert("the remainder is less", r.limb("d").Sub(r.m.Sub(z).Mul(hh.Select(bl.Sub(rest), bh.Sub(v)).SubConstant(1))))
}

// divisionSign declares the result: the quotient is negative where just one operand is, and the divisor is not 0; the
// remainder has the dividend's sign. x negated is W k1 - xl and W k2 - k1 - xh, where limbs in range fix k1 and k2.
func (r *row) divisionSign() {
	sa, sb, sq, sc, fr, fw := r.at("sa"), r.at("sb"), r.at("sq"), r.at("sc"), r.at("fr"), r.at("fw")
	xl, xh, k1, k2, e := r.at("xl"), r.at("xh"), r.at("k1"), r.at("k2"), r.limb("e")
	r.assert("the quotient's sign", sq.Sub(r.at("z").Not().Mul(sa.Add(sb).Sub(sa.Mul(sb).Double()))))
	r.assert("the result's sign", sc.Sub(fr.Select(sa, sq)))
	r.assert("the low limb wanted", xl.Sub(fr.Select(r.limb("R"), r.limb("Q"))))
	r.assert("the high limb wanted", xh.Sub(fr.Select(r.limb("V"), r.limb("U"))))
	r.boolean("k1 k2")
	r.assert("the low limb", r.limb("c").Sub(xl.Add(sc.Mul(k1.Scale(W).Sub(xl.Double())))))
	r.assert("the high limb of 64 bits", fw.Not().Mul(e.Sub(xh).Sub(sc.Mul(k2.Scale(W).Sub(k1).Sub(xh.Double())))))
	r.assert("the high limb of 32 bits", fw.Mul(e.Sub(r.at("sw").Scale(M))))
}

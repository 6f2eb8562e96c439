package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Shifted64 holds the digits of a shift of 64 bits, and its result c.
type Shifted64[T any] struct {
	W0, W1, H, W2, W3, W4 T
	S, V                  T
	C                     Limbs[T]
}

// shift64 holds the columns that determine a shift of 64 bits.
type shift64 struct {
	a     pair
	p     expr
	f     [3]expr
	d, fa expr
}

// shifted64 declares a shift of 64 bits by 16 q + t. To the left p = 2^t and d = 0, to the right p = 2^(16-t) and d =
// 1. The product a p is split into digits w0, w1, (h), w2, w3 of 16 bits and the rest u at the top; h is the carry of
// the low limb's product into the high limb's. fa says whether the shift is arithmetic; f1 to f3 select q.
//
//   - p alo is at most 2^48 and the right side below 2^49, so w0, w1, h are the digits. The same holds for p ahi + h:
//     as w2 + H w3 is below W, w4 - s (H - p) = u is the part above, the top bits of a, for either s.
//   - Where fa = 0, s = 0 and w4 = u. Where fa = 1, v p = H u, all below 2^33: v is u shifted to the top of 16 bits,
//     whose sign is that of a. w4 is u extended with the sign, F the digits above.
//   - The result is 64 bits of the digits from position q for a shift to the left, or 1 + q to the right. Only h and w4
//     are dropped bits, and both are in range, so no bits can hide in them.
func (r *row) shifted64(x shift64, w Shifted64[expr]) {
	p, d, fa, s, v := x.p, x.d, x.fa, w.S, w.V
	w0, w1, w2, w3, w4, h := w.W0, w.W1, w.W2, w.W3, w.W4, w.H
	fill := s.Scale(H - 1)
	top := w4.Sub(s.Mul(r.Constant(H).Sub(p)))
	r.boolean(fa)
	r.assert("no sign unless it is arithmetic", fa.Not().Mul(s))
	r.assert("the low product", p.Mul(x.a.Low).Sub(r.halves(w0, w1)).Sub(h.Scale(W)))
	r.assert("the high product", p.Mul(x.a.High).Add(h).Sub(r.halves(w2, w3)).Sub(top.Scale(W)))
	r.assert("the sign is looked up", fa.Mul(v.Mul(p).Sub(top.Scale(H))))
	f := [4]expr{r.one().Sub(x.f[0]).Sub(x.f[1]).Sub(x.f[2]), x.f[0], x.f[1], x.f[2]}
	zero := r.zero()
	left := [4][2]expr{{r.halves(w0, w1), r.halves(w2, w3)}, {r.halves(zero, w0), r.halves(w1, w2)},
		{zero, r.halves(w0, w1)}, {zero, r.halves(zero, w0)}}
	right := [4][2]expr{{r.halves(w1, w2), r.halves(w3, w4)}, {r.halves(w2, w3), r.halves(w4, fill)},
		{r.halves(w3, w4), r.halves(fill, fill)}, {r.halves(w4, fill), r.halves(fill, fill)}}
	for i, c := range []expr{w.C.Low, w.C.High} {
		sum := zero
		for q := range f {
			sum = sum.Add(f[q].Mul(d.Select(right[q][i], left[q][i])))
		}
		r.assert([]string{"the low limb", "the high limb"}[i], c.Sub(sum))
	}
	r.inRange16(w0, w1, w2, w3, w4, h)
	r.sign.Ask(r.Builder, r.m.Mul(fa), sign{r.one(), v, s})
}

// Way32 has the factor of a shift of 32 bits, and flags for the kind of shift: e0 and e1 are to the left with q = 0 and
// 1, e2 to the right with q = 0, e4 and e5 to the right and arithmetic. If none is 1, it is to the right with q = 1.
type Way32[T any] struct{ P, E0, E1, E2, E4, E5 T }

// Shifted32 holds the digits of a shift of 32 bits, and the result's low limb.
type Shifted32[T any] struct {
	W0, W1, W2, V, S T
	C                T `column:"clo"`
}

// shifted32 declares a shift of the low limb by 16 q + t, and returns the result, sign-extended to 64 bits. v is the
// top half of the result (left, logical), or the top bits of a shifted to the top of 16 bits (arithmetic), so s is the
// sign.
func (r *row) shifted32(a pair, way Way32[expr], w Shifted32[expr]) pair {
	p, s, v, w0, w1, w2 := way.P, w.S, w.V, w.W0, w.W1, w.W2
	e0, e1, e2, e4, e5 := way.E0, way.E1, way.E2, way.E4, way.E5
	e3 := r.one().Sub(r.Sum(e0, e1, e2, e4, e5))
	r.assert("the product", p.Mul(a.Low).Sub(r.halves(w0, w1)).Sub(w2.Scale(W)))
	r.assert("the sign is looked up", r.Sum(e0.Mul(v.Sub(w1)), e1.Mul(v.Sub(w0)), e2.Mul(v.Sub(w2)), e3.Mul(v),
		e4.Add(e5).Mul(v.Mul(p).Sub(w2.Scale(H)))))
	r.assert("the low limb", w.C.Sub(r.Sum(e0.Mul(r.halves(w0, w1)), e1.Mul(w0.Scale(H)), e2.Mul(r.halves(w1, w2)),
		e3.Mul(w2),
		e4.Mul(r.halves(w1, w2.Add(s.Mul(r.Constant(H).Sub(p))))), e5.Mul(w2.Add(s.Mul(r.Constant(W).Sub(p)))))))
	r.inRange16(w0, w1, w2)
	r.hasSign(v, s)
	return pair{w.C, s.Scale(M)}
}

// ShiftConstant has the columns of SHI.
type ShiftConstant[T any] struct {
	Unary[T]
	P     T
	F     [3]T `column:"f1 f2 f3"`
	D, FA T
	A     Limbs[T]
	Shifted64[T]
	UnaryAccesses[T]
}

// shiftConstant declares SHI, shifts of 64 bits by a constant.
func (b *buses) shiftConstant(number table.Table) *row {
	r, c := newInstruction[ShiftConstant[expr]](b, number)
	r.shifted64(shift64{c.A, c.P, c.F, c.D, c.FA}, c.Shifted64)
	r.continues()
	r.is(c.operands(), c.P, c.F[0], c.F[1], c.F[2], c.D, c.FA)
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, c.C)
	return r
}

// ShiftConstant32 has the columns of SHWI.
type ShiftConstant32[T any] struct {
	Unary[T]
	Way32[T]
	A Limbs[T]
	Shifted32[T]
	UnaryAccesses[T]
}

// shiftConstant32 declares SHWI, shifts of 32 bits by a constant.
func (b *buses) shiftConstant32(number table.Table) *row {
	r, c := newInstruction[ShiftConstant32[expr]](b, number)
	result := r.shifted32(c.A, c.Way32, c.Shifted32)
	r.continues()
	r.is(c.operands(), c.P, c.E0, c.E1, c.E2, c.E4, c.E5)
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, result)
	return r
}

// Amount holds the amount of a shift by a register, and 16 bits of the register above it.
type Amount[T any] struct {
	Amount T `column:"sh"`
	Q0     T
}

// amount declares that sh is blo mod 2^bits: blo = sh + 2^bits (q0 + H q1) is below 2^39, so it holds over the
// integers, and sh is below 2^bits by its lookup. The high limb is ignored, as the instruction set specifies. inverse
// is 2^-bits.
func (r *row) amount(inverse goldilocks.Element, blo expr, a Amount[expr], kind, factor expr, flags ...expr) {
	r.inRange16(a.Q0, r.scale(inverseH, r.scale(inverse, blo.Sub(a.Amount)).Sub(a.Q0)))
	message := shift{Kind: kind, Amount: a.Amount, Factor: factor}
	for i := range message.Flags {
		message.Flags[i] = r.zero()
	}
	copy(message.Flags[:], flags)
	r.shift.Ask(r.Builder, r.m, message)
}

// ShiftRegister has the columns of SHR.
type ShiftRegister[T any] struct {
	Binary[T]
	D, FA T
	B     Limbs[T]
	P     T
	F     [3]T `column:"f1 f2 f3"`
	A     Limbs[T]
	Amount[T]
	Shifted64[T]
	BinaryAccesses[T]
}

// shiftRegister declares SHR, shifts of 64 bits by a register.
func (b *buses) shiftRegister(number table.Table) *row {
	r, c := newInstruction[ShiftRegister[expr]](b, number)
	r.shifted64(shift64{c.A, c.P, c.F, c.D, c.FA}, c.Shifted64)
	r.continues()
	r.is(c.operands(), c.D, c.FA)
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, c.C)
	r.amount(inverse64, c.B.Low, c.Amount, c.D.Double(), c.P, c.F[:]...)
	return r
}

// ShiftRegister32 has the columns of SHWR.
type ShiftRegister32[T any] struct {
	Binary[T]
	KD T // the kind of shift
	B  Limbs[T]
	Way32[T]
	A Limbs[T]
	Amount[T]
	Shifted32[T]
	BinaryAccesses[T]
}

// shiftRegister32 declares SHWR, shifts of 32 bits by a register.
func (b *buses) shiftRegister32(number table.Table) *row {
	r, c := newInstruction[ShiftRegister32[expr]](b, number)
	result := r.shifted32(c.A, c.Way32, c.Shifted32)
	r.continues()
	r.is(c.operands(), c.KD)
	r.readsBoth(c.operands(), c.Sources, c.A, c.B)
	r.writes(c.Rd, c.Destination, result)
	r.amount(inverse32, c.B.Low, c.Amount, c.KD, c.P, c.E0, c.E1, c.E2, c.E4, c.E5)
	return r
}

package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Loads and stores that are naturally aligned. The address a + imm minus its offset in the word, divided by 8 in the
// field, is the word's number. Memory has only words below 2^29. So if the address has another alignment, is negative
// or is too large, the quotient is not the number of a word with a token. The base's high limb is the constant 0.

// readsBase reads the base register, whose low limb is a.
func (r *row) readsBase(rs1, previous, a expr) {
	base := pair{a, r.zero()}
	r.access(rs1, previous, r.ts, base, base)
}

// wordAt returns the number of the word at the address base + imm minus an offset.
func (r *row) wordAt(base, imm, offset expr) expr {
	return r.scale(inverse8, base.Add(imm).Sub(offset))
}

// Load begins the row of a load: the word is v.
type Load[T any] struct {
	Unary[T]
	Imm  T
	Base T        `column:"a"`
	V    Limbs[T] `column:"v0 v1"`
	WordAccess[T]
	Previous1 T        `column:"pts1"`
	PreviousD T        `column:"ptsd"`
	Old       Limbs[T] `column:"o0 o1"`
}

// loadFlags are constants of a load's program row. The zero value of a field stands for the constant 0.
type loadFlags struct{ sg, fb expr }

// loads reads the word at an offset and writes the destination.
func (r *row) loads(c Load[expr], flags loadFlags, offset expr, result pair) {
	r.continues()
	sg := r.or0(flags.sg)
	r.is(c.operands(), c.Imm, sg, r.or0(flags.fb))
	r.readsBase(c.Rs1, c.Previous1, c.Base)
	r.accessWord(r.m, r.wordAt(c.Base, c.Imm, offset), c.WordAccess, c.V, c.V)
	r.access(c.Rd, c.PreviousD, r.ts.AddConstant(3), c.Old, result)
}

// Store begins the row of a store: the register is v, and the word was m.
type Store[T any] struct {
	Compare[T]
	Imm  T
	Base T        `column:"a"`
	V    Limbs[T] `column:"v0 v1"`
	WordAccess[T]
	Before    Limbs[T] `column:"m0 m1"`
	Previous1 T        `column:"pts1"`
	Previous2 T        `column:"pts2"`
}

// stores reads the register v and replaces the word at an offset by n. The zero value of fb stands for the constant 0.
func (r *row) stores(c Store[expr], fb, offset expr, n pair) {
	r.continues()
	zero := r.zero()
	r.is(c.operands(), c.Imm, zero, r.or0(fb))
	r.readsBase(c.Rs1, c.Previous1, c.Base)
	r.access(c.Rs2, c.Previous2, r.ts.AddConstant(1), c.V, c.V)
	r.accessWord(r.m, r.wordAt(c.Base, c.Imm, offset), c.WordAccess, c.Before, n)
}

// LoadDouble has the columns of LD.
type LoadDouble[T any] struct{ Load[T] }

// loadDouble declares LD.
func (b *buses) loadDouble(number table.Table) *row {
	r, c := newInstruction[LoadDouble[expr]](b, number)
	r.loads(c.Load, loadFlags{}, r.zero(), c.V)
	return r
}

// LoadWord has the columns of LW.
type LoadWord[T any] struct {
	Load[T]
	SG, S, X, XH, E T
}

// loadWord declares LW and LWU: x is the limb that s selects, with halves xl and xh, both in range; e is its sign if
// sg.
func (b *buses) loadWord(number table.Table) *row {
	r, c := newInstruction[LoadWord[expr]](b, number)
	r.boolean(c.S)
	r.assert("the limb", c.X.Sub(c.S.Select(c.V.High, c.V.Low)))
	r.loads(c.Load, loadFlags{sg: c.SG}, c.S.Scale(4), pair{c.X, c.E.Scale(M)})
	r.sign.Ask(r.Builder, r.m, sign{c.SG, c.XH, c.E})
	r.inRange16(c.X.Sub(c.XH.Scale(H)))
	return r
}

// PickedHalf has the columns of the offset of a byte or half, and of the half at that offset.
type PickedHalf[T any] struct {
	FB         T // whether the access reads or writes a byte
	Q2, Q1, Q0 T // the bits of the offset
	H, G, HH   T
}

// halfOf declares that h is the half of the word v that q2 and q1 select, and g the other half of its limb; hl and hh
// are the bytes of h. h and g are below 2^16 and limbs below 2^32, so they are unique.
func (r *row) halfOf(v pair, p PickedHalf[expr]) (hl expr) {
	h, g, hh := p.H, p.G, p.HH
	r.boolean(p.FB, p.Q2, p.Q1, p.Q0)
	r.assert("halves are at even addresses", p.FB.Not().Mul(p.Q0))
	r.assert("the half", p.Q2.Select(v.High, v.Low).Sub(h).Sub(g.Scale(H)).Sub(p.Q1.Mul(h.Sub(g)).Scale(H-1)))
	hl = h.Sub(hh.Scale(B))
	r.inRange16(g)
	r.areBytes(hl, hh)
	return hl
}

// offset returns the offset of the byte: 4 q2 + 2 q1 + q0.
func (r *row) offset(p PickedHalf[expr]) expr { return p.Q2.Scale(4).Add(p.Q1.Double()).Add(p.Q0) }

// LoadSmall has the columns of LBH.
type LoadSmall[T any] struct {
	Load[T]
	SG T
	PickedHalf[T]
	Z, E, Res T
}

// loadSmall declares LB, LBU, LH and LHU: z is the half, or the byte times 256, so that bit 15 is the sign e; res is
// the value.
func (b *buses) loadSmall(number table.Table) *row {
	r, c := newInstruction[LoadSmall[expr]](b, number)
	hl := r.halfOf(c.V, c.PickedHalf)
	fb, hh, z, e := c.FB, c.HH, c.Z, c.E
	r.assert("the value at the top of 16 bits", z.Sub(fb.Select(c.Q0.Select(hh, hl).Scale(B), c.H)))
	r.assert("the value", c.Res.Sub(fb.Select(r.scale(inverseB, z).Add(e.Scale(W-B)), z.Add(e.Scale(W-H)))))
	r.loads(c.Load, loadFlags{c.SG, fb}, r.offset(c.PickedHalf), pair{c.Res, e.Scale(M)})
	r.sign.Ask(r.Builder, r.m, sign{c.SG, z, e})
	return r
}

// StoreDouble has the columns of SD.
type StoreDouble[T any] struct{ Store[T] }

// storeDouble declares SD.
func (b *buses) storeDouble(number table.Table) *row {
	r, c := newInstruction[StoreDouble[expr]](b, number)
	r.stores(c.Store, expr{}, r.zero(), c.V)
	return r
}

// StoreWord has the columns of SW.
type StoreWord[T any] struct {
	Store[T]
	S     T
	After Limbs[T] `column:"n0 n1"`
}

// storeWord declares SW: the limb that s selects becomes the register's low one.
func (b *buses) storeWord(number table.Table) *row {
	r, c := newInstruction[StoreWord[expr]](b, number)
	r.boolean(c.S)
	r.assert("the low limb", c.After.Low.Sub(c.S.Select(c.Before.Low, c.V.Low)))
	r.assert("the high limb", c.After.High.Sub(c.S.Select(c.V.Low, c.Before.High)))
	r.stores(c.Store, expr{}, c.S.Scale(4), c.After)
	return r
}

// StoreSmall has the columns of SBH.
type StoreSmall[T any] struct {
	Store[T]
	PickedHalf[T]
	U1, B1 T        // the high half of the register's low limb, and byte 1
	N      T        // the half after the store
	After  Limbs[T] `column:"n0 n1"`
}

// storeSmall declares SB and SH: u1 splits the register's low limb into halves u0 and u1, and b1 splits u0 into bytes.
// The half that is stored to becomes n, so its limb changes by (n - h) times 1 or H. The other limb stays.
func (b *buses) storeSmall(number table.Table) *row {
	r, c := newInstruction[StoreSmall[expr]](b, number)
	m0, m1, n0, n1, n, q2, q0 := c.Before.Low, c.Before.High, c.After.Low, c.After.High, c.N, c.Q2, c.Q0
	hl := r.halfOf(c.Before, c.PickedHalf)
	u0 := c.V.Low.Sub(c.U1.Scale(H))
	b0, hh := u0.Sub(c.B1.Scale(B)), c.HH
	// The byte replaces the low one of the half, or with q0 the high one.
	lowByte, highByte := b0.Add(hh.Scale(B)), hl.Add(b0.Scale(B))
	r.assert("the half that is stored", n.Sub(c.FB.Select(q0.Select(highByte, lowByte), u0)))
	r.assert("the change of the limbs",
		n0.Add(n1).Sub(m0).Sub(m1).Sub(n.Sub(c.H).Mul(c.Q1.Scale(H-1).AddConstant(1))))
	r.assert("the low limb stays", q2.Mul(n0.Sub(m0)))
	r.assert("the high limb stays", q2.Not().Mul(n1.Sub(m1)))
	r.stores(c.Store, c.FB, r.offset(c.PickedHalf), c.After)
	r.inRange16(c.U1)
	r.areBytes(b0, c.B1)
	return r
}

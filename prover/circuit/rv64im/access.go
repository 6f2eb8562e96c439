package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Loads and stores that are naturally aligned. The address a + imm less its offset in the word, over 8 in the field, is
// the word's number. Memory knows only words below 2^29, so for an address of another alignment, a negative or one too
// large the quotient is no word that has a token. The base's high limb is the constant 0.

// readsBase reads the base register, into a.
func (r *row) readsBase() {
	a := pair{r.at("a"), r.zero()}
	r.access(r.at("rs1"), r.at("pts1"), r.ts, a, a)
}

// wordAt is the number of the word at the address less an offset.
func (r *row) wordAt(offset air.Expr) air.Expr {
	return r.scale(inverse8, r.at("a").Add(r.at("imm")).Sub(offset))
}

// loads reads the word v at an offset and writes the destination.
func (r *row) loads(offset air.Expr, result pair) {
	v := pair{r.at("v0"), r.at("v1")}
	r.goesOn()
	r.is(r.at("imm"), r.or0("sg"), r.or0("fb"))
	r.readsBase()
	r.accessWord(r.m, r.wordAt(offset), r.at("mp"), r.at("y"), v, v)
	r.access(r.at("rd"), r.at("ptsd"), r.ts.AddConstant(3), pair{r.at("o0"), r.at("o1")}, result)
}

// stores reads the register v and replaces the word m at an offset by n.
func (r *row) stores(offset air.Expr, n pair) {
	v := pair{r.at("v0"), r.at("v1")}
	r.goesOn()
	r.is(r.at("imm"), r.zero(), r.or0("fb"))
	r.readsBase()
	r.access(r.at("rs2"), r.at("pts2"), r.ts.AddConstant(1), v, v)
	r.accessWord(r.m, r.wordAt(offset), r.at("mp"), r.at("y"), pair{r.at("m0"), r.at("m1")}, n)
}

const (
	loadColumns  = "rd rs1 imm a v0 v1 mp y pts1 ptsd o0 o1"
	storeColumns = "rs1 rs2 imm a v0 v1 mp y m0 m1 pts1 pts2"
)

// loadDouble declares LD.
func (b *buses) loadDouble(number table.Table) *row {
	r := b.newInstruction(number, loadColumns)
	r.loads(r.zero(), pair{r.at("v0"), r.at("v1")})
	return r
}

// loadWord declares LW and LWU: x is the limb that s picks, cut up into halves xl and xh, both in range; e is its sign
// if sg.
func (b *buses) loadWord(number table.Table) *row {
	r := b.newInstruction(number, loadColumns+" sg s x xh e")
	s, x := r.at("s"), r.at("x")
	r.boolean("s")
	r.assert("the limb", x.Sub(s.Select(r.at("v1"), r.at("v0"))))
	r.loads(s.Scale(4), pair{x, r.at("e").Scale(M)})
	r.sign.Ask(r.Builder, r.m, sign{r.at("sg"), r.at("xh"), r.at("e")})
	r.inRange16(x.Sub(r.at("xh").Scale(H)))
	return r
}

// halfOf declares that h is the half of the word (v0, v1) that q2 and q1 pick and g the other half of its limb; hl and
// hh are the bytes of h. h and g are below 2^16 and limbs below 2^32, so they are unique.
func (r *row) halfOf(v0, v1 air.Expr) (hl air.Expr) {
	h, g, hh := r.at("h"), r.at("g"), r.at("hh")
	r.boolean("fb q2 q1 q0")
	r.assert("halves are at even addresses", r.at("fb").Not().Mul(r.at("q0")))
	r.assert("the half", r.at("q2").Select(v1, v0).Sub(h).Sub(g.Scale(H)).Sub(r.at("q1").Mul(h.Sub(g)).Scale(H-1)))
	hl = h.Sub(hh.Scale(B))
	r.inRange16(g)
	r.areBytes(hl, hh)
	return hl
}

// offset is that of a byte: 4 q2 + 2 q1 + q0.
func (r *row) offset() air.Expr {
	return r.at("q2").Scale(4).Add(r.at("q1").Double()).Add(r.at("q0"))
}

// loadSmall declares LB, LBU, LH and LHU: z is the half, or the byte times 256, so that bit 15 is the sign e; res is
// the value.
func (b *buses) loadSmall(number table.Table) *row {
	r := b.newInstruction(number, loadColumns+" sg fb q2 q1 q0 h g hh z e res")
	hl := r.halfOf(r.at("v0"), r.at("v1"))
	fb, hh, z, e := r.at("fb"), r.at("hh"), r.at("z"), r.at("e")
	r.assert("the value at the top of 16 bits", z.Sub(fb.Select(r.at("q0").Select(hh, hl).Scale(B), r.at("h"))))
	r.assert("the value", r.at("res").Sub(fb.Select(r.scale(inverseB, z).Add(e.Scale(W-B)), z.Add(e.Scale(W-H)))))
	r.loads(r.offset(), pair{r.at("res"), e.Scale(M)})
	r.sign.Ask(r.Builder, r.m, sign{r.at("sg"), z, e})
	return r
}

// storeDouble declares SD.
func (b *buses) storeDouble(number table.Table) *row {
	r := b.newInstruction(number, storeColumns)
	r.stores(r.zero(), pair{r.at("v0"), r.at("v1")})
	return r
}

// storeWord declares SW: the limb that s picks becomes the register's low one.
func (b *buses) storeWord(number table.Table) *row {
	r := b.newInstruction(number, storeColumns+" s n0 n1")
	s, v0 := r.at("s"), r.at("v0")
	r.boolean("s")
	r.assert("the low limb", r.at("n0").Sub(s.Select(r.at("m0"), v0)))
	r.assert("the high limb", r.at("n1").Sub(s.Select(v0, r.at("m1"))))
	r.stores(s.Scale(4), pair{r.at("n0"), r.at("n1")})
	return r
}

// storeSmall declares SB and SH: u1 and b1 cut the register's low limb into its low half u0 and that into bytes. The
// half that is stored to becomes n, and the limb changes by (n - h) times 1 or H; the other limb stays.
func (b *buses) storeSmall(number table.Table) *row {
	r := b.newInstruction(number, storeColumns+" fb q2 q1 q0 h g hh u1 b1 n n0 n1")
	m0, m1, n0, n1, n, q2, q0 := r.at("m0"), r.at("m1"), r.at("n0"), r.at("n1"), r.at("n"), r.at("q2"), r.at("q0")
	hl := r.halfOf(m0, m1)
	u0 := r.at("v0").Sub(r.at("u1").Scale(H))
	b0, hh := u0.Sub(r.at("b1").Scale(B)), r.at("hh")
	// The byte replaces the low one of the half, or with q0 the high one.
	lowByte, highByte := b0.Add(hh.Scale(B)), hl.Add(b0.Scale(B))
	r.assert("the half that is stored", n.Sub(r.at("fb").Select(q0.Select(highByte, lowByte), u0)))
	r.assert("the change of the limbs",
		n0.Add(n1).Sub(m0).Sub(m1).Sub(n.Sub(r.at("h")).Mul(r.at("q1").Scale(H-1).AddConstant(1))))
	r.assert("the low limb stays", q2.Mul(n0.Sub(m0)))
	r.assert("the high limb stays", q2.Not().Mul(n1.Sub(m1)))
	r.stores(r.offset(), pair{n0, n1})
	r.inRange16(r.at("u1"))
	r.areBytes(b0, r.at("b1"))
	return r
}

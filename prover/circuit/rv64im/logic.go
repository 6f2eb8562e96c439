package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// fromBytes packs four bytes, the lowest first, into a limb.
func (r *row) fromBytes(list []expr) expr { return r.Pack(8, list...) }

// ofBytes packs eight bytes into a value of 64 bits.
func (r *row) ofBytes(list []expr) pair { return pair{r.fromBytes(list[:4]), r.fromBytes(list[4:])} }

// Logic has the columns of LOGR: the operation, and bytes.
type Logic[T any] struct {
	Binary[T]
	Op      T
	X, Y, Z [8]T
	BinaryAccesses[T]
}

// logic declares LOGR: the lookup shows that both operands and the result are bytes, and gives the result. The digits
// of a limb in base 256 are unique.
func (b *buses) logic(number table.Table) *row {
	r, c := newInstruction[Logic[expr]](b, number)
	r.continues()
	r.is(c.operands(), c.Op)
	r.reads1(c.Rs1, c.Previous1, r.ofBytes(c.X[:]))
	r.reads2(c.Rs2, c.Previous2, r.ofBytes(c.Y[:]))
	r.writes(c.Rd, c.Destination, r.ofBytes(c.Z[:]))
	for i := range c.X {
		r.bytes.Ask(r.Builder, r.m, bytes{c.Op, c.X[i], c.Y[i], c.Z[i]})
	}
	return r
}

// LogicConstant has the columns of LOGI.
type LogicConstant[T any] struct {
	Unary[T]
	Op     T
	I      [2]T // the lower bytes of the constant
	KA, KB T
	A      Limbs[T]
	X, Z   [2]T
	C      Limbs[T]
	UnaryAccesses[T]
}

// logicConstant declares LOGI: the two lower bytes are looked up with those of the constant. The upper 48 bits of the
// constant are all its sign, on which the operation is 0, x, all ones, or all ones minus x: ka x + kb (all ones).
func (b *buses) logicConstant(number table.Table) *row {
	r, c := newInstruction[LogicConstant[expr]](b, number)
	xh := r.scale(inverseH, c.A.Low.Sub(c.X[0]).Sub(c.X[1].Scale(B)))
	upper := c.KA.Mul(xh).Add(c.KB.Scale(H - 1))
	r.assert("the low limb", c.C.Low.Sub(c.Z[0]).Sub(c.Z[1].Scale(B)).Sub(upper.Scale(H)))
	r.assert("the high limb", c.C.High.Sub(c.KA.Mul(c.A.High)).Sub(c.KB.Scale(M)))
	r.continues()
	r.is(c.operands(), c.Op, c.I[0], c.I[1], c.KA, c.KB)
	r.reads1(c.Rs1, c.Previous1, c.A)
	r.writes(c.Rd, c.Destination, c.C)
	r.inRange16(xh)
	r.bytes.Ask(r.Builder, r.m, bytes{c.Op, c.X[0], c.I[0], c.Z[0]})
	r.bytes.Ask(r.Builder, r.m, bytes{c.Op, c.X[1], c.I[1], c.Z[1]})
	return r
}

package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillIfZero(c *rv64im.IfZero[cell], x *record.Branch, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.Rs1, c.E, c.NPC = cell(k.Rs1), k.K[0], k.K[1]
	c.A = limbs(x.A)
	c.Inverse.Of(c.A.Low.Add(c.A.High))
	c.Previous1 = before(x.Cycle, x.Previous1)
}

func fillIfEqual(c *rv64im.IfEqual[cell], x *record.Branch, k *rv64im.Row) {
	putCompare(&c.Compare, x.Cycle, k)
	c.E, c.NPC = k.K[0], k.K[1]
	c.A, c.B = limbs(x.A), limbs(x.B)
	d, q := c.A.Low.Sub(c.B.Low), c.A.High.Sub(c.B.High)
	c.Inverse.Of(d.Square().Sub(q.Square().Mul(rv64im.NonResidue)))
	putSources(&c.Sources, x.Cycle, x.Previous1, x.Previous2)
}

// compared returns h, and d for the outcome lt, of a comparison: see package circuit/rv64im.
func compared(a, b, lt uint64, isSigned bool) (h cell, d rv64im.Halves[cell]) {
	e := int64(high(b)) - int64(high(a))
	if isSigned {
		e += twoTo32 * (int64(a>>63) - int64(b>>63))
	}
	difference, lowDecides := e, bit(e == 0)
	if e == 0 {
		difference = int64(low(b)) - int64(low(a))
	}
	if lt == 1 {
		return cell(lowDecides), halves(uint64(difference - 1))
	}
	return cell(lowDecides), halves(uint64(int64(lowDecides) - 1 - difference))
}

func signs(a, b uint64) rv64im.Signs[cell] {
	return rv64im.Signs[cell]{TA: cell(a >> 48), TB: cell(b >> 48), MA: cell(a >> 63), MB: cell(b >> 63)}
}

func fillIfLess(c *rv64im.IfLess[cell], x *record.Branch, k *rv64im.Row) {
	putCompare(&c.Compare, x.Cycle, k)
	c.Less, c.NPC = k.K[0], k.K[1]
	c.A, c.B = limbs(x.A), limbs(x.B)
	c.H, c.D = compared(x.A, x.B, uint64(k.K[0]), false)
	putSources(&c.Sources, x.Cycle, x.Previous1, x.Previous2)
}

func fillIfLessSigned(c *rv64im.IfLessSigned[cell], x *record.Branch, k *rv64im.Row) {
	putCompare(&c.Compare, x.Cycle, k)
	c.Less, c.NPC = k.K[0], k.K[1]
	c.A, c.B, c.Signs = limbs(x.A), limbs(x.B), signs(x.A, x.B)
	c.H, c.D = compared(x.A, x.B, uint64(k.K[0]), true)
	putSources(&c.Sources, x.Cycle, x.Previous1, x.Previous2)
}

// comparedTo returns the second operand: a register plus a constant, one of which is 0.
func comparedTo(x *record.Binary, k *rv64im.Row) uint64 {
	return x.B + (uint64(k.K[0]) | uint64(k.K[1])<<32)
}

func fillSetLess(c *rv64im.SetLess[cell], x *record.Binary, k *rv64im.Row) {
	putBinary(&c.Binary, x.Cycle, k)
	c.I.Low, c.I.High = k.K[0], k.K[1]
	c.A, c.B, c.Less = limbs(x.A), limbs(x.B), cell(x.Result)
	c.H, c.D = compared(x.A, comparedTo(x, k), x.Result, false)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func fillSetLessSigned(c *rv64im.SetLessSigned[cell], x *record.Binary, k *rv64im.Row) {
	b := comparedTo(x, k)
	putBinary(&c.Binary, x.Cycle, k)
	c.I.Low, c.I.High = k.K[0], k.K[1]
	c.A, c.B, c.Signs, c.Less = limbs(x.A), limbs(x.B), signs(x.A, b), cell(x.Result)
	c.H, c.D = compared(x.A, b, x.Result, true)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func jumpTarget(base uint64, k *rv64im.Row) rv64im.JumpTarget[cell] {
	return rv64im.JumpTarget[cell]{Imm: k.K[0], Base: cell(base), LSB: cell(base).Add(k.K[0]) & 1}
}

func fillJumpRegister(c *rv64im.JumpRegister[cell], x *record.Branch, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.Rs1 = cell(k.Rs1)
	c.JumpTarget = jumpTarget(x.A, k)
	c.Previous1 = before(x.Cycle, x.Previous1)
}

func fillJumpRegisterLink(c *rv64im.JumpRegisterLink[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.JumpTarget = jumpTarget(x.A, k)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

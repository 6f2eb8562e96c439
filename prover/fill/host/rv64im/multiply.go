package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillMultiply(c *rv64im.Multiply[cell], x *record.Binary, k *rv64im.Row) {
	t := low(x.A) * low(x.B)
	result, h := low(t), high(t)
	t = h + low(x.A)*high(x.B)
	u, g := low(t), high(t)
	last := uint64(0)
	if k.K[0] == 0 {
		last = (u + high(x.A)*low(x.B)) >> 32
	}
	putBinary(&c.Binary, x.Cycle, k)
	c.FW, c.A, c.B = k.K[0], limbs(x.A), limbs(x.B)
	c.C, c.H, c.U, c.G = halves(result), halves(h), halves(u), halves(g)
	c.E, c.K = halves(high(x.Result)), halves(last)
	c.S = cell(result >> 31)
	c.Inv1.Of(less(h).Mul(less(g)))
	c.Inv2.Of(less(last))
	putBinaryAccesses(&c.BinaryAccesses, x)
}

// less returns v - M in the field.
func less(v uint64) cell { return cell(v).Sub(maxUint32) }

// parts are the limbs of a product.
type parts struct{ l, h, u, g, v, k, y, j uint64 }

func multiplied(a, b uint64) (p parts) {
	t := low(a) * low(b)
	p.l, p.h = low(t), high(t)
	t = p.h + low(a)*high(b)
	p.u, p.g = low(t), high(t)
	t = p.u + high(a)*low(b)
	p.v, p.k = low(t), high(t)
	t = p.g + high(a)*high(b)
	p.y, p.j = low(t), high(t)
	return p
}

func fillProduct(c *rv64im.Product[cell], inverses *rv64im.ProductInverses[cell], p *parts) {
	c.L, c.H, c.U, c.G = halves(p.l), halves(p.h), halves(p.u), halves(p.g)
	c.V, c.K, c.Y, c.J = halves(p.v), halves(p.k), halves(p.y), halves(p.j)
	inverses.Inv1.Of(less(p.h).Mul(less(p.g)))
	inverses.Inv2.Of(less(p.k))
	inverses.Inv3.Of(less(p.j))
}

func fillMultiplyHigh(c *rv64im.MultiplyHigh[cell], x *record.Binary, k *rv64im.Row) {
	p := multiplied(x.A, x.B)
	putBinary(&c.Binary, x.Cycle, k)
	c.A, c.B, c.C = limbs(x.A), limbs(x.B), halves(low(x.Result))
	fillProduct(&c.Product, &c.ProductInverses, &p)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func fillMultiplyHighSigned(c *rv64im.MultiplyHighSigned[cell], x *record.Binary, k *rv64im.Row) {
	p := multiplied(x.A, x.B)
	putBinary(&c.Binary, x.Cycle, k)
	c.FB, c.A, c.B = k.K[0], limbs(x.A), limbs(x.B)
	fillProduct(&c.Product, &c.ProductInverses, &p)
	fb := uint64(k.K[0])
	va, vb := x.A>>63, fb*(x.B>>63)
	carry := (int64(low(x.Result)) - int64(p.y+p.k) + int64(va*low(x.B)+vb*low(x.A))) >> 32 // q - kk
	q1 := (int64(high(x.Result)) - int64(p.j) + int64(va*high(x.B)+vb*high(x.A)) + carry) >> 32
	kk := int64(bit(carry < 0))
	c.TA, c.VA, c.VB, c.TB = cell(x.A>>48), cell(va), cell(vb), cell(fb*(x.B>>48))
	c.KK, c.Q, c.Q1 = cell(kk), cell(carry+kk), cell(q1)
	c.C, c.E = halves(low(x.Result)), halves(high(x.Result))
	putBinaryAccesses(&c.BinaryAccesses, x)
}

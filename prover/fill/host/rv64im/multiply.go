package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillMultiply(l *line, x *record.Binary, k *rv64im.Row) {
	l.binary(x, k)
	l.element(k.K[0])
	l.limbs(x.A)
	l.limbs(x.B)
	t := low(x.A) * low(x.B)
	c, h := low(t), high(t)
	t = h + low(x.A)*high(x.B)
	u, g := low(t), high(t)
	last := uint64(0)
	if k.K[0] == 0 {
		last = (u + high(x.A)*low(x.B)) >> 32
	}
	for _, v := range []uint64{c, h, u, g, high(x.Result), last} {
		l.halves(v)
	}
	l.word(c >> 31)
	l.inverse(less(h).Mul(less(g)))
	l.inverse(less(last))
	l.accesses(x)
}

// less is v - M in the field.
func less(v uint64) goldilocks.Element { return element(v).Sub(M) }

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

func (l *line) product(p *parts) {
	for _, v := range []uint64{p.l, p.h, p.u, p.g, p.v, p.k, p.y, p.j} {
		l.halves(v)
	}
}

func (l *line) productInverses(p *parts) {
	l.inverse(less(p.h).Mul(less(p.g)))
	l.inverse(less(p.k))
	l.inverse(less(p.j))
}

func fillMultiplyHigh(l *line, x *record.Binary, k *rv64im.Row) {
	l.binary(x, k)
	l.limbs(x.A)
	l.limbs(x.B)
	p := multiplied(x.A, x.B)
	l.product(&p)
	l.halves(low(x.Result))
	l.productInverses(&p)
	l.accesses(x)
}

func fillMultiplyHighSigned(l *line, x *record.Binary, k *rv64im.Row) {
	l.binary(x, k)
	l.element(k.K[0])
	l.limbs(x.A)
	l.limbs(x.B)
	p := multiplied(x.A, x.B)
	l.product(&p)
	l.productInverses(&p)
	fb := uint64(k.K[0])
	va, vb := x.A>>63, fb*(x.B>>63)
	carry := (int64(low(x.Result)) - int64(p.y+p.k) + int64(va*low(x.B)+vb*low(x.A))) >> 32 // q - kk
	q1 := (int64(high(x.Result)) - int64(p.j) + int64(va*high(x.B)+vb*high(x.A)) + carry) >> 32
	kk := int64(bit(carry < 0))
	l.words(x.A>>48, va, vb, fb*(x.B>>48), uint64(kk), uint64(carry+kk), uint64(q1))
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.accesses(x)
}

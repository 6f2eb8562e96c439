package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func (l *line) shifted64(a, result, p uint64, arithmetic bool) {
	t := p * low(a)
	w0, w1, h := t&(H-1), t>>16&(H-1), t>>32
	t = p*high(a) + h
	w2, w3, u := t&(H-1), t>>16&(H-1), t>>32
	s, v := uint64(0), uint64(0)
	if arithmetic {
		s, v = a>>63, u*H/p
	}
	l.words(w0, w1, h, w2, w3, u+s*(H-p), s, v)
	l.limbs(result)
}

func (l *line) shifted32(a, result uint64, f [6]goldilocks.Element) {
	p := uint64(f[0])
	t := p * low(a)
	w0, w1, w2 := t&(H-1), t>>16&(H-1), t>>32
	v := uint64(f[1])*w1 + uint64(f[2])*w0 + uint64(f[3])*w2 + uint64(f[4]+f[5])*(w2*H/p)
	l.words(w0, w1, w2, v, v>>15, low(result))
}

func fillShiftConstant(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	for _, c := range k.K {
		l.element(c)
	}
	l.limbs(x.A)
	l.shifted64(x.A, x.Result, uint64(k.K[0]), k.K[5] == 1)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

func fillShiftConstant32(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	for _, c := range k.K {
		l.element(c)
	}
	l.limbs(x.A)
	l.shifted32(x.A, x.Result, k.K)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

func fillShiftRegister(l *line, x *record.Binary, k *rv64im.Row) {
	kind, amount := rv64im.ShiftLeft, x.B&63
	if k.K[0] == 1 {
		kind = rv64im.ShiftRight
	}
	f := rv64im.ShiftConstants(kind, uint(amount))
	l.binary(x, k)
	l.element(k.K[0])
	l.element(k.K[1])
	l.limbs(x.B)
	for _, c := range f[:4] {
		l.element(c)
	}
	l.limbs(x.A)
	l.words(amount, x.B>>6&(H-1))
	l.shifted64(x.A, x.Result, uint64(f[0]), k.K[1] == 1)
	l.accesses(x)
}

func fillShiftRegister32(l *line, x *record.Binary, k *rv64im.Row) {
	amount := x.B & 31
	f := rv64im.ShiftConstants(rv64im.ShiftKind(k.K[0]), uint(amount))
	l.binary(x, k)
	l.element(k.K[0])
	l.limbs(x.B)
	for _, c := range f {
		l.element(c)
	}
	l.limbs(x.A)
	l.words(amount, x.B>>5&(H-1))
	l.shifted32(x.A, x.Result, f)
	l.accesses(x)
}

package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// operand puts an operand's magnitude and returns it.
func (l *line) operand(v uint64, fs, fw bool) (sign, magnitude uint64) {
	t := high(v)
	if fw {
		t = low(v)
	}
	th := uint64(0)
	if fs {
		sign, th = t>>31, t>>16
	}
	switch {
	case fw:
		magnitude = low(v)
		if sign == 1 {
			magnitude = low(-v)
		}
	case sign == 1:
		magnitude = -v
	default:
		magnitude = v
	}
	l.words(t, sign, th, bit(low(v) != 0))
	l.inverse(element(low(v)))
	l.limbs(magnitude)
	return sign, magnitude
}

func fillDivide(l *line, x *record.Binary, k *rv64im.Row) {
	fs, fw, fr := k.K[0] == 1, k.K[1] == 1, k.K[2] == 1
	l.binary(x, k)
	for _, c := range k.K[:3] {
		l.element(c)
	}
	l.limbs(x.A)
	l.limbs(x.B)
	sa, a := l.operand(x.A, fs, fw)
	sb, b := l.operand(x.B, fs, fw)
	quotient, rest, z := ^uint64(0), a, bit(b == 0)
	if b != 0 {
		quotient, rest = a/b, a%b
	}
	l.word(z)
	l.inverse(element(low(b) + high(b)))
	l.halves(low(quotient))
	l.halves(high(quotient))
	l.halves(low(rest))
	l.halves(high(rest))
	h := uint64(0)
	if b != 0 {
		h = (low(quotient)*low(b) + low(rest)) >> 32
	}
	l.halves(h)
	hh, d := bit(high(rest) == high(b)), uint64(0)
	switch {
	case b == 0:
	case hh == 1:
		d = low(b) - low(rest) - 1
	default:
		d = high(b) - high(rest) - 1
	}
	l.halves(d)
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.inverse(less(h))
	l.inverse(twoM(low(quotient), high(b)).Mul(twoM(high(quotient), low(b))))
	sq := (1 - z) * (sa ^ sb)
	sc, wanted := sq, quotient
	if fr {
		sc, wanted = sa, rest
	}
	k1, k2 := sc*bit(low(wanted) != 0), uint64(0)
	if !fw {
		k2 = sc * bit(wanted != 0)
	}
	l.words(hh, sq, sc, low(wanted), high(wanted), k1, k2, low(x.Result)>>31)
	l.accesses(x)
}

// twoM is x + y - 2M.
func twoM(x, y uint64) goldilocks.Element { return element(x).Add(element(y)).Sub(2 * M) }

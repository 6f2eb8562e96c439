package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// fillMagnitude writes an operand's magnitude and returns it, with the operand's sign.
func fillMagnitude(c *rv64im.Magnitude[cell], v uint64, fs, fw bool) (sign, magnitude uint64) {
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
	c.Top, c.S, c.TopHalf, c.K = cell(t), cell(sign), cell(th), cell(bit(low(v) != 0))
	c.I.Of(cell(low(v)))
	c.Value = limbs(magnitude)
	return sign, magnitude
}

func fillDivide(c *rv64im.Divide[cell], x *record.Binary, k *rv64im.Row) {
	fs, fw, fr := k.K[0] == 1, k.K[1] == 1, k.K[2] == 1
	putBinary(&c.Binary, x.Cycle, k)
	c.FS, c.FW, c.FR = k.K[0], k.K[1], k.K[2]
	c.A, c.B, c.C = limbs(x.A), limbs(x.B), quarters(x.Result)
	sa, a := fillMagnitude(&c.MA, x.A, fs, fw)
	sb, b := fillMagnitude(&c.MB, x.B, fs, fw)
	quotient, rest := fillEuclid(c, a, b)
	sq := (1 - bit(b == 0)) * (sa ^ sb)
	sc, wanted := sq, quotient
	if fr {
		sc, wanted = sa, rest
	}
	k1, k2 := sc*bit(low(wanted) != 0), uint64(0)
	if !fw {
		k2 = sc * bit(wanted != 0)
	}
	c.SQ, c.SC, c.X = cell(sq), cell(sc), limbs(wanted)
	c.K1, c.K2, c.SW = cell(k1), cell(k2), cell(low(x.Result)>>31)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

// fillEuclid writes the division of two magnitudes.
func fillEuclid(c *rv64im.Divide[cell], a, b uint64) (quotient, rest uint64) {
	quotient, rest = ^uint64(0), a
	if b != 0 {
		quotient, rest = a/b, a%b
	}
	c.Z = cell(bit(b == 0))
	c.IZ.Of(cell(low(b) + high(b)))
	c.Q, c.R = quarters(quotient), quarters(rest)
	h := uint64(0)
	if b != 0 {
		h = (low(quotient)*low(b) + low(rest)) >> 32
	}
	hh, d := bit(high(rest) == high(b)), uint64(0)
	switch {
	case b == 0:
	case hh == 1:
		d = low(b) - low(rest) - 1
	default:
		d = high(b) - high(rest) - 1
	}
	c.H, c.D, c.HH = halves(h), halves(d), cell(hh)
	c.IH.Of(less(h))
	c.IQ.Of(twoM(low(quotient), high(b)).Mul(twoM(high(quotient), low(b))))
	return quotient, rest
}

// twoM returns x + y - 2M.
func twoM(x, y uint64) cell { return cell(x).Add(cell(y)).Sub(2 * maxUint32) }

package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillShifted64(c *rv64im.Shifted64[cell], a, result, p uint64, arithmetic bool) {
	t := p * low(a)
	c.W0, c.W1, c.H = cell(t&(twoTo16-1)), cell(t>>16&(twoTo16-1)), cell(t>>32)
	t = p*high(a) + t>>32
	c.W2, c.W3 = cell(t&(twoTo16-1)), cell(t>>16&(twoTo16-1))
	u, s, v := t>>32, uint64(0), uint64(0)
	if arithmetic {
		s, v = a>>63, u*twoTo16/p
	}
	c.W4, c.S, c.V = cell(u+s*(twoTo16-p)), cell(s), cell(v)
	c.C = limbs(result)
}

// wayOf returns the constants of a 32-bit shift as columns.
func wayOf(k *[6]cell) rv64im.Way32[cell] {
	return rv64im.Way32[cell]{P: k[0], E0: k[1], E1: k[2], E2: k[3], E4: k[4], E5: k[5]}
}

func fillShifted32(c *rv64im.Shifted32[cell], a, result uint64, way *rv64im.Way32[cell]) {
	t := uint64(way.P) * low(a)
	w0, w1, w2 := t&(twoTo16-1), t>>16&(twoTo16-1), t>>32
	v := uint64(way.E0)*w1 + uint64(way.E1)*w0 + uint64(way.E2)*w2 + uint64(way.E4+way.E5)*(w2*twoTo16/uint64(way.P))
	c.W0, c.W1, c.W2 = cell(w0), cell(w1), cell(w2)
	c.V, c.S, c.C = cell(v), cell(v>>15), cell(low(result))
}

func fillShiftConstant(c *rv64im.ShiftConstant[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.P, c.F, c.D, c.FA = k.K[0], [3]cell(k.K[1:4]), k.K[4], k.K[5]
	c.A = limbs(x.A)
	fillShifted64(&c.Shifted64, x.A, x.Result, uint64(c.P), c.FA == 1)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

func fillShiftConstant32(c *rv64im.ShiftConstant32[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.Way32, c.A = wayOf(&k.K), limbs(x.A)
	fillShifted32(&c.Shifted32, x.A, x.Result, &c.Way32)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

func fillShiftRegister(c *rv64im.ShiftRegister[cell], x *record.Binary, k *rv64im.Row) {
	kind, amount := rv64im.ShiftLeft, x.B&63
	if k.K[0] == 1 {
		kind = rv64im.ShiftRight
	}
	constants := rv64im.ShiftConstants(kind, uint(amount))
	putBinary(&c.Binary, x.Cycle, k)
	c.D, c.FA = k.K[0], k.K[1]
	c.A, c.B = limbs(x.A), limbs(x.B)
	c.P, c.F = constants[0], [3]cell(constants[1:4])
	c.Amount = rv64im.Amount[cell]{Amount: cell(amount), Q0: cell(x.B >> 6 & (twoTo16 - 1))}
	fillShifted64(&c.Shifted64, x.A, x.Result, uint64(c.P), c.FA == 1)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func fillShiftRegister32(c *rv64im.ShiftRegister32[cell], x *record.Binary, k *rv64im.Row) {
	amount := x.B & 31
	constants := rv64im.ShiftConstants(rv64im.ShiftKind(k.K[0]), uint(amount))
	putBinary(&c.Binary, x.Cycle, k)
	c.KD = k.K[0]
	c.A, c.B, c.Way32 = limbs(x.A), limbs(x.B), wayOf(&constants)
	c.Amount = rv64im.Amount[cell]{Amount: cell(amount), Q0: cell(x.B >> 5 & (twoTo16 - 1))}
	fillShifted32(&c.Shifted32, x.A, x.Result, &c.Way32)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

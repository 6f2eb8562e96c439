package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillJump(l *line, x *record.Plain, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.element(k.K[0])
}

func fillConstant(l *line, x *record.Constant, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.word(uint64(k.Rd))
	l.element(k.K[0])
	l.element(k.K[1])
	l.element(k.K[2])
	l.destination(x.PreviousD, x.Old)
}

func fillMove(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.limbs(x.A)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

func (l *line) sumWithConstant(a, result uint64) {
	l.limbs(a)
	l.halves(low(result))
	l.word(high(result))
	chi := element(high(result))
	l.inverse(chi.Sub(W).Mul(chi.Add(1)))
}

func fillAddConstant(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.element(k.K[0])
	l.sumWithConstant(x.A, x.Result)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

func fillAddInPlace(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.word(uint64(k.Rd))
	l.element(k.K[0])
	l.sumWithConstant(x.A, x.Result)
	l.word(uint64(x.PreviousD))
}

func fillAddConstant32(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.element(k.K[0])
	l.limbs(x.A)
	l.halves(low(x.Result))
	l.word(low(x.Result) >> 31)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

func fillAdd(l *line, x *record.Binary, k *rv64im.Row) {
	l.binary(x, k)
	l.limbs(x.A)
	l.limbs(x.B)
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.accesses(x)
}

func fillSubtract(l *line, x *record.Binary, k *rv64im.Row) {
	fs, fw := k.K[0] == 1, k.K[1] == 1
	carry := func(a, b, in, result uint64) uint64 { // of a + b + in, or the borrow of a - b - in
		if fs {
			return (b + in + result - a) >> 32
		}
		return (a + b + in - result) >> 32
	}
	k0 := carry(low(x.A), low(x.B), 0, low(x.Result))
	k1 := uint64(0)
	if !fw {
		k1 = carry(high(x.A), high(x.B), k0, high(x.Result))
	}
	l.binary(x, k)
	l.element(k.K[0])
	l.element(k.K[1])
	l.limbs(x.A)
	l.limbs(x.B)
	l.word(k0)
	l.word(k1)
	l.word(low(x.Result) >> 31)
	l.halves(low(x.Result))
	l.halves(high(x.Result))
	l.accesses(x)
}

package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillIfZero(l *line, x *record.Branch, k *rv64im.Row) {
	l.branch(x, k, false)
	l.limbs(x.A)
	l.inverse(element(low(x.A) + high(x.A)))
	l.word(uint64(x.Previous1))
}

// branch puts the header, the registers, the outcome and where it leads.
func (l *line) branch(x *record.Branch, k *rv64im.Row, both bool) {
	l.header(x.Cycle, k)
	l.registers(k.Rs1)
	if both {
		l.registers(k.Rs2)
	}
	l.element(k.K[0])
	l.element(k.K[1])
}

func fillIfEqual(l *line, x *record.Branch, k *rv64im.Row) {
	l.branch(x, k, true)
	l.limbs(x.A)
	l.limbs(x.B)
	d, q := element(low(x.A)).Sub(element(low(x.B))), element(high(x.A)).Sub(element(high(x.B)))
	l.inverse(d.Square().Sub(q.Square().Mul(rv64im.NonResidue)))
	l.word(uint64(x.Previous1))
	l.word(uint64(x.Previous2))
}

func (l *line) compared(a, b uint64, isSigned bool, lt *uint64, out bool) {
	if isSigned {
		l.words(a>>48, b>>48, a>>63, b>>63)
	}
	e := int64(high(b)) - int64(high(a))
	if isSigned {
		e += W * (int64(a>>63) - int64(b>>63))
	}
	h := bit(e == 0)
	d := e
	if e == 0 {
		d = int64(low(b)) - int64(low(a))
	}
	l.word(h)
	if out {
		l.word(*lt)
	}
	if *lt == 1 {
		l.halves(uint64(d - 1))
	} else {
		l.halves(uint64(int64(h) - 1 - d))
	}
}

func fillIfLess(isSigned bool) func(l *line, x *record.Branch, k *rv64im.Row) {
	return func(l *line, x *record.Branch, k *rv64im.Row) {
		l.branch(x, k, true)
		l.limbs(x.A)
		l.limbs(x.B)
		lt := uint64(k.K[0])
		l.compared(x.A, x.B, isSigned, &lt, false)
		l.word(uint64(x.Previous1))
		l.word(uint64(x.Previous2))
	}
}

func fillSetLess(isSigned bool) func(l *line, x *record.Binary, k *rv64im.Row) {
	return func(l *line, x *record.Binary, k *rv64im.Row) {
		l.binary(x, k)
		l.element(k.K[0])
		l.element(k.K[1])
		l.limbs(x.A)
		l.limbs(x.B)
		b := x.B + (uint64(k.K[0]) | uint64(k.K[1])<<32)
		lt := x.Result
		l.compared(x.A, b, isSigned, &lt, true)
		l.accesses(x)
	}
}

func (l *line) jumpRegister(a uint64, k *rv64im.Row) {
	l.element(k.K[0])
	l.words(a, uint64(element(a).Add(k.K[0]))&1)
}

func fillJumpRegister(l *line, x *record.Branch, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rs1)
	l.jumpRegister(x.A, k)
	l.word(uint64(x.Previous1))
}

func fillJumpRegisterLink(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.jumpRegister(x.A, k)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

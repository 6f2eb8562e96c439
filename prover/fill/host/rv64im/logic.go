package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillLogic(l *line, x *record.Binary, k *rv64im.Row) {
	l.binary(x, k)
	l.element(k.K[0])
	for _, v := range []uint64{x.A, x.B, x.Result} {
		for i := range 8 {
			l.word(v >> (8 * i) & 0xff)
		}
	}
	l.accesses(x)
}

func fillLogicConstant(l *line, x *record.Unary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	for _, c := range k.K[:5] {
		l.element(c)
	}
	l.limbs(x.A)
	l.words(x.A&0xff, x.A>>8&0xff, x.Result&0xff, x.Result>>8&0xff)
	l.limbs(x.Result)
	l.word(uint64(x.Previous1))
	l.destination(x.PreviousD, x.Old)
}

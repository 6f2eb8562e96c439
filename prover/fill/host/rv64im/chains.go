package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillHalt(l *line, x *record.Halt, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.limbs(x.Exit)
	l.words(uint64(x.Previous1), uint64(x.Previous2))
}

func fillFinal(l *line, x *record.Final) {
	l.word(uint64(x.Last))
	l.limbs(x.Value)
}

func fillRefresh(l *line, x *record.Refresh) {
	l.words(1, uint64(x.Index))
	l.limbs(x.Value)
	l.word(uint64(x.Previous))
}

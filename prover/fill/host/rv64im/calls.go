package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func fillCall(l *line, x *record.Call, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.words(uint64(x.Code), uint64(x.Arguments[0]), uint64(x.Arguments[1]), uint64(x.Arguments[2]))
	for _, previous := range x.Previous {
		l.word(uint64(previous))
	}
	note := uint64(0)
	if x.Code == accelerator.CodeNote {
		note = 1
	}
	l.word(note)
}

// fillAccelerator fills a table of calls, or of the work that they take.
func (f *Filler) fillAccelerator(pool *parallel.Pool, t table.Table, first uint64,
	columns [][]goldilocks.Element) error {
	for _, k := range circuits.Kinds() {
		if t != k.Table && (t != k.Work || t == 0) {
			continue
		}
		own, ok := all.Of(k)
		if !ok {
			return fmt.Errorf("riscv: nothing fills the tables of accelerator %s: list it in fill/host/rv64im/accelerator/all",
				k.Name)
		}
		if t == k.Table {
			fillRows(pool, columns, f.set.Call[t], first, f.callFiller(&own))
			return nil
		}
		calls := f.set.Call[k.Table]
		calls = calls[min(first, uint64(len(calls))):]
		calls = calls[:min(len(columns[0])/table.RowsOfRecord(t), len(calls))]
		var times, read []uint64
		for i := range calls {
			times = append(times, 4*uint64(calls[i].Cycle))
			read = append(read, f.readBy(k, &calls[i])...)
		}
		own.Work(pool, columns, times, read)
		return nil
	}
	return fmt.Errorf("riscv: no filler for table %s", t)
}

// readBy is what a call read: its numbers, and words.
func (f *Filler) readBy(k *accelerator.Kind, x *record.Call) []uint64 {
	words := f.accesses.Old[x.Access:][:k.Words()]
	if k.Numbers() == 0 {
		return words
	}
	return append(k.AppendNumbers(nil, x.Arguments), words...)
}

// callFiller fills a row of calls: the columns of every accelerator, then the accelerator's own.
func (f *Filler) callFiller(own *host.Filler) func(l *line, x *record.Call) {
	k := own.Kind
	return func(l *line, x *record.Call) {
		read, words := f.readBy(k, x), f.accesses.Old[x.Access:][:k.Words()]
		written := f.accesses.Value[x.Access:][k.Words()-k.Written() : k.Words()]
		l.words(1, 4*uint64(x.Cycle))
		for i, argument := range x.Arguments[:k.Arguments()] {
			if k.IsNumber(i) {
				l.word(uint64(argument))
			} else {
				l.word(uint64(argument) / 8)
			}
		}
		// All previous times come before all gaps.
		gaps := l.cells[l.at:][:2*k.Words()]
		l.at += len(gaps)
		for i := range words {
			at := x.Access + uint32(i)
			previous := f.accesses.Previous[at]
			gaps[i] = element(uint64(previous))
			gaps[k.Words()+i] = element(gapDigit(f.accesses.Time[at], previous))
		}
		for _, list := range [][]uint64{words, written} {
			for _, v := range list {
				l.limbs(v)
			}
		}
		if own.Call != nil {
			own.Call(l.cells[l.at:], read, written)
		}
	}
}

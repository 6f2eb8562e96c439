package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/fill/host/rows"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func fillCall(c *rv64im.Call[cell], x *record.Call, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.Code = cell(x.Code)
	for i := range c.Arguments {
		c.Arguments[i] = cell(x.Arguments[i])
	}
	for i := range c.Previous {
		c.Previous[i] = before(x.Cycle, x.Previous[i])
	}
	c.Note = cell(bit(x.Code == accelerator.CodeNote))
}

// fillAccelerator fills a table of calls, or a table of their work.
func (f *Filler) fillAccelerator(pool *parallel.Pool, t table.Table, first uint64,
	columns [][]cell) error {
	for _, k := range circuits.Kinds() {
		if t != k.Table && (t != k.Work || t == 0) {
			continue
		}
		own, ok := all.Of(k)
		if !ok {
			return fmt.Errorf("riscv: no filler for accelerator %s: list it in fill/host/rv64im/accelerator/all",
				k.Name)
		}
		if t == k.Table {
			rows.FillCells(pool, columns, f.set.Call[t], first, f.callFiller(&own))
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

// readBy returns what a call read: its numbers, then words.
func (f *Filler) readBy(k *accelerator.Kind, x *record.Call) []uint64 {
	words := f.accesses.Old[x.Access:][:k.Words()]
	if k.Numbers() == 0 {
		return words
	}
	return append(k.AppendNumbers(nil, x.Arguments), words...)
}

// callFiller fills a row of calls: the columns of every accelerator, then the accelerator's own.
func (f *Filler) callFiller(own *host.Filler) func(row []cell, x *record.Call) {
	k := own.Kind
	return func(row []cell, x *record.Call) {
		c := rv64im.AcceleratorCallOf(k, func(_ string, count int) []cell {
			columns := row[:count:count]
			row = row[count:]
			return columns
		})
		c.M[0], c.Time[0] = 1, 4*cell(x.Cycle)
		for i := range c.Word {
			c.Word[i] = cell(x.Arguments[i])
			if !k.IsNumber(i) {
				c.Word[i] /= 8
			}
		}
		words := f.accesses.Old[x.Access:][:k.Words()]
		written := f.accesses.Value[x.Access:][k.Words()-k.Written() : k.Words()]
		for i := range words {
			access := f.wordAccess(x.Access + uint32(i))
			c.Previous[i], c.Gap[i] = access.Previous, access.Gap
		}
		putLimbs(c.Read, words)
		putLimbs(c.Written, written)
		if own.Call != nil {
			own.Call(row, f.readBy(k, x), written)
		}
	}
}

// putLimbs writes the limbs of words, the low limb of each word first.
func putLimbs(to []cell, words []uint64) {
	for i, v := range words {
		to[2*i], to[2*i+1] = cell(low(v)), cell(high(v))
	}
}

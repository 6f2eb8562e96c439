package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/fill/host/rows"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func fillHalt(c *rv64im.Halt[cell], x *record.Halt, k *rv64im.Row) {
	c.Header, c.Exit = header(x.Cycle, k), limbs(x.Exit)
	c.PreviousA7, c.PreviousA0 = before(x.Cycle, x.Previous1), before(x.Cycle, x.Previous2)
}

func fillFinal(c *rv64im.Final[cell], x *record.Final) {
	c.Last, c.Value = cell(x.Last), limbs(x.Value)
}

func fillRefresh(c *rv64im.Refresh[cell], x *record.Refresh) {
	c.M, c.Index, c.Value, c.Previous = 1, cell(x.Index), limbs(x.Value), cell(x.Previous)
}

// boundaryRow is a row of MB: a word, and the number of words between it and the next row's.
type boundaryRow struct {
	record.Touched
	gap uint32
}

func fillBoundary(c *rv64im.Boundary[cell], x *boundaryRow) {
	c.Word, c.Gap, c.Last, c.Value = cell(x.Word), cell(x.gap), cell(x.Last), limbs(x.Value)
}

// boundaryOf lists the rows of a boundary of 2^log rows.
func boundaryOf(set *record.Set, log int) ([]boundaryRow, error) {
	words, err := set.Boundary(log)
	if err != nil {
		return nil, err
	}
	list := make([]boundaryRow, len(words))
	for i, word := range words {
		list[i].Touched = word
		if i > 0 {
			list[i-1].gap = word.Word - words[i-1].Word - 1
		}
	}
	return list, nil
}

// fillPrivate fills PRIV: the words of the private input that the program accessed. Rows of other words have only their
// number.
func (f *Filler) fillPrivate(pool *parallel.Pool, to [][]cell, _ table.Table, _ uint64) error {
	first := uint32(memorymap.PrivateInput / memorymap.WordBytes)
	accessed := map[uint32]bool{}
	for i := range f.set.Touched {
		accessed[f.set.Touched[i].Word] = true
	}
	return rows.FillAll(pool, to, func(c *rv64im.Private[cell], row int) {
		word := first + uint32(row)
		c.M, c.Word, c.Value = 0, cell(word), quarters(0)
		if row < len(f.private) && accessed[word] {
			c.M, c.Value = 1, quarters(f.private[row].Value)
		}
	})
}

// Package rv64im fills the tables of the RISC-V machine on the host, from the records of a run.
//
// A filler writes a row's cells in the order in which its columns are declared (see [line]). What nothing fixes is 0,
// also for the inverse of 0, so that every filler writes the same.
package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Filler fills tables from the records of one run.
type Filler struct {
	program  *program.Program
	set      *record.Set
	accesses *record.Accesses
	private  []memorymap.Word // of the private input, from its first word on
	boundary []boundaryRow
}

// NewFiller makes a filler. private is the private input, and the boundary's instance has 2^logBoundary rows, which is
// an error where they do not hold what the run touched.
func NewFiller(p *program.Program, set *record.Set, private []byte, logBoundary int) (*Filler, error) {
	boundary, err := boundaryOf(set, logBoundary)
	if err != nil {
		return nil, err
	}
	f := &Filler{program: p, set: set, accesses: &set.Accesses, boundary: boundary}
	f.private = memorymap.Words(memorymap.PrivateInput, private)
	return f, nil
}

// Fill writes an instance of a table, which takes the table's records from first on; of a table of an accelerator's
// work its calls.
func (f *Filler) Fill(pool *parallel.Pool, t table.Table, first uint64, columns [][]goldilocks.Element) error {
	if fill, ok := fillers[t.Family().Row]; ok {
		fill(f, pool, columns, t, first)
		return nil
	}
	switch t {
	case table.Refresh:
		fillRows(pool, columns, f.set.Refresh, first, fillRefresh)
	case table.Register:
		fillRows(pool, columns, f.set.Registers[:], first, fillFinal)
	case table.Boundary:
		fillRows(pool, columns, f.boundary, first, fillBoundary)
	case table.Private:
		f.fillPrivate(columns)
	default:
		return f.fillAccelerator(pool, t, first, columns)
	}
	return nil
}

// boundaryRow is a row of MB: a word, and how many lie between it and the next row's.
type boundaryRow struct {
	record.Touched
	gap uint32
}

func fillBoundary(l *line, x *boundaryRow) {
	l.words(uint64(x.Word), uint64(x.gap), uint64(x.Last))
	l.limbs(x.Value)
}

// boundaryOf lists the rows of a boundary of 2^log rows.
func boundaryOf(set *record.Set, log int) ([]boundaryRow, error) {
	words, err := set.Boundary(log)
	if err != nil {
		return nil, err
	}
	rows := make([]boundaryRow, len(words))
	for i, word := range words {
		rows[i].Touched = word
		if i > 0 {
			rows[i-1].gap = word.Word - words[i-1].Word - 1
		}
	}
	return rows, nil
}

// fillPrivate fills PRIV: the words that the program accessed, of the private input.
func (f *Filler) fillPrivate(columns [][]goldilocks.Element) {
	first := uint32(memorymap.PrivateInput / memorymap.WordBytes)
	accessed := map[uint32]bool{}
	for i := range f.set.Touched {
		accessed[f.set.Touched[i].Word] = true
	}
	for row := range columns[0] {
		word := first + uint32(row)
		var value, m uint64
		if row < len(f.private) && accessed[word] {
			m, value = 1, f.private[row].Value
		}
		cells := []uint64{m, uint64(word), value & (H - 1), value >> 16 & (H - 1), value >> 32 & (H - 1), value >> 48}
		for c, v := range cells {
			columns[c][row] = element(v)
		}
	}
}

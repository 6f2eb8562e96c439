// Package rv64im fills the tables of the RISC-V machine on the host, from the records of a run.
//
// Package circuit/rv64im declares each table by a struct of columns. A filler writes the struct's fields, and package
// rows stores the rows. Cells that no constraint determines are 0, also the inverse of 0, so that the fillers of all
// backends write the same.
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
	private  []memorymap.Word // the private input, from its first word on
	boundary []boundaryRow
}

// NewFiller makes a filler. private is the private input, and the boundary's instance has 2^logBoundary rows. NewFiller
// returns an error if the words that the run touched need more rows.
func NewFiller(p *program.Program, set *record.Set, private []byte, logBoundary int) (*Filler, error) {
	boundary, err := boundaryOf(set, logBoundary)
	if err != nil {
		return nil, err
	}
	f := &Filler{program: p, set: set, accesses: &set.Accesses, boundary: boundary}
	f.private = memorymap.Words(memorymap.PrivateInput, private)
	return f, nil
}

// Fill writes an instance of a table, which takes the table's records from first on. In a table of an accelerator's
// work a record is a call.
func (f *Filler) Fill(pool *parallel.Pool, t table.Table, first uint64, columns [][]goldilocks.Element) error {
	own, ok := fillers[t.Family().Row]
	if !ok {
		own, ok = others[t]
	}
	if ok {
		return own.fill(f, pool, columns, t, first)
	}
	return f.fillAccelerator(pool, t, first, columns)
}

package machine

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Witness is what one proof is about: public values and the cells of every
// table. It is safe for use by several goroutines.
type Witness interface {
	// Public returns the public values. The caller must not change them.
	Public() []goldilocks.Element

	// LogHeights returns the log height of each table.
	LogHeights() []int

	// Fill writes every cell of a table's main columns, whatever was in them
	// before. Columns are of the table's height, in natural row order. Count
	// columns of lookup tables are left alone.
	Fill(pool *parallel.Pool, table int, columns [][]goldilocks.Element) error

	// Records returns what a device needs to fill a table itself, in a layout
	// that the machine documents, or nil where the table is filled on the
	// host only.
	Records(table int) []uint64
}

// Mutated is a witness with its columns changed after they are filled: a
// cheating prover, for tests. It never has records, so that no device fills
// the columns from them.
type Mutated struct {
	Witness

	// Change is called with the filled columns of each table.
	Change func(table int, columns [][]goldilocks.Element)

	// PublicValues replace the witness's where they are not nil.
	PublicValues []goldilocks.Element

	// Heights replace the witness's log heights where they are not nil. Tables
	// are then filled at their true height, and cut or padded with zero rows.
	Heights []int
}

// Public returns the replaced public values, or the witness's own.
func (m *Mutated) Public() []goldilocks.Element {
	if m.PublicValues != nil {
		return m.PublicValues
	}
	return m.Witness.Public()
}

// LogHeights returns the replaced heights, or the witness's own.
func (m *Mutated) LogHeights() []int {
	if m.Heights != nil {
		return m.Heights
	}
	return m.Witness.LogHeights()
}

// Fill fills the columns truly and then changes them.
func (m *Mutated) Fill(pool *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	filled := columns
	if rows := 1 << m.Witness.LogHeights()[table]; len(columns) > 0 && rows != len(columns[0]) {
		filled = make([][]goldilocks.Element, len(columns))
		for i := range filled {
			filled[i] = make([]goldilocks.Element, rows)
		}
	}
	if err := m.Witness.Fill(pool, table, filled); err != nil {
		return err
	}
	for i := range columns {
		clear(columns[i][copy(columns[i], filled[i]):])
	}
	if m.Change != nil {
		m.Change(table, columns)
	}
	return nil
}

// Records returns nil: a changed table is filled on the host.
func (m *Mutated) Records(int) []uint64 { return nil }

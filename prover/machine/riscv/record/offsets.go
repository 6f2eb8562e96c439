package record

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Offsets is the number of records of each table, and of accesses, before a chunk.
type Offsets struct {
	Rows     [table.Count]uint32
	Refresh  uint32
	Accesses uint64
}

// Less returns the records between two offsets.
func (p Offsets) Less(from *Offsets) Offsets {
	for t, n := range from.Rows {
		p.Rows[t] -= n
	}
	p.Refresh -= from.Refresh
	p.Accesses -= from.Accesses
	return p
}

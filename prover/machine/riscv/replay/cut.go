package replay

import "github.com/chiasmus/chiasmus/prover/machine/riscv/record"

// Chunks returns the number of the run's chunks.
func (p *Placed) Chunks() int { return p.builder.trace.Chunks() }

// All returns the numbers of records of all chunks.
func (p *Placed) All() record.Offsets { return p.Before(p.Chunks()) }

// Before returns the place before chunk k; Before(Chunks()) is the end of the trace.
func (p *Placed) Before(k int) record.Offsets {
	at := &p.builder.starts[k]
	return record.Offsets{Rows: at.rows, Refresh: at.refresh, Accesses: uint64(at.accesses)}
}

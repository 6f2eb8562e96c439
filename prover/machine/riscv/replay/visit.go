package replay

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// Visit replays a chunk and calls visit for every instruction, with the index of its code and the cells of its rows.
// The accelerator is the one that the instruction calls, or nil.
func Visit(p *program.Program, chunk *emulator.Chunk,
	visit func(index uint32, cells int, call *accelerator.Kind)) error {
	g, err := start(p, chunk.Start, chunk.Log)
	if err != nil {
		return err
	}
	var s step
	for range chunk.Cycles {
		index := g.index
		if err := g.step(&s); err != nil {
			return err
		}
		visit(index, cells(&s), s.call)
	}
	return nil
}

// cells returns the number of cells of an instruction's rows.
func cells(s *step) int {
	n := table.Cells(s.table)
	if s.call != nil {
		n += table.Cells(s.call.Table) + table.RowsOfRecord(s.call.Work)*table.Cells(s.call.Work)
	}
	return n
}

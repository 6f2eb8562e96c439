package device

import (
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/tables"
)

// fillThreads is how many threads a block has: see fill.cu.
const fillThreads = 256

// Fillers are the device fillers of a declared machine, by the places of its tables: nil for tables that the host fills.
func Fillers(declared *tables.Declared) []*machine.DeviceFiller {
	source, shared := text("fill.cu"), headers(declared)
	list := make([]*machine.DeviceFiller, len(declared.Tables))
	for i, number := range declared.Number {
		switch sets := setsOf(number); {
		case number == 0 || number == table.Program || number == table.Image:
			list[i] = &machine.DeviceFiller{} // counts alone, or nothing
		case sets != nil:
			list[i] = &machine.DeviceFiller{Unit: "fill", Source: source, Headers: shared, Records: sets, Kernels: []machine.Kernel{{
				Name:   "fill_" + number.String(),
				Launch: func(rows uint64, _ []uint64) machine.Launch { return machine.Linear(rows, fillThreads) },
			}}}
		}
	}
	return list
}

// setsOf are the record sets that a table's kernel reads, in the order of its parameters.
func setsOf(t table.Table) []int {
	switch record.ShapeOf(t) {
	case record.ShapeCall:
		return nil // calls of accelerators are the host's
	case record.ShapeLoad, record.ShapeStore:
		return []int{int(t), Program, Old, Previous}
	case record.ShapeNone:
		if recordsOf(new(record.Set), t) == nil {
			return nil
		}
		return []int{int(t)}
	}
	return []int{int(t), Program}
}

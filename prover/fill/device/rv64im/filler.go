package rv64im

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	fillers "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// fillThreads is the number of threads of a block: see fill.cu.
const fillThreads = 256

// Fillers returns the device fillers of a declared machine, in the order of its tables.
func Fillers(declared *rv64im.Declared) []*machine.DeviceFiller {
	shared := headers(declared)
	list := make([]*machine.DeviceFiller, len(declared.Tables))
	work := workFillers()
	for i, number := range declared.Number {
		switch sets := setsOf(number); {
		case number == 0 || number == table.Program || number == table.Image:
			list[i] = &machine.DeviceFiller{} // only counts, or nothing
		case work[number] != nil:
			list[i] = work[number]
		case sets != nil:
			unit, source := fillUnit(number)
			list[i] = &machine.DeviceFiller{
				Unit:    unit,
				Source:  source,
				Headers: shared,
				Records: sets,
				Kernels: []machine.Kernel{{
					Name:   "fill_" + number.String(),
					Launch: func(rows uint64, _ []uint64) machine.Launch { return machine.Linear(rows, fillThreads) },
				}},
			}
		}
	}
	return list
}

// fillUnit returns the name and the source of the file with a table's kernel.
func fillUnit(number table.Table) (name, source string) {
	k := slices.IndexFunc(all.Kinds(), func(kind *accelerator.Kind) bool { return kind.Table == number })
	if k < 0 {
		return "fill", text("fill.cu")
	}
	return "fill_" + number.String(), callSource(k)
}

// workFillers returns the fillers of the tables in which calls of accelerators take several rows.
func workFillers() map[table.Table]*machine.DeviceFiller {
	list := map[table.Table]*machine.DeviceFiller{}
	for _, kind := range all.Kinds() {
		if own, ok := fillers.Of(kind); ok && own.Work != nil {
			list[kind.Work] = own.Work(int(kind.Table), readBy(kind))
		}
	}
	return list
}

// setsOf returns the record sets that a table's kernel reads, in the order of its parameters.
func setsOf(t table.Table) []int {
	switch record.ShapeOf(t) {
	case record.ShapeCall:
		if t == table.Call {
			return []int{int(t), Program}
		}
		return []int{int(t), Old, Previous}
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

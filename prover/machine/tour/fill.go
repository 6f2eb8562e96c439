package tour

import (
	_ "embed" // the kernels
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

//go:embed tour.cu
var source string

// rowsOf returns the filler of a table whose rows come from its record set. The rows after them are zero.
func rowsOf(table int) machine.Filler {
	return machine.Filler{
		Fill: func(_ *parallel.Pool, filled machine.Execution, instance int, columns [][]goldilocks.Element) error {
			e, ok := filled.(*execution)
			if !ok {
				return fmt.Errorf("tour: an execution of type %T is not this machine's", filled)
			}
			first := circuit.FirstRow(e.instances, instance)
			width := widths[table]
			for c, column := range columns {
				clear(column)
				for row := range column {
					if at := (int(first)+row)*width + c; at < len(e.records[table]) {
						column[row] = goldilocks.Element(e.records[table][at])
					}
				}
			}
			return nil
		},
		Device: &machine.DeviceFiller{Source: source, Records: []int{table}, Kernels: []machine.Kernel{{
			Name:   "trace_rows",
			Launch: func(rows uint64, _ []uint64) machine.Launch { return machine.Linear(rows, 64) },
		}}},
	}
}

// countsOnly returns the filler of a table whose only main columns are counts, which the prover fills.
func countsOnly() machine.Filler {
	return machine.Filler{
		Fill:   func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error { return nil },
		Device: &machine.DeviceFiller{},
	}
}

// powers returns the filler of the table of cubes.
func powers() machine.Filler {
	return machine.Filler{
		Fill: func(_ *parallel.Pool, _ machine.Execution, _ int, columns [][]goldilocks.Element) error {
			c := goldilocks.Element(2)
			for row := range columns[0] {
				columns[0][row] = c
				c = c.Square().Mul(c)
			}
			return nil
		},
		Device: &machine.DeviceFiller{Source: source, Kernels: []machine.Kernel{{
			Name:   "trace_cubes",
			Launch: func(rows uint64, _ []uint64) machine.Launch { return machine.Linear(rows, 64) },
		}}},
	}
}

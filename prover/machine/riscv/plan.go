package riscv

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Estimate returns the instances of a run of size cycles with the same mix of rows as the run in like. Padding rows
// count as rows, so the estimate is an upper bound for such a run.
func (p *Program) Estimate(size, minLogHeight int, like *run.Sample) ([]circuit.Instance, error) {
	if like == nil {
		return nil, fmt.Errorf("riscv: %w", run.ErrRunFirst)
	}
	if size < 0 || like.Size < 1 {
		return nil, fmt.Errorf("riscv: %d cycles estimated like %d cycles, want 0 or more like 1 or more", size, like.Size)
	}
	var rows [table.Count]int
	for _, instance := range like.Instances {
		if tables := len(p.Machine().Tables); instance.Table < 0 || instance.Table >= tables {
			return nil, fmt.Errorf("riscv: estimated like an instance of table %d, and there are %d tables", instance.Table,
				tables)
		}
		if number := p.Declared().Number[instance.Table]; number != 0 {
			rows[number] += 1 << instance.LogHeight
		}
	}
	return p.InstancesOf(instances.Scaled(rows, uint64(like.Size), uint64(size)), minLogHeight)
}

// InstancesOf returns the instances of a proof whose tables have these numbers of rows.
func (p *Program) InstancesOf(rows [table.Count]int, minLogHeight int) ([]circuit.Instance, error) {
	return p.planned(rows, minLogHeight, circuit.FewCells)
}

func (p *Program) planned(rows [table.Count]int, minLogHeight int, aim circuit.Aim) ([]circuit.Instance, error) {
	plan, err := choose(rows, aim)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", run.ErrTooLarge, err)
	}
	return p.cut(plan, minLogHeight)
}

// choose plans the instances for an aim.
func choose(rows [table.Count]int, aim circuit.Aim) (instances.Plan, error) {
	switch aim {
	case circuit.SmallProof:
		return instances.Compact(rows)
	case circuit.SmallestProof:
		return instances.Smallest(rows)
	case circuit.Aggregated:
		return instances.ForAggregation(rows)
	}
	return instances.Choose(rows)
}

// Statement returns the statement of a run of this number of cycles with this public input and output. The times of
// accesses to the output are zero: the size of a statement in a proof does not depend on its values.
func Statement(cycles uint64, input, output []byte) circuit.Public {
	return statement.Stated{Cycles: cycles, Input: input, Output: output}.WithoutTimes()
}

// inputs returns the inputs of a run: files, or bytes sampled from the seed.
func inputs(input run.Input) memory.Inputs {
	in := memory.Inputs{Private: input.Data, Public: input.Public}
	if input.Synthetic() {
		in.Private = Synthetic(input.Size, input.Seed)
	}
	return in
}

// state returns what a run states, except the times of accesses to the output.
func state(result *emulator.Result, in memory.Inputs) statement.Stated {
	return statement.Stated{
		Exit:       result.Exit,
		Cycles:     result.Cycles,
		Misaligned: result.Misaligned,
		Input:      in.Public,
		Output:     result.Output,
	}
}

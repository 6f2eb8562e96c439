package riscv

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

var (
	_ machine.Planner = (*Program)(nil)
	_ machine.Scaler  = (*Program)(nil)
)

// Plan runs the program and counts the rows of its tables, without any record of it. The times of accesses to the
// output, which only a replay finds, are zero.
func (p *Program) Plan(ctx context.Context, input machine.Input) ([]circuit.Instance, circuit.Public, error) {
	if p.guest == nil {
		return nil, circuit.Public{}, errNoGuest
	}
	in := inputs(input)
	tally := replay.NewTally(p.guest)
	result, err := p.emulator.Run(ctx, in, emulator.Options{
		Limit: input.Limit,
		Note:  input.Note,
		Observe: func(c *emulator.Chunk) error {
			if input.Progress != nil {
				input.Progress(uint64(c.Cycles))
			}
			return tally.Observe(c)
		},
	})
	if err != nil {
		return nil, circuit.Public{}, err
	}
	o := outcomeOf(in, result, tally)
	p.remember(o)
	list, err := p.planned(o.rows, input.MinLogHeight, input.Compact)
	return list, o.stated.WithoutTimes(), err
}

// Foretell are the instances of a proof with so many rows of each table.
func (p *Program) Foretell(rows [table.Count]int, minLogHeight int) ([]circuit.Instance, error) {
	return p.planned(rows, minLogHeight, false)
}

func (p *Program) planned(rows [table.Count]int, minLogHeight int, compact bool) ([]circuit.Instance, error) {
	plan, err := choose(rows, compact)
	if err != nil {
		return nil, err
	}
	return p.cut(plan, minLogHeight)
}

// choose plans the instances for few cells, or for a small proof.
func choose(rows [table.Count]int, compact bool) (instances.Plan, error) {
	if compact {
		return instances.Compact(rows)
	}
	return instances.Choose(rows)
}

// Scale is the instances of a run of `to` cycles that does the same as one of `from` with these. Rows of padding count
// as rows, so that it is no less than such a run takes.
func (p *Program) Scale(list []circuit.Instance, from, to uint64, minLogHeight int) ([]circuit.Instance, error) {
	var rows [table.Count]int
	for _, instance := range list {
		if number := p.Declared().Number[instance.Table]; number != 0 {
			rows[number] += 1 << instance.LogHeight
		}
	}
	return p.Foretell(instances.Scaled(rows, from, to), minLogHeight)
}

// Statement is what a run of so many cycles with this public input and output states, but for the times of accesses to
// the output, which are zero: what it takes in a proof depends on none of its values.
func Statement(cycles uint64, input, output []byte) circuit.Public {
	return statement.Stated{Cycles: cycles, Input: input, Output: output}.WithoutTimes()
}

// inputs are a run's: files, or bytes drawn from the seed.
func inputs(input machine.Input) memory.Inputs {
	in := memory.Inputs{Private: input.Data, Public: input.Public}
	if input.Synthetic() {
		in.Private = Synthetic(input.Size, input.Seed)
	}
	return in
}

// state is what a run states, but for the times of accesses to the output.
func state(result *emulator.Result, in memory.Inputs) statement.Stated {
	return statement.Stated{
		Exit:       result.Exit,
		Cycles:     result.Cycles,
		Misaligned: result.Misaligned,
		Input:      in.Public,
		Output:     result.Output,
	}
}

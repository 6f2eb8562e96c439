package riscv

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

var _ machine.Planner = (*Program)(nil)

// Plan runs the program and counts the rows of its tables, without any record of it. The times of accesses to the output,
// which only a replay finds, are zero.
func (p *Program) Plan(ctx context.Context, input machine.Input) ([]machine.Instance, machine.Public, error) {
	if p.guest == nil {
		return nil, machine.Public{}, errNoGuest
	}
	in := inputs(input)
	tally := replay.NewTally(p.guest, in)
	result, err := emulator.Run(ctx, p.guest, in, emulator.Options{Limit: input.Limit, Observe: func(c *emulator.Chunk) error {
		if input.Progress != nil {
			input.Progress(uint64(c.Cycles))
		}
		return tally.Observe(c)
	}})
	if err != nil {
		return nil, machine.Public{}, err
	}
	plan, err := instances.Choose(tally.Rows(in, result.Output))
	if err != nil {
		return nil, machine.Public{}, err
	}
	stated := state(result, in)
	stated.times = make([]uint32, len(memory.Words(memory.PublicOutput, result.Output)))
	list, err := p.cut(plan, input.MinLogHeight)
	return list, stated.public(), err
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
func state(result *emulator.Result, in memory.Inputs) Stated {
	return Stated{Exit: result.Exit, Cycles: result.Cycles, Misaligned: result.Misaligned, Input: in.Public, Output: result.Output}
}

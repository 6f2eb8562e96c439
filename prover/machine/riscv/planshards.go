package riscv

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

var _ machine.ShardPlanner = (*Program)(nil)

// PlanShards runs the program for where its run is cut and what it states, without any record of it: the trace of 67
// million cycles is memory whose pages take a fresh process longer than the run. Shards of the same input then knows
// the run.
func (p *Program) PlanShards(ctx context.Context, input machine.Input,
	cut machine.Cut) ([][]circuit.Instance, circuit.Public, error) {
	if p.guest == nil {
		return nil, circuit.Public{}, errNoGuest
	}
	c := &cutter{run: p.newRun(input), trace: new(coming)}
	o := p.before(c.in, input.Limit)
	if o == nil || o.marks == nil {
		marks := replay.NewMarks(p.guest)
		result, err := p.emulator.Run(ctx, c.in, emulator.Options{
			Limit: input.Limit, Observe: marks.Observe, Note: input.Note})
		if err != nil {
			return nil, circuit.Public{}, err
		}
		o = p.marked(c.in, result, marks)
	}
	if err := c.cut(o, cut); err != nil {
		return nil, circuit.Public{}, err
	}
	list, count := [][]circuit.Instance(nil), len(c.cuts)-1
	for i := range count {
		shard, err := c.shard(i, i == count-1, nil) // nobody fills its tables
		if err != nil {
			return nil, circuit.Public{}, fmt.Errorf("shard %d of %d: %w", i, count, err)
		}
		list = append(list, shard.Instances())
	}
	return list, o.stated.Public(), nil
}

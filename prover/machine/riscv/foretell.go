package riscv

import (
	"context"
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/device"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// foretell begins a run with other inputs than the one before, and supposes that it has the same instances and as long a statement:
// then the device replays it while it goes on. Nothing else is supposed: rows and accesses are counted, and compared in the end. It
// is nil where no run came before, or this one is known, or its inputs are too long.
func (p *Program) foretell(ctx context.Context, r *run, limit uint64) (*Execution, error) {
	p.mutex.Lock()
	like := p.last
	p.mutex.Unlock()
	if like == nil || len(like.stated.Input) != len(r.in.Public) || p.before(r.in, limit) != nil {
		return nil, nil
	}
	r.outcome = *like
	f := newFlight(p.stopsBetween(0, like.chunks))
	e, err := r.whole(ctx, &coming{flight: f})
	if err != nil {
		return nil, err
	}
	rows := p.rowsOf(e.instances)
	private := uint64(len(memory.Words(memory.PrivateInput, r.in.Private)))
	if private > rows[table.Private] {
		return nil, nil
	}
	e.goesOn, e.foretold = f, true
	e.replayed = func() *device.Run {
		guess := &device.Run{
			Program: p.guest, Inputs: r.in, Stops: p.stopsBetween(0, like.chunks), Before: f.before, Output: like.stated.Output,
			Times: like.stated.times, Rows: rows, Private: private,
		}
		guess.Ended = func() *device.Run {
			ended := *r
			ended.outcome = *f.end()
			return ended.replayed(&coming{flight: f}, []int{ended.chunks}, ended.log, &ended.rows, ended.accesses)
		}
		return guess
	}
	tally := replay.NewTally(p.guest)
	go f.run(ctx, p.emulator, r.in, emulator.Options{Limit: limit, Observe: tally.Observe}, func(result *emulator.Result) (*outcome, error) {
		o := outcomeOf(r.in, result, tally)
		p.remember(o)
		list, err := p.Foretell(o.rows, r.minLogHeight)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(list, e.instances) || len(o.stated.Output) != len(like.stated.Output) {
			return nil, machine.ErrForetold
		}
		return o, nil
	})
	return e, nil
}

// rowsOf are the rows of each table's instances.
func (p *Program) rowsOf(list []machine.Instance) (rows [table.Count]uint64) {
	for _, instance := range list {
		rows[p.declared.Number[instance.Table]] += 1 << instance.LogHeight
	}
	return rows
}

package riscv

import (
	"context"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

// foretell begins a run with other inputs than the one before, and supposes that it has the same instances and as long
// a statement: then the device replays it while it goes on. Nothing else is supposed: rows and accesses are counted,
// and compared in the end. It is nil where no run came before, or this one is known, or its inputs are too long.
func (p *Program) foretell(ctx context.Context, r *run, limit uint64) (*Execution, error) {
	like := p.lastRun()
	if like == nil || len(like.stated.Input) != len(r.in.Public) || p.before(r.in, limit) != nil {
		return nil, nil
	}
	r.outcome = *like
	stops := p.stopsBetween(0, like.chunks)
	f, parts := newFlight(stops), []emulator.Cut(nil)
	if p.foretells(like, limit) {
		parts = like.partsOf([]emulator.Cut{like.end()}, p.parts)
		f, stops = newFlight(chunksOf(parts)), p.stopsOf([]emulator.Cut{like.end()}, parts)
	}
	e, err := r.whole(ctx, &coming{flight: f})
	if err != nil {
		return nil, err
	}
	rows := p.rowsOf(e.instances)
	private := uint64(len(memorymap.Words(memorymap.PrivateInput, r.in.Private)))
	if private > rows[table.Private] {
		return nil, nil
	}
	e.goesOn, e.foretold = f, true
	e.replayed = func() *device.Run {
		guess := &device.Run{
			Program: p.guest, Inputs: r.in, Stops: stops, Comes: f.comes(like.chunks), Before: f.before,
			Output: like.stated.Output, Times: like.stated.Times, Rows: rows, Private: private,
		}
		guess.Ended = func() *device.Run {
			ended := *r
			ended.outcome = *f.end()
			return ended.replayed(&coming{flight: f}, []int{ended.chunks}, ended.log, &ended.rows, ended.accesses)
		}
		return guess
	}
	go p.flyForetold(ctx, f, r.in, limit, parts, func(result *emulator.Result, tally *replay.Tally) (*outcome, error) {
		o := outcomeOf(r.in, result, tally)
		p.remember(o)
		list, err := p.planned(o.rows, r.minLogHeight, r.compact)
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

// foretells reports whether another run can be supposed to be as long as one before, and to log as much up to each
// place, so that it goes in parts. Two runs with other inputs than each other did so: there are programs that do with
// all inputs of a length.
func (p *Program) foretells(like *outcome, limit uint64) bool {
	return like.alike && p.goesInParts(like) && (limit == 0 || limit >= uint64(like.chunks)*record.ChunkCycles)
}

var _ machine.Supposing = (*Program)(nil)

// RecordedAgain is how many runs went otherwise than the parts supposed in which they were recorded at first.
func (p *Program) RecordedAgain() uint64 { return p.recordedAgain.Load() }

// flyForetold runs the program to its end, of which judge says what it came to, in parts unless those are nil. Where
// they are not those of the run, or something else ends one, the run is recorded whole, once more from its begin: the
// parts before were its own.
func (p *Program) flyForetold(ctx context.Context, f *flight, in memory.Inputs, limit uint64, parts []emulator.Cut,
	judge func(*emulator.Result, *replay.Tally) (*outcome, error)) {
	tally := replay.NewTally(p.guest)
	if parts != nil {
		if result, trace, err := f.record(ctx, p.emulator, in, parts, tally.Observe); err == nil {
			o, err := judge(result, tally)
			f.land(trace, o, err)
			return
		}
		p.recordedAgain.Add(1)
		tally = replay.NewTally(p.guest)
	}
	options := emulator.Options{Limit: limit, Observe: tally.Observe}
	f.run(ctx, p.emulator, in, options, func(result *emulator.Result) (*outcome, error) { return judge(result, tally) })
}

// rowsOf are the rows of each table's instances.
func (p *Program) rowsOf(list []circuit.Instance) (rows [table.Count]uint64) {
	for _, instance := range list {
		rows[p.Declared().Number[instance.Table]] += 1 << instance.LogHeight
	}
	return rows
}

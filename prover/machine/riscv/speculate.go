package riscv

import (
	"context"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Speculation: everything that an unknown run takes from the previous run is in this file.
//
//   - The instances, for a whole run: the proof begins, and a device replays the run while it is still running. If the
//     run has other instances and its rows fit the predicted ones, a device continues with the run's instances. Else
//     they are [run.ErrSpeculation] when tables are filled, and the trace is kept for the next attempt.
//   - The places up to which the run logs the same number of words as the previous run, if two runs with different
//     inputs did so, or else about the same number: the run is recorded in several parts concurrently. If it does not
//     pass those places, it is recorded again as a whole.
//
// Nothing else is speculated on. Rows and accesses are counted, and compared at the end.

// speculate begins a run with other inputs than the previous run. It returns nil if there was no run before, this run
// is known, or its inputs are too long.
func (p *Program) speculate(ctx context.Context, g *guestRun, limit uint64) (*run.Run, error) {
	like := p.lastRun()
	if like == nil || len(like.stated.Input) != len(g.in.Public) || p.before(g.in, limit) != nil {
		return nil, nil
	}
	stops := p.stopsBetween(0, like.chunks)
	f, parts := newLiveRun(stops), []emulator.Cut(nil)
	guess := p.guesses(like, limit)
	if guess || p.goesLike(like, limit) {
		parts = like.partsOf([]emulator.Cut{like.end()}, p.parts)
		f, stops = newLiveRun(chunksOf(parts)), p.stopsOf([]emulator.Cut{like.end()}, parts)
	}
	c, guessed := &cutter{guestRun: g, trace: &streamedTrace{live: f, stops: stops}}, *like
	guessed.rows = like.most
	if err := c.cut(&guessed, run.Cut{}); err != nil {
		return nil, err
	}
	r, executions, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	e := executions[0]
	rows := p.rowsOf(e.instances)
	private := uint64(memorymap.Count(g.in.Private))
	if private > rows[table.Private] {
		return nil, nil
	}
	e.pending, r.Speculative = f, true
	var own []circuit.Instance // the run's, if they are not the predicted ones
	build := e.records.build
	e.records.build = func() (*made, error) {
		records, err := build()
		if err == nil && own != nil {
			return nil, run.ErrSpeculation
		}
		return records, err
	}
	e.replayed = func() *device.Run {
		guess := &device.Run{
			Program: p.guest, Inputs: g.in, Pool: g.pool,
			Stops: stops, PartEnds: f.stopsUpTo(like.chunks), Before: f.before,
			Output: like.stated.Output, Times: like.stated.Times, Rows: rows, Private: private,
		}
		guess.Ended = func() *device.Run {
			ended := *g
			ended.outcome = *f.end()
			if own != nil {
				e.own.Store(&own)
			}
			return ended.replayed(&streamedTrace{live: f}, []int{ended.chunks}, ended.log, &ended.rows, ended.accesses)
		}
		return guess
	}
	go p.runSpeculatively(ctx, f, g.in, limit, parts, guess, func(result *emulator.Result, trace *record.Trace,
		tally *replay.Tally) (*outcome, error) {
		o := outcomeOf(g.in, result, tally)
		list, err := p.planned(o.rows, g.minLogHeight, g.aim)
		if err == nil && !slices.Equal(list, e.instances) {
			own, o.trace = list, trace
		}
		if err == nil && (!fit(&o.rows, &rows) || len(o.stated.Output) != len(like.stated.Output)) {
			err, o.trace = run.ErrSpeculation, trace
		}
		p.remember(o)
		return o, err
	})
	return r, nil
}

// fit reports whether tables with this many rows have room for a run's rows.
func fit(rows *[table.Count]int, room *[table.Count]uint64) bool {
	for t, n := range rows {
		if uint64(n) > room[t] {
			return false
		}
	}
	return true
}

// goesLike predicts whether another run has the length of the previous one and logs the same number of words up to each
// place, so that it can be recorded in parts. The prediction is yes if two runs with different inputs did: some
// programs behave this way for all inputs of one length.
func (p *Program) goesLike(like *outcome, limit uint64) bool {
	return like.similar && p.goesInParts(like) && (limit == 0 || limit >= uint64(like.chunks)*record.ChunkCycles)
}

// restAfterMiss is the number of runs that are recorded as a whole after a run whose parts were guessed wrongly.
const restAfterMiss = 8

// guesses decides whether the parts of an unknown run are guessed: it is not known to go exactly like the previous run,
// and the last guess was right or long ago.
func (p *Program) guesses(like *outcome, limit uint64) bool {
	if p.goesLike(like, limit) || !p.goesInParts(like) || !p.emulator.CanGuess() {
		return false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.resting > 0 {
		p.resting--
		return false
	}
	return true
}

// guessing returns a recorder of runs whose parts are guessed.
func (p *Program) guessing(limit uint64) recorder {
	if limit == 0 {
		limit = rv64im.MaxCycles
	}
	return func(ctx context.Context, in memory.Inputs, cuts []emulator.Cut, observe func(*emulator.Chunk) error,
		passed func(int, *record.Trace)) (*emulator.Result, *record.Trace, error) {
		return p.emulator.GuessParts(ctx, in, cuts, limit, observe, passed)
	}
}

// runSpeculatively runs the program to its end, in parts unless parts is nil. judge returns the outcome. If the parts
// were predicted wrongly, or a part fails otherwise, the run is recorded again from its beginning, as a whole. The
// parts delivered before are correct. With guess, the parts may log other numbers of words than predicted.
func (p *Program) runSpeculatively(ctx context.Context, f *liveRun, in memory.Inputs, limit uint64,
	parts []emulator.Cut, guess bool, judge func(*emulator.Result, *record.Trace, *replay.Tally) (*outcome, error)) {
	tally := replay.NewTally(p.guest)
	if parts != nil {
		record := recorder(p.emulator.RecordParts)
		if guess {
			record = p.guessing(limit)
		}
		if result, trace, err := f.record(ctx, record, in, parts, tally.Observe); err == nil {
			o, err := judge(result, trace, tally)
			f.finish(trace, o, err)
			return
		}
		f.again++
		tally = replay.NewTally(p.guest)
		if guess {
			p.mutex.Lock()
			p.resting = restAfterMiss
			p.mutex.Unlock()
		}
	}
	options := emulator.Options{Limit: limit, Observe: tally.Observe}
	f.execute(ctx, p.emulator, in, options, func(result *emulator.Result, trace *record.Trace) (*outcome, error) {
		return judge(result, trace, tally)
	})
}

// parts returns the predicted parts of a run that is cut while it is running, or nil if the run is recorded as a whole.
// A part ends at the end of every shard.
func (s *stream) parts(limit uint64) []emulator.Cut {
	like := s.program.lastRun()
	if like == nil || !s.program.goesLike(like, limit) {
		return nil
	}
	var shards []emulator.Cut
	for before := 0; ; {
		chunk := s.cutAfter(len(shards), before)
		if chunk == 0 || chunk >= like.chunks {
			break
		}
		at, ok := slices.BinarySearchFunc(like.places, chunk, func(c emulator.Cut, chunk int) int { return c.Chunk - chunk })
		if !ok {
			return nil
		}
		shards = append(shards, like.places[at])
		before = chunk
	}
	return like.partsOf(append(shards, like.end()), s.program.parts)
}

// rowsOf returns the rows of each table's instances.
func (p *Program) rowsOf(list []circuit.Instance) (rows [table.Count]uint64) {
	for _, instance := range list {
		rows[p.Declared().Number[instance.Table]] += 1 << instance.LogHeight
	}
	return rows
}

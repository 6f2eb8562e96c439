package riscv

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/run"
)

// roll makes the inputs of shards' records: the trace of a shard, and the state before it. It runs the program once,
// from cut to cut, and keeps the state at each cut. A shard that the run has passed is recorded again from its state,
// at a cost that does not depend on the other shards.
//
// A roll holds the guest's memory, the ledger of its words, and the states of shards that may still be needed. If the
// states become too large, the later ones are not kept: their shards need another run from the beginning.
type roll struct {
	*guestRun
	ctx context.Context

	mutex  sync.Mutex
	next   int            // the shard that begins at the tape's position
	ledger *replay.Ledger // at that cut; nil at the beginning of the run
	tape   *emulator.Tape // nil at the beginning of the run
	taken  *taken         // the next shard, which the tape is recording; nil if the tape is idle
	states map[int]*replay.State
	kept   int // words in all states

	queue    sync.Mutex
	ahead    *ahead      // the shard that is being made before it is requested; nil for none
	requests map[int]int // by shard
	dropped  map[int]bool

	recorded atomic.Uint64 // cycles
	devices  atomic.Bool   // whether a device replays shards, faster than the host's first passes
}

// mostKept is the largest number of words in the states of a roll, of 24 bytes each: 768 MiB.
const mostKept = 1 << 25

// KeepStates overrides the largest number of words in the states that are kept of a run in shards.
func (p *Program) KeepStates(words int) { p.states = words }

// part holds the inputs of a shard's records.
type part struct {
	state  *replay.State
	trace  *record.Trace
	placed *replay.Placed // nil before the first pass of its replay
}

// taken is the tape's recording of a shard.
type taken struct {
	trace    *record.Trace
	accessed []memorymap.Word
	err      error
	done     chan struct{} // closed when it is recorded, or failed
}

// ahead is a part that is being made.
type ahead struct {
	number int
	done   chan struct{} // closed when it is made, or failed
	part   *part
	err    error
}

// records makes the records of the shard with a number.
func (r *roll) records(c *cutter, number int, last bool) (*record.Set, error) {
	if c.trace == nil {
		return nil, errPlanned
	}
	var p *part
	var err error
	if c.whole(number, last) {
		p, err = r.whole(c)
	} else {
		p, err = r.part(c, number, last)
	}
	if err == nil && p.placed == nil {
		err = r.place(c, p, number, last)
	}
	if err != nil {
		return nil, err
	}
	return p.placed.Build(r.ctx)
}

// whole returns the whole run, which may be longer or shorter than predicted.
func (r *roll) whole(c *cutter) (*part, error) {
	trace, err := c.trace.complete()
	if err != nil {
		return nil, err
	}
	state := replay.Begin(r.program.guest, r.in)
	state.Delay(r.program.late)
	return &part{state: state, trace: delayed(trace, r.program.late)}, nil
}

// part returns the shard with a number.
func (r *roll) part(c *cutter, number int, last bool) (*part, error) {
	r.queue.Lock()
	if r.requests == nil {
		r.requests, r.dropped = map[int]int{}, map[int]bool{}
	}
	r.requests[number]++
	a := r.ahead
	if a == nil || a.number != number {
		r.queue.Unlock()
		return r.make(c, number, last)
	}
	r.ahead = nil
	r.queue.Unlock()
	<-a.done
	return a.part, a.err
}

// prepare begins to make a shard for a device, ahead of the request, when the device has requested the previous shard.
// It does nothing if the shard was already requested in this phase, or needs no records any more.
func (r *roll) prepare(c *cutter, number int, last bool) {
	r.devices.Store(true)
	r.queue.Lock()
	defer r.queue.Unlock()
	if r.dropped[number] || r.requests[number] >= r.requests[number-1] || r.ahead != nil && r.ahead.number == number {
		return
	}
	a := &ahead{number: number, done: make(chan struct{})}
	r.ahead = a
	go func() {
		defer close(a.done)
		if a.part, a.err = r.make(c, number, last); a.err == nil {
			a.part.placed = nil // a device makes this pass itself
		}
	}()
}

// make makes a shard from its state if the run has passed it before, else from the end of the previous shard.
func (r *roll) make(c *cutter, number int, last bool) (*part, error) {
	r.mutex.Lock()
	if state := r.states[number]; state != nil {
		r.mutex.Unlock()
		return r.again(c, state, number)
	}
	defer r.mutex.Unlock()
	if number < r.next {
		r.rewind()
	}
	for {
		p, err := r.step(c, last && r.next == number)
		if err != nil {
			r.rewind()
			return nil, err
		}
		if r.next > number {
			if last {
				r.rewind()
			}
			return p, nil
		}
	}
}

// step makes the next shard, and keeps the state before it.
func (r *roll) step(c *cutter, ends bool) (*part, error) {
	number, late := r.next, r.program.late
	if r.tape == nil {
		tape, err := r.program.emulator.Tape(r.in)
		if err != nil {
			return nil, err
		}
		r.tape, r.ledger = tape, replay.NewLedger(r.program.guest, r.in, late)
	}
	if r.taken == nil {
		r.take(c.cuts[number+1].Cut)
	}
	t := r.taken
	<-t.done
	if r.taken = nil; t.err != nil {
		return nil, t.err
	}
	if r.devices.Load() && number+2 < len(c.cuts) {
		r.take(c.cuts[number+2].Cut)
	}
	placed, err := r.ledger.Place(r.ctx, r.pool, delayed(t.trace, late), t.accessed, ends)
	if err != nil {
		return nil, err
	}
	if err := c.counted(number, placed); err != nil {
		return nil, err
	}
	r.next++
	r.keep(number, placed.State())
	return &part{placed.State(), placed.Trace(), placed}, nil
}

// take starts recording the next shard, up to a cut.
func (r *roll) take(to emulator.Cut) {
	t, tape := &taken{done: make(chan struct{})}, r.tape
	r.taken = t
	go func() {
		defer close(t.done)
		if t.trace, t.err = tape.Next(r.ctx, to); t.err == nil {
			r.recorded.Add(cyclesOf(t.trace))
			t.accessed = tape.Accessed()
		}
	}()
}

// keep keeps the state before a shard if there is room.
func (r *roll) keep(number int, state *replay.State) {
	if r.states == nil {
		r.states = map[int]*replay.State{}
	}
	if words := len(state.Known()); r.kept+words <= r.program.states {
		r.states[number] = state
		r.kept += words
	}
}

// again records a shard from the state before it.
func (r *roll) again(c *cutter, state *replay.State, number int) (*part, error) {
	late, at := r.program.late, *state.At()
	at.Cycle -= late
	tape, err := r.program.emulator.TapeFrom(r.in, &at, state.Known())
	if err != nil {
		return nil, err
	}
	defer tape.Close()
	trace, err := tape.Next(r.ctx, c.cuts[number+1].Cut)
	if err != nil {
		return nil, err
	}
	r.recorded.Add(cyclesOf(trace))
	return &part{state: state, trace: delayed(trace, late)}, nil
}

// cyclesOf returns the cycles of a part of a trace.
func cyclesOf(t *record.Trace) uint64 {
	return uint64(t.Checkpoints[t.Chunks()].Cycle - t.Checkpoints[0].Cycle)
}

// report adds the number of recorded cycles to a run's report.
func (r *roll) report(of run.Report) run.Report {
	of.Recorded = r.recorded.Load()
	return of
}

// place makes the first pass of a shard's replay.
func (r *roll) place(c *cutter, p *part, number int, last bool) (err error) {
	if p.placed, err = p.state.Place(r.ctx, r.pool, p.trace, last); err != nil || c.whole(number, last) {
		return err
	}
	return c.counted(number, p.placed)
}

// counted compares the numbers of a shard's records with the counts from when the run was cut.
func (c *cutter) counted(number int, placed *replay.Placed) error {
	from, to := &c.cuts[number], &c.cuts[number+1]
	if placed.All() != to.Offsets.Less(&from.Offsets) {
		return fmt.Errorf("the chunks from %d to %d have other records than were counted", from.Chunk, to.Chunk)
	}
	return nil
}

// rewind returns to the beginning of the run. States stay.
func (r *roll) rewind() {
	if r.taken != nil {
		<-r.taken.done
	}
	if r.tape != nil {
		r.tape.Close()
	}
	r.next, r.ledger, r.tape, r.taken = 0, nil, nil, nil
}

// drop frees the state of a shard that needs no records any more.
func (r *roll) drop(number int) {
	r.queue.Lock()
	if r.dropped != nil {
		r.dropped[number] = true
	}
	r.queue.Unlock()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if state := r.states[number]; state != nil {
		r.kept -= len(state.Known())
		delete(r.states, number)
	}
}

// release frees everything if no shard needs records any more.
func (r *roll) release() {
	r.queue.Lock()
	r.ahead = nil
	r.queue.Unlock()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.rewind()
	r.states, r.kept = nil, 0
}

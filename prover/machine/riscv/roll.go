package riscv

import (
	"context"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

// roll makes the host's records of shards. It holds no more than a shard's trace, the state before the next shard,
// and the guest that records on from there. Shards in their order are made one from the other; for an earlier one the
// run is recorded again.
type roll struct {
	*guestRun
	ctx context.Context

	mutex sync.Mutex
	next  int            // the shard whose records can be made next
	state *replay.State  // before it; nil for the beginning of the run
	tape  *emulator.Tape // nil if none is recording
}

// records makes the records of the shard with a number.
func (r *roll) records(c *cutter, number int, last bool) (set *record.Set, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if number < r.next {
		r.rewind()
	}
	for r.next <= number {
		if set, err = r.step(c, last && r.next == number); err != nil {
			r.rewind()
			return nil, err
		}
	}
	if last {
		r.rewind()
	}
	return set, nil
}

// step makes the records of the next shard.
func (r *roll) step(c *cutter, ends bool) (*record.Set, error) {
	from, to := &c.cuts[r.next], &c.cuts[r.next+1]
	whole := c.whole(r.next, ends)
	trace, err := r.part(c, from, to, whole)
	if err != nil {
		return nil, err
	}
	if r.state == nil {
		r.state = replay.Begin(r.program.guest, r.in)
		r.state.Delay(r.program.late)
	}
	placed, err := r.state.Place(r.ctx, r.pool, delayed(trace, r.program.late), ends)
	if err != nil {
		return nil, err
	}
	if !whole && placed.All() != to.Place.Less(&from.Place) {
		return nil, fmt.Errorf("the chunks from %d to %d have other records than were counted", from.Chunk, to.Chunk)
	}
	set, err := placed.Build(r.ctx)
	if err != nil {
		return nil, err
	}
	r.state = placed.After()
	r.next++
	return set, nil
}

// part returns the trace of a shard: from the run's if there is one, else from a tape. A whole run may be longer or
// shorter than predicted.
func (r *roll) part(c *cutter, from, to *replay.Mark, whole bool) (*record.Trace, error) {
	if c.trace == nil {
		return nil, errPlanned
	}
	trace, err := c.trace.complete()
	if err != nil {
		return nil, err
	}
	if trace != nil && whole {
		return trace, nil
	}
	if trace != nil {
		return trace.Part(from.Chunk, to.Chunk), nil
	}
	if r.tape == nil {
		if r.tape, err = r.program.emulator.Tape(r.in); err != nil {
			return nil, err
		}
	}
	return r.tape.Next(r.ctx, to.Cut)
}

// rewind frees the state and returns to the beginning of the run.
func (r *roll) rewind() {
	if r.tape != nil {
		r.tape.Close()
	}
	r.next, r.state, r.tape = 0, nil, nil
}

// release frees the state if no shard needs records any more.
func (r *roll) release() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.rewind()
}

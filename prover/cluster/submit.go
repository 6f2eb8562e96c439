package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Order is a request with its data.
type Order struct {
	Machine string      // from which Build makes the program
	File    []byte      // of the program, if the machine runs programs
	Program run.Program // the result of Build; nil if not built yet
	Input   run.Input
	Params  protocol.Params

	// Shards is the number of shards. If Shards is 0 and ShardCycles is not, the run is cut into shards of ShardCycles
	// cycles while it is running. In both cases workers begin before the coordinator has run the program. Otherwise Cut
	// returns the number of shards for a run of the given size.
	Shards, ShardCycles int
	Cut                 func(size int) int

	// Check returns an error for a run whose statement is not acceptable. It may be nil.
	Check func(circuit.Public) error
}

// cut returns the cut of the run.
func (o *Order) cut() run.Cut {
	switch {
	case o.Shards > 0:
		return run.Even(o.Shards)
	case o.ShardCycles > 0:
		return everyCycles(o.ShardCycles)
	}
	return run.Parts(func(size int) []int { return run.EvenParts(o.Cut(size)) })
}

// Submit requests a proof of an order. If an equal request exists already, Submit continues that job; a job that failed
// or was cancelled starts again.
func Submit(ctx context.Context, space *Space, order *Order, o CoordinatorOptions) (*Coordinator, error) {
	if n := order.Shards; n != 0 && (n < protocol.MinShards || n > protocol.MaxShards) {
		return nil, fmt.Errorf("%d shards, want %d to %d", n, protocol.MinShards, protocol.MaxShards)
	}
	clock := newStopwatch()
	if order.Program == nil {
		var err error
		if order.Program, err = o.Build(order.Machine, order.File); err != nil {
			return nil, err
		}
	}
	work, err := newWork(order.Program, order.Params)
	if err != nil {
		return nil, err
	}
	clock.charge(&clock.metrics.Tables, time.Now())
	order.Input.MinLogHeight, order.Input.Pool = order.Params.MinLogHeight, parallel.New(o.Workers)
	order.Input.Cut = order.cut()
	order.Input.Plan = order.Input.Cut.WhileRunning() == nil // no tables are filled here, except by a judge
	if order.Shards > 0 || order.ShardCycles > 0 {
		return submitEarly(ctx, space, order, work, clock, o)
	}
	if err := work.begin(ctx, order.Input); err != nil {
		return nil, err
	}
	if err := work.judged(order, o.MinBits); err != nil {
		return nil, err
	}
	clock.charge(&clock.metrics.Run, time.Now())
	c, err := enter(ctx, space, order, work, work.count(), clock, o)
	clock.charge(&clock.metrics.Ask, time.Now())
	return c, err
}

// judged returns an error if a run should not be proven.
func (w *work) judged(order *Order, minBits int) error {
	if order.Check != nil {
		if err := order.Check(w.public()); err != nil {
			return err
		}
	}
	return w.check(minBits)
}

// enter stores a request and the first state of its job. The state has no shards if their number is unknown.
func enter(
	ctx context.Context, space *Space, order *Order, w *work, shards int, clock *stopwatch, o CoordinatorOptions,
) (*Coordinator, error) {
	cycles := 0
	if shards == 0 {
		cycles = order.ShardCycles
	}
	request, err := space.put(ctx, order, w.key, shards, cycles)
	if err != nil {
		return nil, err
	}
	id, encoded, err := request.id()
	if err != nil {
		return nil, err
	}
	digest, err := space.objects.Put(ctx, encoded)
	if err != nil {
		return nil, err
	}
	c := newCoordinator(space, id, w, clock, o)
	return c, c.enter(ctx, &State{
		Request: digest, Title: order.Machine, Begun: time.Now().UTC(), Status: statusRunning,
		Shards: make([]ShardState, shards),
	})
}

// enter writes a job's first state, unless the job exists and is running or done.
func (c *Coordinator) enter(ctx context.Context, first *State) error {
	for {
		done, err := c.space.change(ctx, c.id, first, 0)
		if c.began = done; err != nil || done {
			return err
		}
		state, revision, err := c.space.state(ctx, c.id)
		if err != nil {
			return err
		}
		if state.Status == statusRunning || state.Status == statusDone {
			return nil
		}
		done, err = c.space.change(ctx, c.id, first, revision)
		if c.began = done; err != nil || done {
			return err
		}
	}
}

// announce sends the tasks of a job's first phase before this coordinator knows the run, for the given number of shards
// and except for shards that have a cap.
func (c *Coordinator) announce(ctx context.Context, shards int) error {
	state, _, err := c.space.state(ctx, c.id)
	if err != nil || state.Status != statusRunning {
		return err
	}
	queued, err := c.queued(ctx)
	if err != nil {
		return err
	}
	for i := range shards {
		if i < len(state.Shards) && state.Shards[i].Cap != nil {
			continue
		}
		if err := c.sendOne(ctx, &shardTask{Job: c.id, Shard: i}, nil, queued); err != nil {
			return err
		}
	}
	return nil
}

// fail fails an announced job that should not be proven, and returns why. It does not fail a job that another process
// requested, or whose coordinator was interrupted.
func (c *Coordinator) fail(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !c.began {
		return why
	}
	return errors.Join(why, c.space.end(ctx, c.id, statusFailed, why.Error()))
}

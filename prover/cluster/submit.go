package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Order is a request with the bytes.
type Order struct {
	Machine string          // of which Build makes the program
	File    []byte          // the program's, of a machine made for programs
	Program machine.Program // that Build made of them; nil where it has not
	Input   machine.Input
	Params  protocol.Params

	// Shards is into how many shards the run is cut. Workers then begin before the coordinator has run the program. So
	// they do where it is 0 and ShardCycles is not, of a program whose runs can be cut while they go on: behind so many
	// cycles each. Else Cut says into how many shards a run of a size is cut.
	Shards, ShardCycles int
	Cut                 func(size int) int

	// Check refuses a run for what it states; nil takes any.
	Check func(circuit.Public) error
}

// cut is into which shards a run of a size is cut.
func (o *Order) cut(size int) []int {
	if o.Shards > 0 {
		return machine.EvenParts(o.Shards)
	}
	return machine.EvenParts(o.Cut(size))
}

// Submit asks for a proof, with what the program makes of the order already at hand. Who asked for the same before goes
// on with that job; one that failed or was cancelled begins again.
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
	if order.Shards > 0 {
		c, err := enter(ctx, space, order, work, order.Shards, clock, o)
		if err == nil {
			err = c.announce(ctx, order.Shards)
		}
		if err != nil {
			return nil, err
		}
		clock.charge(&clock.metrics.Ask, time.Now())
		if err := work.admit(ctx, order, o.MinBits); err != nil {
			return nil, c.fail(ctx, err)
		}
		clock.charge(&clock.metrics.Run, time.Now())
		return c, nil
	}
	if _, ok := order.Program.(machine.Streamed); ok && order.ShardCycles > 0 {
		return submitComing(ctx, space, order, work, clock, o)
	}
	if err := work.admit(ctx, order, o.MinBits); err != nil {
		return nil, err
	}
	clock.charge(&clock.metrics.Run, time.Now())
	c, err := enter(ctx, space, order, work, work.count(), clock, o)
	clock.charge(&clock.metrics.Ask, time.Now())
	return c, err
}

// admit runs what is ordered, and refuses what is not to be proven.
func (w *work) admit(ctx context.Context, order *Order, minBits int) error {
	if err := w.plan(ctx, order.Input, order.cut); err != nil {
		return err
	}
	return w.judged(order, minBits)
}

// judged refuses a run that is not to be proven.
func (w *work) judged(order *Order, minBits int) error {
	if order.Check != nil {
		if err := order.Check(w.public()); err != nil {
			return err
		}
	}
	return w.check(minBits)
}

// enter stores a request and the first state of its job: with no shards where nobody knows yet how many there are.
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
		Request: digest, Title: order.Machine, Begun: time.Now().UTC(), Status: Running,
		Shards: make([]ShardState, shards),
	})
}

// enter writes a job's first state, unless there is one that goes on or is done.
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
		if state.Status == Running || state.Status == Done {
			return nil
		}
		done, err = c.space.change(ctx, c.id, first, revision)
		if c.began = done; err != nil || done {
			return err
		}
	}
}

// announce sends the tasks of a job's first phase, of so many shards, but for those that have a cap: before this
// coordinator knows the run.
func (c *Coordinator) announce(ctx context.Context, shards int) error {
	state, _, err := c.space.state(ctx, c.id)
	if err != nil || state.Status != Running {
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
		if err := c.sendOne(ctx, &Task{Job: c.id, Shard: i}, nil, queued); err != nil {
			return err
		}
	}
	return nil
}

// fail ends a job that was announced and is not to be proven, and returns why. One that somebody else asked for stays,
// and one whose coordinator was interrupted.
func (c *Coordinator) fail(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !c.began {
		return why
	}
	return errors.Join(why, c.space.end(ctx, c.id, Failed, why.Error()))
}

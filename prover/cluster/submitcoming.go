package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// submitComing asks for a proof of a run that is cut while it goes on. Each seat gets a task at once, whose shard may
// turn out not to be there, so that all run the program while the coordinator does; the other tasks are sent when its
// run has passed their shards.
func submitComing(
	ctx context.Context, space *Space, order *Order, w *work, clock *stopwatch, o CoordinatorOptions,
) (*Coordinator, error) {
	seats, err := space.Workers(ctx)
	if err != nil {
		return nil, err
	}
	early := min(max(len(seats), protocol.MinShards), protocol.MaxShards)
	c, err := enter(ctx, space, order, w, 0, clock, o)
	if err != nil {
		return nil, err
	}
	state, _, err := space.state(ctx, c.id)
	if err != nil {
		return nil, err
	}
	if err := w.come(ctx, order.Input, order.ShardCycles); err != nil {
		return nil, err
	}
	begins := state.Status == Running && len(state.Shards) == 0
	if begins {
		if err := c.announce(ctx, early); err != nil {
			return nil, err
		}
	}
	clock.charge(&clock.metrics.Ask, time.Now())
	err = w.all(ctx, func(number int) error {
		if !begins || number < early {
			return nil
		}
		return c.sendOne(ctx, &Task{Job: c.id, Shard: number}, nil, nil)
	})
	if len(w.shards) == 1 {
		return c.inTwo(ctx, order)
	}
	if err == nil {
		err = w.judged(order, o.MinBits)
	}
	if err != nil {
		return nil, c.fail(ctx, err)
	}
	clock.charge(&clock.metrics.Run, time.Now())
	return c, c.withdraw(ctx, len(w.shards), early)
}

// inTwo asks anew for a run that is shorter than a shard may be: in the least number of shards that a proof has.
func (c *Coordinator) inTwo(ctx context.Context, order *Order) (*Coordinator, error) {
	if c.began {
		if err := c.space.end(ctx, c.id, Failed, "its run is one shard, and was asked for in more"); err != nil {
			return nil, err
		}
	}
	order.Shards = protocol.MinShards
	return Submit(ctx, c.space, order, c.options)
}

// withdraw takes tasks back that were sent for shards which are not there.
func (c *Coordinator) withdraw(ctx context.Context, from, to int) error {
	var errs []error
	for shard := from; shard < to; shard++ {
		subject := fmt.Sprintf("%s.%s.>", anySubject(c.id), taskName(commitTag, shard))
		errs = append(errs, bus.Retry(ctx, func(ctx context.Context) error {
			return c.space.tasks.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}))
	}
	return errors.Join(errs...)
}

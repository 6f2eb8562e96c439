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

// submitEarly requests a proof before the run is known. If the order gives the number of shards, submitEarly sends a
// task for each shard at once. Otherwise it sends one task per seat, whose shards may turn out not to exist, and sends
// the other tasks when the coordinator's run has passed their shards. Thus all seats run the program concurrently with
// the coordinator.
func submitEarly(
	ctx context.Context, space *Space, order *Order, w *work, clock *stopwatch, o CoordinatorOptions,
) (*Coordinator, error) {
	early := order.Shards
	if early == 0 {
		seats, err := space.Workers(ctx)
		if err != nil {
			return nil, err
		}
		early = min(max(len(seats), protocol.MinShards), protocol.MaxShards)
	}
	c, err := enter(ctx, space, order, w, order.Shards, clock, o)
	if err != nil {
		return nil, err
	}
	state, _, err := space.state(ctx, c.id)
	if err != nil {
		return nil, err
	}
	begins := order.Shards > 0 || state.Status == statusRunning && len(state.Shards) == 0
	began := make(chan error, 1)
	go func() { began <- w.begin(ctx, order.Input) }()
	if begins {
		err = c.announce(ctx, early)
	}
	clock.charge(&clock.metrics.Ask, time.Now())
	if err != nil {
		return nil, err
	}
	if err := <-began; err != nil {
		return nil, c.fail(ctx, err)
	}
	err = w.ended(ctx, func(number int) error {
		if !begins || number < early {
			return nil
		}
		return c.sendOne(ctx, &shardTask{Job: c.id, Shard: number}, nil, nil)
	})
	if order.Shards == 0 && w.count() == 1 && w.shards.complete() {
		return c.inTwo(ctx, order)
	}
	if err == nil {
		err = w.judged(order, o.MinBits)
	}
	if err != nil {
		return nil, c.fail(ctx, err)
	}
	clock.charge(&clock.metrics.Run, time.Now())
	return c, c.withdraw(ctx, w.count(), early)
}

// inTwo submits the order again, with the smallest number of shards of a proof, because its run fits one shard.
func (c *Coordinator) inTwo(ctx context.Context, order *Order) (*Coordinator, error) {
	if c.began {
		if err := c.space.end(ctx, c.id, statusFailed, "its run fits one shard: it was requested again in more"); err != nil {
			return nil, err
		}
	}
	order.Shards = protocol.MinShards
	return Submit(ctx, c.space, order, c.options)
}

// withdraw removes tasks for shards that do not exist.
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

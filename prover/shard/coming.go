package shard

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Coming are the shards of a run in their order, each when it is there. Behind an error comes nothing.
type Coming = iter.Seq2[machine.Shard, error]

// ErrCount is returned for a run that came in too few shards, or in too many.
var ErrCount = errors.New("shard: the run came in a number of shards that no proof has")

// ProveComing proves a run whose shards come while it goes on: devices take them in turn, and commit to each when it is
// there. How many they are, and that they are proven with enough bits, is known when the last one has come. The set is
// what Prove makes of the same shards.
func (p *Prover) ProveComing(ctx context.Context, shards Coming) (*protocol.Set, *Metrics, error) {
	r := newRun(p, make([]machine.Shard, protocol.MaxShards))
	defer func() { r.close() }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	count, err := r.commitComing(ctx, cancel, shards)
	if err != nil {
		return nil, nil, err
	}
	r.keep(count)
	if count < protocol.MinShards {
		return nil, nil, fmt.Errorf("%w: %d, want at least %d", ErrCount, count, protocol.MinShards)
	}
	if _, err := p.Check(r.instances(), r.shards[0].Public()); err != nil {
		return nil, nil, err
	}
	for number, shard := range r.shards { // those that are not filled again need their records no more
		if releaser, ok := shard.(machine.Releaser); ok && r.waiting[number] != nil {
			releaser.Release()
		}
	}
	return r.second(ctx, cancel)
}

// keep forgets the room for shards that did not come.
func (r *run) keep(count int) {
	r.shards, r.waiting, r.commitments = r.shards[:count], r.waiting[:count], r.commitments[:count]
	r.proofs, r.metrics = r.proofs[:count], r.metrics[:count]
}

// commitComing is the first phase of shards that come, and says how many did.
func (r *run) commitComing(ctx context.Context, cancel context.CancelCauseFunc, shards Coming) (count int, err error) {
	devices := r.prover.devices
	var group errgroup.Group
	queues := make([]chan int, len(devices))
	for i, d := range devices {
		queues[i] = make(chan int, protocol.MaxShards)
		group.Go(func() error {
			err := r.commitQueued(ctx, d, queues[i])
			if err != nil {
				cancel(err)
			}
			return err
		})
	}
	for shard, failed := range shards {
		if err = failed; err == nil && count == protocol.MaxShards {
			err = fmt.Errorf("%w: more than %d", ErrCount, protocol.MaxShards)
		}
		if err != nil {
			cancel(err)
			break
		}
		r.shards[count] = shard
		queues[count%len(devices)] <- count
		if count++; ctx.Err() != nil {
			break
		}
	}
	for _, queue := range queues {
		close(queue)
	}
	if failed := group.Wait(); err == nil {
		err = failed
	}
	return count, err
}

// commitQueued commits to the shards of a device as they come.
func (r *run) commitQueued(ctx context.Context, d *device, queue <-chan int) error {
	var held []int // the shards that wait, by their slots
	for number := range queue {
		begun := time.Since(r.start)
		slot, err := d.place(len(held), r.shards[number].Instances())
		if err != nil {
			return err
		}
		for _, other := range held[slot:] {
			r.waiting[other].Close()
			r.waiting[other] = nil
		}
		shard, err := r.begin(ctx, d, slot, number, false)
		if err != nil {
			return err
		}
		r.metrics[number].Begun, r.metrics[number].Committed = begun, time.Since(r.start)
		r.commitments[number], r.waiting[number] = shard.Commitment(), shard
		held = append(slices.Clip(held[:slot]), number)
	}
	return nil
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// comingShards are those of a run that is cut behind so many cycles each while it goes on: how many they are, only its
// end says.
type comingShards struct {
	mu    sync.Mutex
	list  []machine.Shard
	ended error         // errEnded, or why it ended early; nil while it goes on
	grown chan struct{} // closed when there is another shard, or the end
}

// errEnded is of a run that ended as it should.
var errEnded = errors.New("the run has ended")

// come runs the program beside who asks for its shards. Cancelling the context ends the run.
func (w *work) come(ctx context.Context, input machine.Input, cycles int) error {
	streamed, ok := w.program.(machine.Streamed)
	if !ok {
		return fmt.Errorf("runs of machine %s are not cut by cycles", w.key.Machine.Name)
	}
	w.coming = &comingShards{grown: make(chan struct{})}
	go func() {
		end := func(shard int) int { return (shard + 1) * cycles }
		for shard, err := range streamed.ShardsAsTheyCome(ctx, input, end) {
			if !w.coming.add(shard, err) {
				return
			}
		}
	}()
	return nil
}

// add takes a shard in, or what ended the run, and reports whether it goes on.
func (c *comingShards) add(shard machine.Shard, err error) (more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.ended = err
	case len(c.list) == protocol.MaxShards:
		c.ended = fmt.Errorf("more than %d shards: they want more cycles each", protocol.MaxShards)
	default:
		c.list = append(c.list, shard)
		if shard.Last() {
			c.ended = errEnded
		}
	}
	close(c.grown)
	c.grown = make(chan struct{})
	return c.ended == nil
}

// wait waits for the shard of a number. Where the run has ended before it, ok is false.
func (c *comingShards) wait(ctx context.Context, number int) (shard machine.Shard, ok bool, err error) {
	for {
		c.mu.Lock()
		list, ended, grown := c.list, c.ended, c.grown
		c.mu.Unlock()
		switch {
		case ended != nil && ended != errEnded:
			return nil, false, ended
		case number < len(list):
			return list[number], true, nil
		case ended != nil:
			return nil, false, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
}

// known are the shards that have come.
func (c *comingShards) known() []machine.Shard {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list
}

// failed reports whether the run of a work whose shards come ended early.
func (w *work) failed() bool {
	if w.coming == nil {
		return false
	}
	w.coming.mu.Lock()
	defer w.coming.mu.Unlock()
	return w.coming.ended != nil && w.coming.ended != errEnded
}

// shard is the one of a number, which is waited for while the run goes on.
func (w *work) shard(ctx context.Context, number int) (machine.Shard, error) {
	list := w.shards
	if w.coming != nil && number >= 0 {
		shard, ok, err := w.coming.wait(ctx, number)
		if ok || err != nil {
			return shard, err
		}
		list = w.coming.known()
	}
	if number < 0 || number >= len(list) {
		return nil, fmt.Errorf("there are %d shards", len(list))
	}
	return list[number], nil
}

// all waits until the run has ended, and tells of each shard that comes.
func (w *work) all(ctx context.Context, tell func(number int) error) error {
	if w.coming == nil {
		return nil
	}
	for number := 0; ; number++ {
		_, ok, err := w.coming.wait(ctx, number)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := tell(number); err != nil {
			return err
		}
	}
	w.shards = w.coming.known()
	return w.checkCount()
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// arrivals are the shards of a run that have arrived so far. If a run is cut while it is running, the number of shards
// is known only at its end.
type arrivals struct {
	mu    sync.Mutex
	list  []*machine.Shard
	ended error         // errEnded, or why it ended early; nil while the run is running
	grown chan struct{} // closed when there is another shard, or the end
}

// errEnded marks a run that ended normally.
var errEnded = errors.New("the run has ended")

// arrive receives the shards of a run: all at once if they are known, else as the run passes their ends.
func arrive(r *run.Run) *arrivals {
	a := &arrivals{grown: make(chan struct{})}
	take := func() {
		for shard, err := range r.Shards {
			if !a.add(shard, err) {
				return
			}
		}
	}
	if r.Instances != nil {
		take()
	} else {
		go take()
	}
	return a
}

// add receives a shard, or the error that ended the run. It reports whether more are expected.
func (a *arrivals) add(shard *machine.Shard, err error) (more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err != nil:
		a.ended = err
	case len(a.list) == protocol.MaxShards:
		a.ended = fmt.Errorf("more than %d shards: use more cycles per shard", protocol.MaxShards)
	default:
		a.list = append(a.list, shard)
		if shard.Last {
			a.ended = errEnded
		}
	}
	close(a.grown)
	a.grown = make(chan struct{})
	return a.ended == nil
}

// wait waits for shard number. If the run ended before that shard, ok is false.
func (a *arrivals) wait(ctx context.Context, number int) (shard *machine.Shard, ok bool, err error) {
	for {
		a.mu.Lock()
		list, ended, grown := a.list, a.ended, a.grown
		a.mu.Unlock()
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

// shard returns a shard by number. It waits for it while the run is running.
func (a *arrivals) shard(ctx context.Context, number int) (*machine.Shard, error) {
	if number < 0 {
		return nil, fmt.Errorf("there is no shard %d", number)
	}
	shard, ok, err := a.wait(ctx, number)
	if err == nil && !ok {
		err = fmt.Errorf("there are %d shards", len(a.known()))
	}
	return shard, err
}

// all waits until the run has ended, and calls each for each shard that arrives.
func (a *arrivals) all(ctx context.Context, each func(number int) error) error {
	for number := 0; ; number++ {
		_, ok, err := a.wait(ctx, number)
		if err != nil || !ok {
			return err
		}
		if err := each(number); err != nil {
			return err
		}
	}
}

// known returns the shards that have arrived.
func (a *arrivals) known() []*machine.Shard {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.list
}

// instances returns the instances of each shard that has arrived.
func (a *arrivals) instances() (list [][]circuit.Instance) {
	for _, shard := range a.known() {
		list = append(list, shard.Instances())
	}
	return list
}

// failed reports whether the run ended early.
func (a *arrivals) failed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended != nil && a.ended != errEnded
}

// complete reports whether the run has ended normally, so that all shards have arrived.
func (a *arrivals) complete() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended == errEnded
}

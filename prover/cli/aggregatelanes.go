package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/chiasmus/chiasmus/prover/backend"
)

// lanes are devices that prove nodes, one node at a time each. A device of a run in shards is busy until its last shard
// is proven: shards come first, because nodes need them, and memory is planned for shards or for nodes, not for both.
type lanes struct {
	all   []*lane
	ready chan *lane // the free lanes

	mu    sync.Mutex
	given int // lanes that are not busy with shards
}

// lane is one device.
type lane struct {
	device backend.Backend
	engine *engine      // for the aggregator; nil until there is a node
	prover *wholeProver // the engine's
	number int          // of the engine's parameters
}

func newLanes(devices []backend.Backend) *lanes {
	l := &lanes{ready: make(chan *lane, len(devices))}
	for _, device := range devices {
		l.all = append(l.all, &lane{device: device})
	}
	return l
}

// free gives a device to the nodes.
func (l *lanes) free(device int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given++
	l.ready <- l.all[device]
}

// reclaim takes all devices from the nodes, none of which may be waiting, and frees their memory.
func (l *lanes) reclaim() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; l.given > 0; l.given-- {
		err = errors.Join(err, (<-l.ready).close())
	}
	return err
}

// in calls do with a lane once one is free.
func (l *lanes) in(ctx context.Context, do func(*lane) error) error {
	select {
	case free := <-l.ready:
		defer func() { l.ready <- free }()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return do(free)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// engineOf returns an engine of the device for a set of parameters.
func (l *lane) engineOf(n *nodes, number int) (*engine, error) {
	if l.engine != nil && l.number == number {
		return l.engine, nil
	}
	end := n.p.timeline.span("close_prover")
	err := l.close()
	end()
	if err != nil {
		return nil, err
	}
	key, err := n.sets[number].key()
	if err != nil {
		return nil, err
	}
	defer n.p.timeline.span("open_prover")()
	e := &engine{work: n.workOf(number, nil), devices: []backend.Backend{l.device}, key: key, log: n.p.stderr,
		traceOut: n.traceOut}
	w, err := e.newWholeProver(l.device, nil)
	if err != nil {
		return nil, err
	}
	e.prover = w
	l.engine, l.prover, l.number = e, w, number
	return e, nil
}

// close frees the memory of the lane's engine. The device stays open.
func (l *lane) close() error {
	if l.engine == nil {
		return nil
	}
	opened := l.prover
	l.engine, l.prover = nil, nil
	return opened.close()
}

// shutdown closes the devices.
func (l *lanes) shutdown() (err error) {
	err = l.reclaim()
	for _, lane := range l.all {
		err = errors.Join(err, lane.device.Shutdown())
	}
	return err
}

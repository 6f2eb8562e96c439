package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// nodes proves runs of the aggregator on the devices of its lanes: an [aggregate.Prover].
type nodes struct {
	*nodeRuns
	chosen   *Backend
	lanes    *lanes
	traceOut string // for a Chrome trace of the last node's proof
}

var _ nodeProver = (*nodes)(nil)

// openNodes opens devices for an aggregation.
func (p *program) openNodes(run *aggregateRun) (*nodes, error) {
	if err := run.checkPresets(); err != nil {
		return nil, err
	}
	chosen, devices, err := p.openDevices(run.backends, run.devices)
	if err != nil {
		return nil, err
	}
	if chosen.Name == "gpu" {
		run.presets = slices.Concat(run.onDevice, run.presets)
	}
	n, err := p.newNodes(run, chosen, devices)
	if err != nil {
		return nil, errors.Join(err, shutdown(devices))
	}
	for i := range devices {
		n.lanes.free(i)
	}
	return n, nil
}

// newNodes prepares an aggregation on open devices, which others use until its lanes are freed.
func (p *program) newNodes(run *aggregateRun, chosen *Backend, devices []backend.Backend) (n *nodes, err error) {
	n = &nodes{chosen: chosen, lanes: newLanes(devices), traceOut: run.backends.traceOut}
	if n.nodeRuns, err = p.newNodeRuns(run); err == nil {
		n.traces = true
	}
	return n, err
}

// mostPlanned is the largest number of nodes that are planned while devices prove others. Each needs memory for its
// input and the trace of its run, some hundred MB in total.
const mostPlanned = 4

// Lanes returns more than the number of devices: while these prove, the runs of the next nodes are planned. A run takes
// one processor at least as long as a device takes for its proof.
func (n *nodes) Lanes() int {
	return len(n.lanes.all) + min(max(runtime.GOMAXPROCS(0)/4, 1), mostPlanned)
}

func (n *nodes) runs() *nodeRuns { return n.nodeRuns }

func (n *nodes) where() string {
	return fmt.Sprintf("%s (%s)", n.chosen.Name, plural.Of(len(n.lanes.all), "device"))
}

func (n *nodes) shutdown(error) error { return n.lanes.shutdown() }

// Plan runs the aggregator on an input. Meanwhile a free device prepares for the node's parameters.
func (n *nodes) Plan(ctx context.Context, number int, input []byte) error {
	_, err := n.planned(ctx, number, input)
	return err
}

// planned plans a node while a free device prepares for its parameters.
func (n *nodes) planned(ctx context.Context, number int, input []byte) (*nodePlan, error) {
	if n.chosen.Name != "cpu" { // a proof on the CPU may not fit once its key is in memory
		go n.prepare(number)
	}
	return n.plan(ctx, number, input)
}

// prepare opens an engine for a set of parameters, if a device is free. If that fails, the node's proof fails later.
func (n *nodes) prepare(number int) {
	select {
	case free := <-n.lanes.ready:
		defer func() { n.lanes.ready <- free }()
		if _, err := free.engineOf(n, number); err == nil {
			_ = free.prover.Open(nil)
		}
	default:
	}
}

// Fits returns an error that wraps a *backend.MemoryError if a proof of the aggregator's run on an input does not fit.
// It waits until a device is free, because it needs one.
func (n *nodes) Fits(ctx context.Context, number int, input []byte) error {
	plan, err := n.planned(ctx, number, input)
	if err != nil {
		return err
	}
	return n.lanes.in(ctx, func(l *lane) error { return n.fits(l, number, plan) })
}

// fits decides whether a planned node fits the memory of a lane.
func (n *nodes) fits(l *lane, number int, plan *nodePlan) error {
	e, err := l.engineOf(n, number)
	if err != nil {
		return err
	}
	if err := l.prover.Check(plan.instances, plan.public); err != nil {
		return fmt.Errorf("%w: its verification takes %d cycles: %w", aggregate.ErrTooLarge, plan.cycles, err)
	}
	err = fits(n.chosen, n.guest.Fillers(), e.key, plan.instances)
	if memory := new(backend.MemoryError); errors.As(err, &memory) {
		debug.FreeOSMemory() // the memory of shards that were proven here
		err = fits(n.chosen, n.guest.Fillers(), e.key, plan.instances)
	}
	if err == nil {
		_, err = l.prover.Peak(plan.instances)
	}
	if err != nil {
		plan.ran.Store(nil) // others may fit
		return fmt.Errorf("its verification takes %d cycles, proven with %s: %w", plan.cycles, n.sets[number].Name, err)
	}
	return nil
}

// Prove proves the aggregator's run on an input, unless its proof is kept.
func (n *nodes) Prove(ctx context.Context, number int, what string, input []byte) (proof []byte, err error) {
	name := n.name(number, input)
	if proof := n.kept.node(ctx, name); proof != nil {
		n.say(&n.found, "%s: kept in %s", what, n.kept.folder)
		return proof, nil
	}
	plan, err := n.planned(ctx, number, input)
	if err != nil {
		return nil, err
	}
	err = n.lanes.in(ctx, func(l *lane) error {
		if err := n.fits(l, number, plan); err != nil {
			return err
		}
		defer n.p.timeline.span("prove")()
		begin := time.Now()
		l.engine.work = n.workOf(number, input)
		l.engine.work.ran = plan.ran.Swap(nil)
		bar := newProgress(n.p.stderr, n.quiet || len(n.lanes.all) > 1)
		result, err := l.engine.prove(ctx, 0, begin, bar.stage, nil)
		bar.done()
		if err != nil {
			return err
		}
		proof = bytes.Clone(result.encoded)
		n.add(n.measureNode(what, number, l.engine.key, plan, time.Since(begin), proof))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return proof, n.kept.putNode(name, proof)
}

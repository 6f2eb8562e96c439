package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// nodes proves runs of the aggregator on the devices of its lanes: an [aggregate.Prover].
type nodes struct {
	p      *program
	quiet  bool
	chosen *Backend
	guest  *riscv.Program
	sets   []parameters // each for nodes that do not fit with those before
	pool   *parallel.Pool
	lanes  *lanes
	kept   *keptNodes

	mu    sync.Mutex
	plans map[nodeName]*nodePlan
	made  int // nodes that were proven
	found int // nodes that were kept from an earlier run
}

var _ aggregate.Prover = (*nodes)(nil)

// parameters are a preset, and the aggregator's key under it.
type parameters struct {
	protocol.Preset
	key func() (*protocol.Key, error)
}

// openNodes opens devices for an aggregation.
func (p *program) openNodes(run *aggregateRun) (*nodes, error) {
	if err := run.checkPresets(); err != nil {
		return nil, err
	}
	chosen, devices, err := p.openDevices(run.backends, run.devices)
	if err != nil {
		return nil, err
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
	options, err := p.check(run.backends)
	if err != nil {
		return nil, err
	}
	n = &nodes{
		p: p, quiet: run.quiet, chosen: chosen, pool: options.Pool, kept: &keptNodes{folder: run.keepPath},
		lanes: newLanes(devices), plans: map[nodeName]*nodePlan{},
	}
	if n.guest, err = riscv.New(guests.Aggregator()); err != nil {
		return nil, err
	}
	for _, name := range run.presets {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			return nil, err
		}
		n.sets = append(n.sets, parameters{preset, sync.OnceValues(func() (*protocol.Key, error) {
			return setup.NewKey(n.guest.Machine(), preset.Params)
		})})
	}
	return n, nil
}

// Parameters is the number of presets.
func (n *nodes) Parameters() int { return len(n.sets) }

// Lanes is one more than there are devices: while these prove, the run of the next node is planned.
func (n *nodes) Lanes() int { return len(n.lanes.all) + 1 }

// workOf is the aggregator on an input.
func (n *nodes) workOf(number int, input []byte) *workload {
	set := n.sets[number]
	// Each instance costs the verifier of the node: nodes are compact whatever the parameters.
	work := &workload{program: n.guest, params: set.Params, compact: true, minBits: set.Bits, pool: n.pool, input: input}
	work.guest.elfPath, work.guest.maxCycles = "the aggregator", rv64im.MaxCycles
	return work
}

// nodePlan is what a proof of a node takes.
type nodePlan struct {
	once      sync.Once
	instances []circuit.Instance
	public    circuit.Public
	cycles    uint64
	err       error
}

// Plan runs the aggregator on an input.
func (n *nodes) Plan(ctx context.Context, number int, input []byte) error {
	_, err := n.plan(ctx, number, input)
	return err
}

func (n *nodes) plan(ctx context.Context, number int, input []byte) (*nodePlan, error) {
	name := n.name(number, input)
	n.mu.Lock()
	plan := n.plans[name]
	if plan == nil {
		plan = new(nodePlan)
		n.plans[name] = plan
	}
	n.mu.Unlock()
	plan.once.Do(func() { plan.err = plan.run(ctx, n.workOf(number, input)) })
	if ctx.Err() != nil { // a plan that was interrupted says nothing about the node
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.plans, name)
	}
	return plan, plan.err
}

func (plan *nodePlan) run(ctx context.Context, work *workload) error {
	var noted strings.Builder
	asked := work.inputOf(0)
	asked.Plan = true
	asked.Note = func(text []byte) { noted.Write(text) }
	r, err := work.program.Run(ctx, asked)
	var limit *emulator.LimitError
	switch {
	case errors.As(err, &limit):
		return fmt.Errorf("%w: %w", aggregate.ErrTooLarge, err)
	case err != nil:
		return fmt.Errorf("the aggregator: %w", err)
	}
	plan.public, plan.instances = r.Public(), r.Instances[0]
	run, err := statement.Read(plan.public)
	if err != nil {
		return err
	}
	if run.Exit != 0 {
		return fmt.Errorf("the aggregator refuses it (verdict %d): %s", run.Exit, noted.String())
	}
	plan.cycles = run.Cycles
	return nil
}

// Fits returns an error that wraps a *backend.MemoryError if a proof of the aggregator's run on an input does not fit.
// It needs a device for that, and waits until one is free.
func (n *nodes) Fits(ctx context.Context, number int, input []byte) error {
	plan, err := n.plan(ctx, number, input)
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
	if err := e.prover.Check(plan.instances, plan.public); err != nil {
		return fmt.Errorf("%w: its verification takes %d cycles: %w", aggregate.ErrTooLarge, plan.cycles, err)
	}
	err = fits(n.chosen, n.guest.Fillers(), e.key, plan.instances)
	if memory := new(backend.MemoryError); errors.As(err, &memory) {
		debug.FreeOSMemory() // that of shards that were proven here
		err = fits(n.chosen, n.guest.Fillers(), e.key, plan.instances)
	}
	if err == nil {
		_, err = e.prover.Peak(plan.instances)
	}
	if err != nil {
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
	plan, err := n.plan(ctx, number, input)
	if err != nil {
		return nil, err
	}
	err = n.lanes.in(ctx, func(l *lane) error {
		if err := n.fits(l, number, plan); err != nil {
			return err
		}
		begin := time.Now()
		l.engine.work = n.workOf(number, input)
		bar := newProgress(n.p.stderr, n.quiet || len(n.lanes.all) > 1)
		result, err := l.engine.prove(ctx, 0, begin, bar.stage, nil)
		bar.done()
		if err != nil {
			return err
		}
		proof = bytes.Clone(result.encoded)
		n.say(&n.made, "%s: %d cycles in %.3f s (%s), %s", what, plan.cycles, time.Since(begin).Seconds(),
			n.sets[number].Name, bytesText(uint64(len(proof))))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return proof, n.kept.putNode(name, proof)
}

// say counts and reports a node, which may take minutes.
func (n *nodes) say(count *int, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*count++
	if !n.quiet {
		fmt.Fprintf(n.p.stderr, "node %d: %s\n", n.made+n.found, fmt.Sprintf(format, args...))
	}
}

// counts returns how many nodes were proven, and how many were kept from an earlier run.
func (n *nodes) counts() (made, found int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.made, n.found
}

// nodeName is the digest of all that decides a node's proof.
type nodeName [sha256.Size]byte

func (n *nodes) name(number int, input []byte) nodeName {
	h := sha256.New()
	id := aggregate.ID()
	fmt.Fprintf(h, "%x %v\n", id, n.sets[number].Params)
	h.Write(input)
	return nodeName(h.Sum(nil))
}

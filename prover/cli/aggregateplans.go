package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// nodeProver proves nodes, on local devices or on a cluster.
type nodeProver interface {
	aggregate.Prover
	runs() *nodeRuns
	where() string            // for messages
	shutdown(err error) error // err is the aggregation's
}

// nodeRuns are the runs of the aggregator in an aggregation: their plans, and the nodes proven so far.
type nodeRuns struct {
	p     *program
	quiet bool
	guest *riscv.Program
	sets  []parameters // each for nodes that do not fit with the sets before
	pool  *parallel.Pool
	kept  *keptNodes

	aim    circuit.Aim
	traces bool // a node is proven in this process: its plan keeps the trace

	mu    sync.Mutex
	plans map[nodeName]*nodePlan
	made  int // nodes that were proven
	found int // nodes that were kept from an earlier run
	begun time.Time
	nodes []nodeTimes // the proven nodes
}

// parameters are a preset, and the aggregator's key under it.
type parameters struct {
	protocol.Preset
	key func() (*protocol.Key, error)
}

func (p *program) newNodeRuns(run *aggregateRun) (n *nodeRuns, err error) {
	options, err := p.check(run.backends)
	if err != nil {
		return nil, err
	}
	n = &nodeRuns{
		p: p, quiet: run.quiet, pool: options.Pool, kept: &keptNodes{folder: run.keepPath}, plans: map[nodeName]*nodePlan{},
		begun: time.Now(), aim: circuit.Aggregated,
	}
	if run.compresses {
		n.aim = circuit.SmallestProof
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
			defer p.timeline.span("key")()
			return setup.NewKey(n.guest.Machine(), preset.Params)
		})})
	}
	return n, nil
}

// Parameters returns the number of presets.
func (n *nodeRuns) Parameters() int { return len(n.sets) }

// workOf returns the workload of running the aggregator on an input.
func (n *nodeRuns) workOf(number int, input []byte) *workload {
	set := n.sets[number]
	work := &workload{program: n.guest, params: set.Params, aim: n.aim, minBits: set.Bits, pool: n.pool,
		input: input}
	work.guest.elfPath, work.guest.maxCycles = "the aggregator", rv64im.MaxCycles
	return work
}

// nodePlan is the result of a node's run: the shape and the cost of its proof.
type nodePlan struct {
	once      sync.Once
	instances []circuit.Instance
	public    circuit.Public
	cycles    uint64
	took      time.Duration
	err       error

	ran atomic.Pointer[run.Run] // with its trace, until a proof takes it
}

// Plan runs the aggregator on an input.
func (n *nodeRuns) Plan(ctx context.Context, number int, input []byte) error {
	_, err := n.plan(ctx, number, input)
	return err
}

// Size predicts the size of the proof of a node.
func (n *nodeRuns) Size(ctx context.Context, number int, input []byte) (int, error) {
	plan, err := n.plan(ctx, number, input)
	if err != nil {
		return 0, err
	}
	key, err := n.sets[number].key()
	if err != nil {
		return 0, err
	}
	return key.ProofBytes(plan.instances)
}

func (n *nodeRuns) plan(ctx context.Context, number int, input []byte) (*nodePlan, error) {
	name := n.name(number, input)
	n.mu.Lock()
	plan := n.plans[name]
	if plan == nil {
		plan = new(nodePlan)
		n.plans[name] = plan
	}
	n.mu.Unlock()
	plan.once.Do(func() {
		defer n.p.timeline.span("plan")()
		plan.err = plan.run(ctx, n.workOf(number, input), n.traces)
	})
	if ctx.Err() != nil { // a plan that was interrupted says nothing about the node
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.plans, name)
	}
	return plan, plan.err
}

// run runs a node's verification. With keep, its trace stays for the proof, which begins without another run.
func (plan *nodePlan) run(ctx context.Context, work *workload, keep bool) error {
	var noted strings.Builder
	begin := time.Now()
	asked := work.inputOf(0)
	asked.Plan = !keep
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
	stated, err := statement.Read(plan.public)
	if err != nil {
		return err
	}
	if stated.Exit != 0 {
		return fmt.Errorf("the aggregator refuses it (verdict %d): %s", stated.Exit, noted.String())
	}
	plan.cycles, plan.took = stated.Cycles, time.Since(begin)
	if keep {
		plan.ran.Store(r)
	}
	return nil
}

// check returns an error unless a proof belongs to a planned node, with a set of parameters.
func (n *nodeRuns) check(number int, plan *nodePlan, proof []byte) error {
	id := aggregate.ID()
	result, err := verify.Verify(context.Background(), proof, verify.Options{Find: known.Find(&id)})
	if err != nil {
		return err
	}
	return n.states(number, plan, result.Proof)
}

// states returns an error if the parameters or the statement of a proof differ from a planned node's.
func (n *nodeRuns) states(number int, plan *nodePlan, have *protocol.Proof) error {
	want := plan.public
	switch {
	case have.Params != n.sets[number].Params:
		return errors.New("it has other parameters")
	case !slices.Equal(have.Public.Values, want.Values) || !bytes.Equal(have.Public.Data, want.Data):
		return errors.New("it states something else than the node")
	}
	return nil
}

// say counts a node and reports it, because a node may take minutes.
func (n *nodeRuns) say(count *int, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*count++
	if !n.quiet {
		fmt.Fprintf(n.p.stderr, "node %d: %s\n", n.made+n.found, fmt.Sprintf(format, args...))
	}
}

// counts returns the number of nodes that were proven, and the number kept from an earlier run.
func (n *nodeRuns) counts() (made, found int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.made, n.found
}

// nodeName is the digest of everything that determines a node's proof.
type nodeName [sha256.Size]byte

func (n *nodeRuns) name(number int, input []byte) nodeName {
	h := sha256.New()
	id := aggregate.ID()
	fmt.Fprintf(h, "%x %v\n", id, n.sets[number].Params)
	h.Write(input)
	return nodeName(h.Sum(nil))
}

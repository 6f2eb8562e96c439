package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// remoteNodes has the workers of a cluster prove nodes: an [aggregate.Prover]. Each node's verification also runs here:
// a worker's proof must have the statement of that run.
type remoteNodes struct {
	*nodeRuns
	workers    *cluster.Nodes
	planning   chan struct{} // holds one element for each run
	disconnect func()
}

var _ nodeProver = (*remoteNodes)(nil)

// remoteLanes is the number of nodes that are requested at once. Each request holds its input in memory.
const remoteLanes = 32

// remoteNodes requests the job of an aggregation. of identifies the proofs to aggregate.
func (p *program) remoteNodes(ctx context.Context, space *cluster.Space, run *aggregateRun, of string) (*remoteNodes,
	error) {
	n := &remoteNodes{planning: make(chan struct{}, runtime.GOMAXPROCS(0)), disconnect: func() {}}
	var err error
	if n.nodeRuns, err = p.newNodeRuns(run); err != nil {
		return nil, err
	}
	o := cluster.CoordinatorOptions{Build: buildProgram, Workers: run.backends.workers}
	if !run.quiet {
		o.Progress = newClusterProgress(p.stderr).event
	}
	n.workers, err = cluster.StartNodes(ctx, space, cluster.NodesOrder{
		Machine: statement.Name, File: guests.Aggregator(), Of: of, Title: "aggregation",
	}, o)
	if err == nil && !run.quiet {
		fmt.Fprintf(p.stderr, "job %s: nodes of an aggregation\n", n.workers.ID())
	}
	return n, err
}

// Lanes returns the number of nodes that are requested at once.
func (n *remoteNodes) Lanes() int { return remoteLanes }

func (n *remoteNodes) runs() *nodeRuns { return n.nodeRuns }

func (n *remoteNodes) where() string { return "a cluster" }

// shutdown ends the job unless the aggregation was interrupted: then the same command continues it.
func (n *remoteNodes) shutdown(err error) error {
	defer n.disconnect()
	if errors.Is(err, errInterrupted) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return n.workers.End(ctx, err)
}

// Plan runs the aggregator on an input, on at most GOMAXPROCS inputs at once.
func (n *remoteNodes) Plan(ctx context.Context, number int, input []byte) error {
	_, err := n.planned(ctx, number, input)
	return err
}

func (n *remoteNodes) planned(ctx context.Context, number int, input []byte) (*nodePlan, error) {
	select {
	case n.planning <- struct{}{}:
		defer func() { <-n.planning }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	plan, err := n.plan(ctx, number, input)
	if err != nil {
		return nil, err
	}
	key, err := n.sets[number].key()
	if err != nil {
		return nil, err
	}
	report, err := key.Security(plan.instances, plan.public)
	if err == nil {
		err = report.Require(n.sets[number].Bits)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: its verification takes %d cycles: %w", aggregate.ErrTooLarge, plan.cycles, err)
	}
	return plan, nil
}

// node returns a planned node for workers.
func (n *remoteNodes) node(number int, plan *nodePlan, input []byte) (run cluster.NodeRun, err error) {
	work := n.workOf(number, input)
	run = cluster.NodeRun{Input: input, Limit: work.guest.maxCycles, Aim: work.aim,
		Check: func(proof []byte) error { return n.check(number, plan, proof) }}
	run.Key, err = n.sets[number].key()
	return run, err
}

// Fits asks a worker whether a proof of the aggregator's run on an input fits its device.
func (n *remoteNodes) Fits(ctx context.Context, number int, input []byte) error {
	plan, err := n.planned(ctx, number, input)
	if err != nil {
		return err
	}
	run, err := n.node(number, plan, input)
	if err != nil {
		return err
	}
	if err := n.workers.Try(ctx, run); err != nil {
		return fmt.Errorf("its verification takes %d cycles, proven with %s: %w", plan.cycles, n.sets[number].Name, err)
	}
	return nil
}

// Prove has a worker prove the aggregator's run on an input, unless its proof is kept.
func (n *remoteNodes) Prove(ctx context.Context, number int, what string, input []byte) ([]byte, error) {
	name := n.name(number, input)
	if proof := n.kept.node(ctx, name); proof != nil {
		n.say(&n.found, "%s: kept in %s", what, n.kept.folder)
		return proof, nil
	}
	plan, err := n.planned(ctx, number, input)
	if err != nil {
		return nil, err
	}
	run, err := n.node(number, plan, input)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	proof, err := n.workers.Prove(ctx, run)
	if err != nil {
		return nil, err
	}
	n.add(n.measureNode(what, number, run.Key, plan, time.Since(begin), proof))
	return proof, n.kept.putNode(name, proof)
}

// clusterLifts lifts the shards of a run that a cluster proves, as they are accepted.
type clusterLifts struct {
	overlap
	nodes *remoteNodes
}

// liftOnCluster returns the observer of an aggregation's coordinator.
func (p *program) liftOnCluster(work *workload, backends *backendFlags, run proveRun) (*clusterLifts, *aggregateRun,
	error) {
	flags := &aggregateRun{proofPath: run.proofPath, quiet: run.quiet, backends: backends, presets: aggregatePresets}
	if err := errors.Join(flags.check(nil), flags.checkPresets()); err != nil {
		return nil, nil, err
	}
	if work.guest.elfPath == "" && work.machineName != "" {
		return nil, nil, Usagef("--aggregate is for programs: --elf PROGRAM.elf")
	}
	return new(clusterLifts), flags, nil
}

// start requests the job for nodes, in addition to the job for the shards.
func (l *clusterLifts) start(ctx context.Context, p *program, space *cluster.Space, c *cluster.Coordinator,
	flags *aggregateRun) (err error) {
	if l.nodes, err = p.remoteNodes(ctx, space, flags, c.ID()); err != nil {
		return err
	}
	l.overlap = overlap{ctx: ctx, name: "run", key: c.Key(),
		builder: &aggregate.Builder{Prover: l.nodes, ID: aggregate.ID()}}
	return nil
}

// root waits for the lifts of all shards, and makes one proof of them.
func (l *clusterLifts) root(set *protocol.Set) (*aggregate.Child, error) {
	if l.lifts == nil { // the shards were proven before
		public, commitments := set.Shards[0].Public, set.Commitments()
		common, err := l.key.CommonUnder(set.Salt, public, commitments, nil)
		if err == nil {
			err = l.Challenges(l.key.Outline(public, commitments, set.Salt), common)
		}
		if err != nil {
			return nil, err
		}
	}
	for i, shard := range set.Shards {
		l.lifts.Add(i, shard)
	}
	return l.lifts.Root()
}

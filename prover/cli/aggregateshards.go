package cli

import (
	"context"
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// overlap lifts the shards of a run while later ones are being proven: a [shard.Observer]. It plans lifts at once, and
// a device proves them when it has no shards left.
type overlap struct {
	ctx     context.Context
	name    string // of the run, for messages
	key     *protocol.Key
	kept    *keptNodes // nil on a cluster, which keeps shards itself
	builder *aggregate.Builder
	lanes   *lanes // nil on a cluster

	lifts  *aggregate.Lifts // nil before the challenges are known
	set    *protocol.Set    // the commitments of all shards
	common protocol.Common
	failed error // of Begin
}

var _ shard.Observer = (*overlap)(nil)

// Begin ends the lifts of an attempt whose challenges were refused, and reclaims the devices.
func (o *overlap) Begin() {
	o.close()
	o.failed = o.lanes.reclaim()
}

// Challenges starts the lifts: they wait for shards.
func (o *overlap) Challenges(set *protocol.Set, common protocol.Common) (err error) {
	if o.failed != nil {
		return o.failed
	}
	o.close() // on a cluster, other challenges may follow
	o.set, o.common = set, common
	o.lifts, err = o.builder.Lift(o.ctx, o.name, o.key, set, common)
	return err
}

// Known returns a shard's proof that an earlier command kept, or nil.
func (o *overlap) Known(number int) *protocol.Proof {
	proof := o.kept.shard(o.key, o.set, o.common, number)
	if proof != nil {
		o.lifts.Add(number, proof)
	}
	return proof
}

// Proven keeps a shard's proof, and starts the lifts that it completes.
func (o *overlap) Proven(number int, proof *protocol.Proof) error {
	if o.kept != nil {
		if err := o.kept.putShard(o.key, o.common, number, proof); err != nil {
			return err
		}
	}
	o.lifts.Add(number, proof)
	return nil
}

// Free lets a device prove lifts.
func (o *overlap) Free(device int) { o.lanes.free(device) }

// close ends the lifts.
func (o *overlap) close() {
	if o.lifts != nil {
		o.lifts.Close()
		o.lifts = nil
	}
}

// proveAggregated proves a program's run in shards, and makes one proof of the shards.
func (p *program) proveAggregated(ctx context.Context, work *workload, f *backendFlags, run proveRun) (err error) {
	flags := &aggregateRun{proofPath: run.proofPath, quiet: run.quiet, backends: f, presets: aggregatePresets}
	if err := errors.Join(flags.check(nil), flags.checkPresets()); err != nil {
		return err
	}
	begin := time.Now()
	e, shards, err := p.startShards(ctx, work, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	n, err := p.newNodes(flags, shards.chosen, e.devices)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(n.kept.saying(err), n.lanes.reclaim()) }()
	builder := &aggregate.Builder{Prover: n, ID: aggregate.ID()}
	o := &overlap{ctx: ctx, name: "run", key: e.key, kept: n.kept, builder: builder, lanes: n.lanes}
	defer o.close()
	shards.Observe(o)
	shards.parted = true
	result, err := p.proveOnce(ctx, e, run, begin)
	if err != nil {
		return err
	}
	made, err := o.lifts.Root()
	if err != nil {
		return err
	}
	result.addNodes(n.nodeRuns)
	if err := p.writeProof(e, run, result); err != nil {
		return err
	}
	return p.writeAggregated(ctx, n, made, flags, begin)
}

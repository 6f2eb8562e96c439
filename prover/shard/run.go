package shard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// run is a run being proven. Devices write to their own shards' places.
type run struct {
	prover      *Prover
	shards      []machine.Shard
	waiting     []*prove.Shard // between the phases; nil for one that is committed to again
	commitments []protocol.Commitment
	common      protocol.Common
	proofs      []*protocol.Proof
	metrics     []ShardMetrics
	start       time.Time
}

func newRun(p *Prover, shards []machine.Shard) *run {
	n := len(shards)
	return &run{
		prover: p, start: time.Now(), shards: shards,
		waiting: make([]*prove.Shard, n), commitments: make([]protocol.Commitment, n),
		proofs: make([]*protocol.Proof, n), metrics: make([]ShardMetrics, n),
	}
}

// instances are those of each shard.
func (r *run) instances() [][]circuit.Instance {
	list := make([][]circuit.Instance, len(r.shards))
	for i, shard := range r.shards {
		list[i] = shard.Instances()
	}
	return list
}

// of are the numbers of a device's shards.
func (r *run) of(d *device) (list []int) {
	for i := d.number; i < len(r.shards); i += len(r.prover.devices) {
		list = append(list, i)
	}
	return list
}

// commit is the first phase on one device.
func (r *run) commit(ctx context.Context, d *device) error {
	list := r.of(d)
	slots, err := d.open(r.prover.dealt(d, r.instances()))
	if err != nil {
		return err
	}
	for i, number := range list {
		begun := time.Since(r.start)
		shard, err := r.begin(ctx, d, min(i, slots-1), number, slots == len(list))
		if err != nil {
			return err
		}
		r.metrics[number].Begun, r.metrics[number].Committed = begun, time.Since(r.start)
		r.commitments[number] = shard.Commitment()
		if i < slots-1 || i == len(list)-1 {
			r.waiting[number] = shard
		} else {
			shard.Close()
		}
	}
	return nil
}

// second is the second phase, when all shards have been committed to.
func (r *run) second(ctx context.Context, cancel context.CancelCauseFunc) (*protocol.Set, *Metrics, error) {
	r.common = r.prover.key.Common(r.shards[0].Public(), r.commitments, nil)
	if err := r.prover.each(func(d *device) error { return r.prove(ctx, d) }, cancel); err != nil {
		return nil, nil, err
	}
	set := &protocol.Set{Shards: r.proofs, Salt: r.common.Salt}
	return set, &Metrics{Total: time.Since(r.start), Shards: r.metrics}, nil
}

// begin commits to a shard. With release its tables are filled for the last time.
func (r *run) begin(ctx context.Context, d *device, slot, number int, release bool) (*prove.Shard, error) {
	prover, err := d.slot(slot, r.shards[number].Instances())
	if err == nil {
		var shard *prove.Shard
		if shard, err = prover.BeginShard(ctx, r.shards[number], number, r.prover.stages(number, release)); err == nil {
			return shard, nil
		}
	}
	return nil, fmt.Errorf("shard %d, on device %d: %w", number, d.number, err)
}

// stages are the options of a shard's proof.
func (p *Prover) stages(number int, release bool) prove.Options {
	options := prove.Options{Release: release}
	if p.options.Progress != nil {
		options.Progress = func(stage prove.Stage) {
			p.progress.Lock()
			defer p.progress.Unlock()
			p.options.Progress(number, stage)
		}
	}
	return options
}

// prove is the second phase on one device: the shards that wait come first, whose slots the others need.
func (r *run) prove(ctx context.Context, d *device) error {
	var left []int
	list := r.of(d)
	// What is written stays where each shard of the device has a slot of its own.
	encode := r.prover.options.Encode && !slices.ContainsFunc(list, func(i int) bool { return r.waiting[i] == nil })
	for _, number := range list {
		shard := r.waiting[number]
		if shard == nil {
			left = append(left, number)
			continue
		}
		r.waiting[number] = nil
		if encode {
			shard.Encode()
		}
		if err := r.finish(d, number, shard, false); err != nil {
			return err
		}
	}
	for _, number := range left {
		shard, err := r.again(ctx, d, number)
		if err != nil {
			return err
		}
		if err := r.finish(d, number, shard, true); err != nil {
			return err
		}
	}
	return nil
}

// finish proves a shard under the common challenges.
func (r *run) finish(d *device, number int, shard *prove.Shard, twice bool) error {
	m := &r.metrics[number]
	m.Device, m.Twice, m.Resumed = d.number, twice, time.Since(r.start)
	proof, metrics, err := shard.Prove(r.common)
	if err != nil {
		return fmt.Errorf("shard %d, on device %d: %w", number, d.number, err)
	}
	r.proofs[number], m.Metrics, m.Proven = proof, *metrics, time.Since(r.start)
	return nil
}

// again commits to a shard that did not wait.
func (r *run) again(ctx context.Context, d *device, number int) (*prove.Shard, error) {
	shard, err := r.begin(ctx, d, 0, number, true)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(shard.Commitment().MainCap, r.commitments[number].MainCap) {
		shard.Close()
		return nil, fmt.Errorf("shard %d, on device %d: its main columns have another cap when they are committed to again",
			number, d.number)
	}
	return shard, nil
}

// close lets go of shards that wait still.
func (r *run) close() {
	for _, shard := range r.waiting {
		if shard != nil {
			shard.Close()
		}
	}
}

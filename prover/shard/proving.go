package shard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// proving is a run being proven. Devices write to their own shards' places.
type proving struct {
	prover      *Prover
	shards      []*machine.Shard
	waiting     []*prove.Shard // between the phases; nil for one that is committed to again
	commitments []protocol.Commitment
	common      protocol.Common
	proofs      []*protocol.Proof
	metrics     []ShardMetrics
	start       time.Time
}

// newProving has room for all shards that a proof may have: devices commit to the first while others are still to come.
func newProving(p *Prover) *proving {
	const n = protocol.MaxShards
	return &proving{
		prover: p, start: time.Now(), shards: make([]*machine.Shard, 0, n),
		waiting: make([]*prove.Shard, n), commitments: make([]protocol.Commitment, n),
		proofs: make([]*protocol.Proof, n), metrics: make([]ShardMetrics, n),
	}
}

// instances are those of each shard.
func (r *proving) instances() [][]circuit.Instance {
	list := make([][]circuit.Instance, len(r.shards))
	for i, shard := range r.shards {
		list[i] = shard.Instances()
	}
	return list
}

// of are the numbers of a device's shards.
func (r *proving) of(d *device) (list []int) {
	for i := d.number; i < len(r.shards); i += len(r.prover.devices) {
		list = append(list, i)
	}
	return list
}

// given is a shard of a run with its number.
type given struct {
	*machine.Shard
	number int
}

// first is the first phase: devices take the shards in turn, and commit to each when it is there.
func (r *proving) first(ctx context.Context, cancel context.CancelCauseFunc, of *run.Run) error {
	devices := r.prover.devices
	var group errgroup.Group
	queues := make([]chan given, len(devices))
	for i, d := range devices {
		queues[i] = make(chan given, protocol.MaxShards)
		group.Go(func() error {
			err := r.commit(ctx, d, of.Instances, queues[i])
			if err != nil {
				cancel(err)
			}
			return err
		})
	}
	err := r.deal(ctx, of, queues)
	if err != nil {
		cancel(err)
	}
	for _, queue := range queues {
		close(queue)
	}
	if failed := group.Wait(); err == nil {
		err = failed
	}
	return err
}

// deal deals the shards of a run to the devices' queues, until a device fails.
func (r *proving) deal(ctx context.Context, of *run.Run, queues []chan given) error {
	for shard, err := range of.Shards {
		number := len(r.shards)
		if err == nil && number == protocol.MaxShards {
			err = fmt.Errorf("%w: more than %d", ErrCount, protocol.MaxShards)
		}
		if err != nil {
			return err
		}
		r.shards = append(r.shards, shard)
		queues[number%len(queues)] <- given{shard, number}
		if ctx.Err() != nil {
			return context.Cause(ctx) // of a device that failed, or the caller's
		}
	}
	return nil
}

// commit is the first phase on one device. Of a run with known instances, the device opens slots for all of its shards
// at once; of any other, one after the other.
func (r *proving) commit(ctx context.Context, d *device, known [][]circuit.Instance, queue <-chan given) error {
	own := r.prover.dealt(d, known)
	slots, err := d.open(own)
	if err != nil {
		return err
	}
	release := known != nil && slots == len(own) // tables are filled for the last time
	var held []int                               // the shards that wait, by their slots
	for shard := range queue {
		begun := time.Since(r.start)
		slot := min(len(held), slots-1)
		if known == nil {
			if slot, err = d.place(len(held), shard.Instances()); err != nil {
				return err
			}
		}
		for _, other := range held[slot:] {
			r.waiting[other].Close()
			r.waiting[other] = nil
		}
		number := shard.number
		committed, err := r.begin(ctx, d, slot, shard, release)
		if err != nil {
			return err
		}
		r.metrics[number].Begun, r.metrics[number].Committed = begun, time.Since(r.start)
		r.commitments[number], r.waiting[number] = committed.Commitment(), committed
		held = append(slices.Clip(held[:slot]), number)
	}
	return nil
}

// keep ends the first phase: it gives up the room for shards that did not come, and frees the records of those whose
// tables are not filled again.
func (r *proving) keep() {
	count := len(r.shards)
	r.waiting, r.commitments = r.waiting[:count], r.commitments[:count]
	r.proofs, r.metrics = r.proofs[:count], r.metrics[:count]
	for number, shard := range r.shards {
		if r.waiting[number] != nil {
			shard.Release()
		}
	}
}

// second is the second phase, when all shards have been committed to.
func (r *proving) second(ctx context.Context, cancel context.CancelCauseFunc) (*protocol.Set, *Metrics, error) {
	r.common = r.prover.key.Common(r.shards[0].Public(), r.commitments, nil)
	if err := r.prover.each(func(d *device) error { return r.prove(ctx, d) }, cancel); err != nil {
		return nil, nil, err
	}
	set := &protocol.Set{Shards: r.proofs, Salt: r.common.Salt}
	return set, &Metrics{Total: time.Since(r.start), Shards: r.metrics}, nil
}

// begin commits to a shard. With release its tables are filled for the last time.
func (r *proving) begin(ctx context.Context, d *device, slot int, of given, release bool) (*prove.Shard, error) {
	prover, err := d.slot(slot, of.Instances())
	if err == nil {
		var shard *prove.Shard
		if shard, err = prover.BeginShard(ctx, of.Shard, of.number, r.prover.stages(of.number, release)); err == nil {
			return shard, nil
		}
	}
	return nil, fmt.Errorf("shard %d, on device %d: %w", of.number, d.number, err)
}

// stages are the options of a shard's proof.
func (p *Prover) stages(number int, release bool) prove.Options {
	options := prove.Options{Release: release, Salt: p.salt, Transcript: p.options.Transcript}
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
func (r *proving) prove(ctx context.Context, d *device) error {
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
func (r *proving) finish(d *device, number int, shard *prove.Shard, twice bool) error {
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
func (r *proving) again(ctx context.Context, d *device, number int) (*prove.Shard, error) {
	shard, err := r.begin(ctx, d, 0, given{r.shards[number], number}, true)
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

// close frees shards that still wait.
func (r *proving) close() {
	for _, shard := range r.waiting {
		if shard != nil {
			shard.Close()
		}
	}
}

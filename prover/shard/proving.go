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

// proving is the state of proving a run. Each device writes only the elements of its own shards.
type proving struct {
	prover      *Prover
	shards      []*machine.Shard
	waiting     []*prove.Shard // between the phases; nil for a shard that is committed to again
	commitments []protocol.Commitment
	common      protocol.Common
	proofs      []*protocol.Proof
	metrics     []ShardMetrics
	start       time.Time
}

// newProving allocates for the maximum number of shards, because devices commit to the first shards before the others
// arrive.
func newProving(p *Prover) *proving {
	const n = protocol.MaxShards
	return &proving{
		prover: p, start: time.Now(), shards: make([]*machine.Shard, 0, n),
		waiting: make([]*prove.Shard, n), commitments: make([]protocol.Commitment, n),
		proofs: make([]*protocol.Proof, n), metrics: make([]ShardMetrics, n),
	}
}

// instances returns the instances of each shard.
func (r *proving) instances() [][]circuit.Instance {
	list := make([][]circuit.Instance, len(r.shards))
	for i, shard := range r.shards {
		list[i] = shard.Instances()
	}
	return list
}

// of returns the numbers of a device's shards.
func (r *proving) of(d *device) (list []int) {
	for i := d.number; i < len(r.shards); i += len(r.prover.devices) {
		list = append(list, i)
	}
	return list
}

// given is a shard of a run with its index.
type given struct {
	*machine.Shard
	number int
}

// first performs the first phase: the devices take turns, and commit to each shard as soon as the run provides it.
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

// deal distributes the shards of a run to the devices' queues until a device fails.
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

// commit performs the first phase on one device. If the run's instances are known, the device opens slots for all of
// its shards at once, otherwise one after the other.
func (r *proving) commit(ctx context.Context, d *device, known [][]circuit.Instance, queue <-chan given) error {
	own := r.prover.dealt(d, known)
	slots, err := d.open(own)
	if err != nil {
		return err
	}
	release := known != nil && slots == len(own) // tables are not filled again
	var held []int                               // the waiting shards, by slot
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

// keep ends the first phase: it drops the elements of shards that did not arrive, and frees the records of shards whose
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

// second performs the second phase, after all shards have been committed to.
func (r *proving) second(ctx context.Context, cancel context.CancelCauseFunc) (*protocol.Set, *Metrics, error) {
	r.common = r.prover.key.Common(r.shards[0].Public(), r.commitments, nil)
	if err := r.challenges(); err != nil {
		return nil, nil, err
	}
	if err := r.prover.each(func(d *device) error { return r.prove(ctx, d) }, cancel); err != nil {
		return nil, nil, err
	}
	set := &protocol.Set{Shards: r.proofs, Salt: r.common.Salt}
	return set, &Metrics{Total: time.Since(r.start), Shards: r.metrics}, nil
}

// begin commits to a shard. With release, the shard's records are freed once its tables are filled.
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

// stages returns the options of a shard's proof.
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

// prove performs the second phase on one device. Waiting shards come first, because other shards need their slots.
func (r *proving) prove(ctx context.Context, d *device) error {
	var left []int
	list := r.known(d, r.of(d))
	// Encoded shards stay valid only if each shard of the device has its own slot, and keeps it.
	encode := r.prover.options.Encode && r.prover.observer == nil &&
		!slices.ContainsFunc(list, func(i int) bool { return r.waiting[i] == nil })
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
	return r.leave(d)
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
	return r.proven(number)
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

package shard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Options configure a Prover.
type Options struct {
	// MinBits is the minimum number of proven bits of a run; 0 allows any.
	MinBits int

	// MemoryLimit bounds the memory of each device, in bytes; 0 means all that is available.
	MemoryLimit uint64

	// WaitingBytes bounds the memory of all shards of a device between the phases, including the shard that is being
	// computed. If it does not suffice for two shards, only the last shard of the first phase waits.
	WaitingBytes uint64

	// Encode lets devices write encoded shards, if they can and each shard's memory stays until the next run or until the
	// prover is closed: see [protocol.Proof.Written].
	Encode bool

	// Progress, unless nil, is called at the start of each stage of a shard. Calls do not overlap.
	Progress func(shard int, stage prove.Stage)

	// Transcript creates the transcript of a shard; nil means the real one. See [prove.Options.Transcript].
	Transcript func(label string) protocol.Transcript
}

// Prover proves runs of one machine in shards on one or more devices. It keeps the devices' memory between runs. It is
// not safe for concurrent use.
type Prover struct {
	key      *protocol.Key
	fillers  *machine.Fillers
	devices  []*device
	options  Options
	progress sync.Mutex
	salt     uint64
	observer Observer // nil if there is none
}

// UseSalt sets the first salt for each shard of the following runs: see [prove.Options.Salt].
func (p *Prover) UseSalt(salt uint64) { p.salt = salt }

// Metrics are the measurements of a run.
type Metrics struct {
	Total  time.Duration
	Shards []ShardMetrics
}

// ShardMetrics are the measurements of a shard.
type ShardMetrics struct {
	prove.Metrics
	Device int  // the index of the device
	Twice  bool // whether the shard was committed to in both phases

	// The start and end of both phases, measured from the start of the run's proof.
	Begun, Committed, Resumed, Proven time.Duration
}

// New returns a prover with one device for each backend. The fillers belong to the key's machine.
func New(key *protocol.Key, fillers *machine.Fillers, backends []backend.Backend, options Options) *Prover {
	p := &Prover{key: key, fillers: fillers, options: options}
	for number, b := range backends {
		p.devices = append(p.devices, &device{prover: p, number: number, backend: b})
	}
	return p
}

// Check computes the proven bits of runs in shards with these instances, and rejects too few.
func (p *Prover) Check(instances [][]circuit.Instance, public circuit.Public) (bits int, err error) {
	report, err := p.key.SecurityOfShards(instances, public)
	if err != nil {
		return 0, err
	}
	if err := report.Require(p.options.MinBits); err != nil {
		return 0, fmt.Errorf("machine %s in %d shards: %w", p.key.Machine.Name, len(instances), err)
	}
	return report.Bits(), nil
}

// Open prepares the devices for shards with these instances: kernels, preprocessed commitments, memory. Prove calls it
// if necessary.
func (p *Prover) Open(instances [][]circuit.Instance) error {
	return p.each(func(d *device) error {
		_, err := d.open(p.dealt(d, instances))
		return err
	}, func(error) {})
}

// dealt returns a device's elements of a list with one element per shard: every n-th one, for n devices.
func (p *Prover) dealt(d *device, all [][]circuit.Instance) (own [][]circuit.Instance) {
	for i := d.number; i < len(all); i += len(p.devices) {
		own = append(own, all[i])
	}
	return own
}

// ErrCount is wrapped by the error for a run in too few or too many shards.
var ErrCount = errors.New("shard: the run is in too few shards, or in too many")

// Prove proves a run in shards. The devices take turns, and commit to each shard as soon as the run provides it. Prove
// checks the proven bits before anything is computed if the run's instances are known, otherwise after the last shard
// arrives. Cancelling the context stops the proof between stages. The first error stops all devices.
func (p *Prover) Prove(ctx context.Context, of *run.Run) (*protocol.Set, *Metrics, error) {
	if of.Instances != nil {
		if err := p.admit(of.Instances, of.Expected); err != nil {
			return nil, nil, err
		}
	}
	if p.observer != nil {
		p.observer.Begin()
	}
	r := newProving(p)
	defer r.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := r.first(ctx, cancel, of); err != nil {
		return nil, nil, err
	}
	if of.Instances == nil {
		if err := p.admit(r.instances(), of.Public()); err != nil {
			return nil, nil, err
		}
	}
	r.keep()
	return r.second(ctx, cancel)
}

// admit rejects runs in too few or too many shards, and runs with too few bits.
func (p *Prover) admit(instances [][]circuit.Instance, public circuit.Public) error {
	if n := len(instances); n < protocol.MinShards || n > protocol.MaxShards {
		return fmt.Errorf("%w: %d shards, want %d to %d", ErrCount, n, protocol.MinShards, protocol.MaxShards)
	}
	_, err := p.Check(instances, public)
	return err
}

// each runs all devices concurrently. If one fails, the others stop.
func (p *Prover) each(work func(d *device) error, cancel context.CancelCauseFunc) error {
	var group errgroup.Group
	for _, d := range p.devices {
		group.Go(func() error {
			err := work(d)
			if err != nil {
				cancel(err)
			}
			return err
		})
	}
	return group.Wait()
}

// Close frees the devices' memory. The prover may be used again.
func (p *Prover) Close() error {
	var errs []error
	for _, d := range p.devices {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}

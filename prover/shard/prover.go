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

// Options are a prover's.
type Options struct {
	// MinBits is the least number of proven bits that a run may have; 0 allows any.
	MinBits int

	// MemoryLimit is the most memory that a device may take, in bytes; 0 is what it has.
	MemoryLimit uint64

	// WaitingBytes is the memory that all shards of a device may take between the phases, with the one that it
	// works on; where it is less than two take, or the device has less, only the last one of the first phase waits.
	WaitingBytes uint64

	// Encode lets devices write encoded shards, where they can and the memory of each stays until the next run, or until
	// the prover is closed: see [protocol.Proof.Written].
	Encode bool

	// Progress, unless nil, is called when a stage of a shard begins, for one shard at a time.
	Progress func(shard int, stage prove.Stage)

	// Transcript creates the transcript of a shard; nil means the real one. See [prove.Options.Transcript].
	Transcript func(label string) protocol.Transcript
}

// Prover proves runs of one machine in shards on one or more devices. Between runs it keeps their memory. It is not for
// use by several goroutines at once.
type Prover struct {
	key      *protocol.Key
	fillers  *machine.Fillers
	devices  []*device
	options  Options
	progress sync.Mutex
	salt     uint64
}

// UseSalt sets the first salt that is tried for each shard of the runs that follow: see [prove.Options.Salt].
func (p *Prover) UseSalt(salt uint64) { p.salt = salt }

// Metrics say what a run took.
type Metrics struct {
	Total  time.Duration
	Shards []ShardMetrics
}

// ShardMetrics say what a shard took.
type ShardMetrics struct {
	prove.Metrics
	Device int  // its number
	Twice  bool // it was committed to in both phases

	// When its first phase began and ended, and its second, since the run's proof began.
	Begun, Committed, Resumed, Proven time.Duration
}

// New is a prover with a device for each of the backends. The fillers are those of the key's machine.
func New(key *protocol.Key, fillers *machine.Fillers, backends []backend.Backend, options Options) *Prover {
	p := &Prover{key: key, fillers: fillers, options: options}
	for number, b := range backends {
		p.devices = append(p.devices, &device{prover: p, number: number, backend: b})
	}
	return p
}

// Check computes the proven bits of runs in shards with these instances, and refuses too few.
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

// Open makes the devices ready for shards with these instances: kernels, preprocessed commitments, memory. Prove does
// it too, where it has not been done.
func (p *Prover) Open(instances [][]circuit.Instance) error {
	return p.each(func(d *device) error {
		_, err := d.open(p.dealt(d, instances))
		return err
	}, func(error) {})
}

// dealt are a device's of what there is one a shard: one in as many as there are devices, for shards are even.
func (p *Prover) dealt(d *device, all [][]circuit.Instance) (own [][]circuit.Instance) {
	for i := d.number; i < len(all); i += len(p.devices) {
		own = append(own, all[i])
	}
	return own
}

// ErrCount is wrapped by the error of a run in too few shards, or in too many.
var ErrCount = errors.New("shard: the run is in too few shards, or in too many")

// Prove proves a run in shards. Devices take the shards in turn, and commit to each when it is there. That the run is
// proven with enough bits is checked before anything is computed if its instances are known then, else when its last
// shard has come. The context is looked at between stages; the first error ends the work of all devices.
func (p *Prover) Prove(ctx context.Context, of *run.Run) (*protocol.Set, *Metrics, error) {
	if of.Instances != nil {
		if err := p.admit(of.Instances, of.Expected); err != nil {
			return nil, nil, err
		}
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

// admit refuses runs in a number of shards that no proof has, and those with too few bits.
func (p *Prover) admit(instances [][]circuit.Instance, public circuit.Public) error {
	if n := len(instances); n < protocol.MinShards || n > protocol.MaxShards {
		return fmt.Errorf("%w: %d shards, want %d to %d", ErrCount, n, protocol.MinShards, protocol.MaxShards)
	}
	_, err := p.Check(instances, public)
	return err
}

// each lets all devices work at the same time, and has the others stop where one fails.
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

// Close gives the devices' memory back. The prover may be used again.
func (p *Prover) Close() error {
	var errs []error
	for _, d := range p.devices {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}

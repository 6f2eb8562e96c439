package prover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// Types of packages protocol and prove.
type (
	Params  = protocol.Params
	Proof   = protocol.Proof
	Stage   = prove.Stage
	Metrics = prove.Metrics
)

// Default returns the recommended parameters: 128 proven bits at blowup 2.
func Default() Params { return protocol.Default() }

// Options configure a Prover.
type Options struct {
	// MinBits is the minimum number of proven bits; heights that give less are rejected before anything is computed. 0
	// allows any.
	MinBits int

	// MemoryLimit bounds the backend's memory, in bytes; 0 means all that is available.
	MemoryLimit uint64

	// Release frees a run's records once its tables are filled. The run cannot be proven again.
	Release bool

	// Encode lets the backend write encoded proofs, if it can: see [Proof.Written].
	Encode bool

	// Transcript makes the transcript of a label, for tests; nil means the real one.
	Transcript func(label string) protocol.Transcript
}

// Prover makes proofs of one machine with one set of parameters on one backend. It keeps the preprocessed commitments
// and the backend's memory between proofs, which may have different heights. It is not safe for concurrent use.
type Prover struct {
	key     *protocol.Key
	fillers *machine.Fillers
	backend backend.Backend
	options Options
	opened  *prove.Prover // nil until needed

	checked []circuit.Instance // the instances whose bits are known, for a given number of public messages
	data    int
	bits    int
}

// New derives the key of the fillers' machine: see [run.Program.Fillers].
func New(fillers *machine.Fillers, params Params, b backend.Backend, options Options) (*Prover, error) {
	if err := checkArguments(fillers, b); err != nil {
		return nil, err
	}
	key, err := setup.NewKey(fillers.Machine, params)
	if err != nil {
		return nil, err
	}
	return NewOf(key, fillers, b, options)
}

// NewOf is New with an existing key, which must belong to the fillers' machine.
func NewOf(key *protocol.Key, fillers *machine.Fillers, b backend.Backend, options Options) (*Prover, error) {
	if err := checkArguments(fillers, b); err != nil {
		return nil, err
	}
	if key == nil || key.Machine == nil {
		return nil, errors.New("prover: key is nil or has no machine: setup.NewKey derives a key")
	}
	return &Prover{key: key, fillers: fillers, backend: b, options: options}, nil
}

// checkArguments returns an error that names a missing argument of New.
func checkArguments(fillers *machine.Fillers, b backend.Backend) error {
	switch {
	case fillers == nil || fillers.Machine == nil:
		return errors.New("prover: fillers is nil or has no machine: a program's Fillers method returns them")
	case b == nil:
		return errors.New("prover: backend is nil: cpu.New returns one")
	}
	return nil
}

// Key returns the machine's key.
func (p *Prover) Key() *protocol.Key { return p.key }

// Open prepares kernels and preprocessed commitments and, unless reserve is nil, allocates the memory for a proof of
// these instances. Prove calls it if necessary.
func (p *Prover) Open(reserve []circuit.Instance) (err error) {
	if p.opened != nil {
		return nil
	}
	p.opened, err = prove.NewProver(p.key, p.fillers, p.backend,
		backend.Budget{Limit: p.options.MemoryLimit, Reserve: reserve})
	return err
}

// Check returns an error if proofs of these instances would have fewer than MinBits proven bits. The length of
// public.Data affects the number of bits.
func (p *Prover) Check(instances []circuit.Instance, public circuit.Public) error {
	if p.checked != nil && slices.Equal(p.checked, instances) && p.data == len(public.Data) {
		return nil
	}
	report, err := p.key.Security(instances, public)
	if err != nil {
		return err
	}
	if err := report.Require(p.options.MinBits); err != nil {
		return fmt.Errorf("machine %s: %w", p.key.Machine.Name, err)
	}
	p.checked, p.data, p.bits = slices.Clone(instances), len(public.Data), report.Bits()
	return nil
}

// Bits returns the number of proven bits for the instances that Check accepted last.
func (p *Prover) Bits() int { return p.bits }

// Peak predicts the memory for a proof of these instances, in bytes, or returns an error if it cannot be made.
func (p *Prover) Peak(instances []circuit.Instance) (uint64, error) {
	if err := p.Open(nil); err != nil {
		return 0, err
	}
	return p.opened.Peak(instances)
}

// Prove proves a whole run. Cancelling the context stops the proof between stages. progress, unless nil, is called at
// the start of each stage.
func (p *Prover) Prove(ctx context.Context, of *run.Run, progress func(Stage)) (*Proof, *Metrics, error) {
	return p.ProveUnder(ctx, of, 0, progress)
}

// ProveUnder is Prove with the first salt to try: see [prove.Options.Salt].
func (p *Prover) ProveUnder(ctx context.Context, of *run.Run, salt uint64, progress func(Stage)) (*Proof, *Metrics,
	error) {
	execution, err := of.Execution()
	if err != nil {
		return nil, nil, err
	}
	// Computing the bits takes a millisecond, during which the backend can begin.
	verdict, instances := make(chan error, 1), execution.Instances()
	go func() { verdict <- p.Check(instances, p.publicOf(of)) }()
	checked := sync.OnceValue(func() error { return <-verdict })
	defer func() { _ = checked() }() // the goroutine ends before Prove returns
	admit := func(now []circuit.Instance) error {
		if err := checked(); err != nil || slices.Equal(now, instances) {
			return err
		}
		return p.Check(now, p.publicOf(of))
	}
	if p.opened == nil {
		if err := checked(); err != nil {
			return nil, nil, err
		}
		if err := p.Open(instances); err != nil {
			return nil, nil, err
		}
	}
	return p.opened.Prove(ctx, execution, prove.Options{Progress: progress, Admit: admit, Release: p.options.Release,
		Encode: p.options.Encode, Salt: salt, Transcript: p.options.Transcript})
}

// publicOf returns public values that give the number of proven bits, which depends only on the length of the public
// data: none for a machine without public data, else the run's statement or one of the same length.
func (p *Prover) publicOf(of *run.Run) circuit.Public {
	switch {
	case !p.key.Machine.HasData:
		return circuit.Public{}
	case of.Instances == nil:
		return of.Public()
	}
	return of.Expected
}

// Close frees the backend's memory. The prover may be used again.
func (p *Prover) Close() error {
	if p.opened == nil {
		return nil
	}
	opened := p.opened
	p.opened = nil
	return opened.Close()
}

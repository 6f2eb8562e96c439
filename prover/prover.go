package prover

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// The types of proofs are package protocol's, those of what proving takes package prove's.
type (
	Params  = protocol.Params
	Proof   = protocol.Proof
	Stage   = prove.Stage
	Metrics = prove.Metrics
)

// Default are the parameters to use: 128 proven bits at blowup 2.
func Default() Params { return protocol.Default() }

// Options are a prover's.
type Options struct {
	// MinBits is the least number of proven bits that a proof may have; heights
	// that give less are refused before anything is computed. 0 allows any.
	MinBits int

	// MemoryLimit is the most memory that the backend may take, in bytes; 0 is what it has.
	MemoryLimit uint64

	// Release lets executions go of what their tables are filled from as soon as they are: they cannot be proven again.
	Release bool

	// Encode lets the backend write encoded proofs itself, where it can: see [Proof.Written].
	Encode bool
}

// Prover makes proofs of one machine with one set of parameters on one backend.
// Between proofs it keeps the preprocessed commitments and the backend's memory; proofs of
// different heights may follow one another. It is not for use by several goroutines at once.
type Prover struct {
	key     *protocol.Key
	fillers *machine.Fillers
	backend backend.Backend
	options Options
	opened  *prove.Prover // nil until it is needed

	checked []circuit.Instance // the instances whose bits are known, with so many public messages
	data    int
	bits    int
}

// New derives the key of the machine whose tables these fill: [machine.Program.Fillers].
func New(fillers *machine.Fillers, params Params, b backend.Backend, options Options) (*Prover, error) {
	key, err := setup.NewKey(fillers.Machine, params)
	if err != nil {
		return nil, err
	}
	return NewOf(key, fillers, b, options), nil
}

// NewOf is New with a key that has been derived already.
func NewOf(key *protocol.Key, fillers *machine.Fillers, b backend.Backend, options Options) *Prover {
	return &Prover{key: key, fillers: fillers, backend: b, options: options}
}

// Key is the machine's key.
func (p *Prover) Key() *protocol.Key { return p.key }

// Open makes ready for proofs: kernels, preprocessed commitments, and the memory for a proof of these instances, unless
// nil. Prove does it too, where it has not been done.
func (p *Prover) Open(reserve []circuit.Instance) (err error) {
	if p.opened != nil {
		return nil
	}
	p.opened, err = prove.NewProver(p.key, p.fillers, p.backend,
		backend.Budget{Limit: p.options.MemoryLimit, Reserve: reserve})
	return err
}

// Check refuses instances that would prove too little, before anything is computed. What a proof states counts with
// the length of its data.
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

// Bits are the proven bits of proofs with the instances checked last.
func (p *Prover) Bits() int { return p.bits }

// Peak is the memory that a proof of these instances takes on the backend, in bytes, or why it cannot be made.
func (p *Prover) Peak(instances []circuit.Instance) (uint64, error) {
	if err := p.Open(nil); err != nil {
		return 0, err
	}
	return p.opened.Peak(instances)
}

// Prove proves an execution. Cancelling the context ends it between stages.
// progress, unless nil, is called when a stage begins.
func (p *Prover) Prove(ctx context.Context, execution machine.Execution,
	progress func(Stage)) (*Proof, *Metrics, error) {
	// Counting the bits takes a millisecond, in which the backend can begin.
	verdict := make(chan error, 1)
	go func() { verdict <- p.Check(execution.Instances(), p.publicOf(execution)) }()
	admit := sync.OnceValue(func() error { return <-verdict })
	defer func() { _ = admit() }() // nothing goes on behind the proof
	if p.opened == nil {
		if err := admit(); err != nil {
			return nil, nil, err
		}
		if err := p.Open(execution.Instances()); err != nil {
			return nil, nil, err
		}
	}
	return p.opened.Prove(ctx, execution, prove.Options{Progress: progress, Admit: admit, Release: p.options.Release,
		Encode: p.options.Encode})
}

// publicOf is what decides the bits of an execution's proof: what it states where the machine has public data, or
// something as long, and nothing otherwise.
func (p *Prover) publicOf(execution machine.Execution) (public circuit.Public) {
	if !p.key.Machine.HasData {
		return public
	}
	if foretold, ok := execution.(machine.Foretold); ok {
		if like, goesOn := foretold.Foretold(); goesOn {
			return like
		}
	}
	return execution.Public()
}

// Close gives the backend its memory back. The prover may be used again.
func (p *Prover) Close() error {
	if p.opened == nil {
		return nil
	}
	opened := p.opened
	p.opened = nil
	return opened.Close()
}

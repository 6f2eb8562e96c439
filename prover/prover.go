package prover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// The types of proofs and of what proving takes are package stark's.
type (
	Params  = stark.Params
	Proof   = stark.Proof
	Stage   = stark.Stage
	Metrics = stark.Metrics
)

// Default are the parameters to use: 128 proven bits at blowup 2.
func Default() Params { return stark.Default() }

// Options are a prover's.
type Options struct {
	// MinBits is the least number of proven bits that a proof may have; heights
	// that give less are refused before anything is computed. 0 allows any.
	MinBits int
}

// Prover makes proofs of one machine with one set of parameters on one backend.
// Between proofs it keeps the preprocessed commitment and the backend's memory
// for the last shape. It is not for use by several goroutines at once.
type Prover struct {
	key     *stark.Key
	backend backend.Backend
	options Options
	session *stark.Session // nil until a shape is known
	bits    int            // proven at the session's heights
}

// New derives the machine's key.
func New(m *machine.Machine, params Params, b backend.Backend, options Options) (*Prover, error) {
	key, err := stark.NewKey(m, params)
	if err != nil {
		return nil, err
	}
	return &Prover{key: key, backend: b, options: options}, nil
}

// Key is the machine's key.
func (p *Prover) Key() *stark.Key { return p.key }

// Prepare makes ready for proofs with these heights: kernels, memory, the
// preprocessed commitment. Prove does it too, where it has not been done.
func (p *Prover) Prepare(logHeights []int) error {
	if p.session != nil && slices.Equal(p.session.LogHeights(), logHeights) {
		return nil
	}
	report, err := p.key.Security(logHeights)
	if err != nil {
		return err
	}
	if err := report.Require(p.options.MinBits); err != nil {
		return fmt.Errorf("machine %s: %w", p.key.Machine.Name, err)
	}
	// The memory of the old shape goes before that of the new one comes.
	if err := p.Close(); err != nil {
		return err
	}
	if p.session, err = stark.NewSession(p.key, p.backend, logHeights); err != nil {
		return err
	}
	p.bits = report.Bits()
	return nil
}

// Bits are the proven bits of proofs with the heights prepared last.
func (p *Prover) Bits() int { return p.bits }

// PredictedPeak is the memory that a proof with the heights prepared last takes
// on the backend, in bytes.
func (p *Prover) PredictedPeak() (uint64, error) {
	if p.session == nil {
		return 0, errors.New("prover: no heights are prepared")
	}
	return p.session.PredictedPeak(), nil
}

// Prove proves a witness. Cancelling the context ends it between stages.
// progress, unless nil, is called when a stage begins.
func (p *Prover) Prove(ctx context.Context, witness machine.Witness, progress func(Stage)) (*Proof, *Metrics, error) {
	if err := p.Prepare(witness.LogHeights()); err != nil {
		return nil, nil, err
	}
	return p.session.Prove(ctx, witness, stark.Options{Progress: progress})
}

// Close gives the backend its memory back. The prover may be used again.
func (p *Prover) Close() error {
	if p.session == nil {
		return nil
	}
	session := p.session
	p.session = nil
	return session.Close()
}

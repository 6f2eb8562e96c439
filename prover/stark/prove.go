package stark

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Session is a backend made ready to prove one shape any number of times. It
// keeps the preprocessed commitment and the backend's memory.
type Session struct {
	key          *Key
	shape        backend.Shape
	backend      backend.Backend
	context      backend.Context
	preprocessed backend.Commitment
}

// Options are the prover's. The zero value is what to use.
type Options struct {
	// Progress is called when a stage begins.
	Progress func(Stage)
	// Transcript makes the transcript; nil means the real one. See [Transcript].
	Transcript func() Transcript
}

// NewSession prepares a backend for proofs with these heights.
func NewSession(key *Key, b backend.Backend, logHeights []int) (*Session, error) {
	if err := key.CheckHeights(logHeights); err != nil {
		return nil, err
	}
	s := &Session{key: key, shape: key.Shape(slices.Clone(logHeights)), backend: b}
	var err error
	if s.context, err = b.Prepare(s.shape); err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	if key.PreprocessedCap == nil {
		return s, nil
	}
	var preprocessedCap []merkle.Digest
	s.preprocessed, preprocessedCap, err = b.Preprocessed(s.context)
	if err == nil && !slices.Equal(preprocessedCap, key.PreprocessedCap) {
		err = fmt.Errorf("backend %s commits to other preprocessed columns than the key of machine %s", b.Name(), key.Machine.Name)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("preprocessed columns: %w", err), s.Close())
	}
	return s, nil
}

// LogHeights are the heights that the session proves.
func (s *Session) LogHeights() []int { return s.shape.LogHeights }

// PredictedPeak is the memory that the backend expects a proof to take, in
// bytes.
func (s *Session) PredictedPeak() uint64 { return s.context.PredictedPeak() }

// Close gives everything back to the backend.
func (s *Session) Close() error {
	if s.preprocessed != nil {
		s.backend.Release(s.context, s.preprocessed)
	}
	return s.backend.Close(s.context)
}

// run is one proof in the making.
type run struct {
	*Session
	ctx     context.Context
	options Options
	script  *script
	watch   *stopwatch
	proof   *Proof

	committed backend.Commitments
	handles   []backend.Handle // released when the proof ends, well or not
}

// Prove proves one witness. The context is looked at between stages; its
// cancellation is returned as its error.
func (s *Session) Prove(ctx context.Context, witness machine.Witness, options Options) (*Proof, *Metrics, error) {
	if !slices.Equal(witness.LogHeights(), s.shape.LogHeights) {
		return nil, nil, fmt.Errorf("the witness has log heights %v, the session was prepared for %v", witness.LogHeights(), s.shape.LogHeights)
	}
	if options.Transcript == nil {
		options.Transcript = newTranscript
	}
	r := &run{Session: s, ctx: ctx, options: options, watch: newStopwatch()}
	defer func() { s.backend.Release(s.context, r.handles...) }()
	if err := r.prove(witness); err != nil {
		return nil, nil, err
	}
	return r.proof, r.watch.stop(), nil
}

func (r *run) prove(witness machine.Witness) error {
	r.proof = &Proof{
		Params:        r.key.Params,
		MachineName:   r.key.Machine.Name,
		MachineDigest: r.key.Digest,
		LogHeights:    r.shape.LogHeights,
		Public:        slices.Clone(witness.Public()),
	}
	r.script = newScript(r.options.Transcript(), r.key, r.proof.LogHeights, r.proof.Public)
	r.committed[backend.Preprocessed] = r.preprocessed

	if err := r.commitMain(witness); err != nil {
		return err
	}
	challenges, err := r.commitAuxiliary()
	if err != nil {
		return err
	}
	z, err := r.commitQuotient(challenges)
	if err != nil {
		return err
	}
	coefficients, err := r.open(z)
	if err != nil {
		return err
	}
	codewords, err := r.deep(z, coefficients)
	if err != nil {
		return err
	}
	layers, err := r.fold(codewords)
	if err != nil {
		return err
	}
	return r.query(layers)
}

// stage runs one stage: it looks whether to go on, reports, and charges the
// time. Errors name the stage.
func (r *run) stage(stage Stage, work func() error) error {
	if err := context.Cause(r.ctx); err != nil {
		return fmt.Errorf("before stage %s: %w", stage, err)
	}
	if r.options.Progress != nil {
		r.options.Progress(stage)
	}
	r.watch.charge(StageOther)
	err := work()
	r.watch.charge(stage)
	if err != nil {
		return fmt.Errorf("stage %s: %w", stage, err)
	}
	return nil
}

// hold notes a handle for release at the end.
func (r *run) hold(handle backend.Handle) { r.handles = append(r.handles, handle) }

// public are the statement's public values.
func (r *run) public() []goldilocks.Element { return r.proof.Public }

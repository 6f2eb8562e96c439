package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// Prover is a backend opened for one key. It keeps the preprocessed commitments and the backend's memory between
// proofs, which may have different heights. It is not safe for concurrent use.
type Prover struct {
	key     *protocol.Key
	backend backend.Prover
	front   []byte // memory for the start of a file
	message []byte // memory for opened values, kept because page faults would delay the waiting device
}

// Options are the options of one proof. The zero value is a good default.
type Options struct {
	// Progress is called at the start of each stage.
	Progress func(Stage)
	// Admit, unless nil, is called with the instances after the backend has started and before the first stage, and again
	// if the instances of a speculative execution turn out to be others. Its error fails the proof.
	Admit func(instances []circuit.Instance) error
	// Release frees an execution's records once its tables are filled, if possible. The execution cannot be proven again.
	Release bool
	// Encode lets the backend write the encoded proof, if it can: see [Proof.Written].
	Encode bool
	// Salt is the first salt that protocol 3 tries. If a challenge is not an element, which happens in one of 2^19 proofs,
	// the next salt is tried. If the execution was released, it must be repeated, and the error wraps
	// [transcript.ErrRefused].
	Salt uint64
	// Transcript creates the transcript for a label; nil means the real one. See [Transcript].
	Transcript func(label string) protocol.Transcript
}

// NewProver opens a backend for a key. fillers fill the tables of its machine.
func NewProver(key *protocol.Key, fillers *machine.Fillers, b backend.Backend, budget backend.Budget) (*Prover, error) {
	if budget.Reserve != nil {
		if err := key.CheckInstances(budget.Reserve); err != nil {
			return nil, err
		}
	}
	if fillers.Machine != key.Machine {
		return nil, fmt.Errorf("open backend %s: fillers of machine %s, key of machine %s: want the same program",
			b.Name(), fillers.Machine.Name, key.Machine.Name)
	}
	opened, err := b.Open(fillers, key.Params.Layout(), budget)
	if err != nil {
		return nil, fmt.Errorf("open backend %s: %w", b.Name(), err)
	}
	p := &Prover{key: key, backend: opened}
	fixed, program := opened.Caps()
	want := key.FixedCap
	switch {
	case !slices.Equal(fixed, want):
		err = fmt.Errorf("backend %s commits to other fixed columns than the key of machine %s", b.Name(), key.Machine.Name)
	case key.Program != nil && !slices.Equal(program, key.Program.Cap):
		err = fmt.Errorf("backend %s commits to other columns of the program than its key", b.Name())
	default:
		return p, nil
	}
	return nil, errors.Join(err, opened.Close())
}

// Peak predicts the memory for a proof of these instances, in bytes, or returns an error if it cannot be made.
func (p *Prover) Peak(instances []circuit.Instance) (uint64, error) {
	if err := p.key.CheckInstances(instances); err != nil {
		return 0, err
	}
	return p.backend.Peak(instances)
}

// Close frees the backend's memory.
func (p *Prover) Close() error { return p.backend.Close() }

// run is a proof in progress.
type run struct {
	prover  *Prover
	key     *protocol.Key
	ctx     context.Context
	options Options
	begun   backend.Proof
	shape   *protocol.Shape
	later   bool // a shard: the statement may become known only after the main commitment
	script  *protocol.Script
	logUp   protocol.LogUpChallenges
	watch   *stopwatch
	proof   *protocol.Proof
}

// Prove proves one execution. The context is checked between stages; cancelling it returns its error.
func (p *Prover) Prove(ctx context.Context, execution machine.Execution, options Options) (*protocol.Proof, *Metrics,
	error) {
	for ; ; options.Salt++ {
		proof, metrics, err := p.proveUnder(ctx, execution, options)
		if options.Release || !errors.Is(err, transcript.ErrRefused) {
			return proof, metrics, err
		}
	}
}

// proveUnder proves with the salt in options.
func (p *Prover) proveUnder(ctx context.Context, execution machine.Execution, options Options) (*protocol.Proof,
	*Metrics, error) {
	r, err := p.begin(ctx, execution, options)
	if err != nil {
		return nil, nil, err
	}
	defer r.begun.Close()
	messages := func() []circuit.Message { return r.key.Machine.Messages(execution.Public()) }
	main, err := r.commitMain(execution, messages)
	if err != nil {
		return nil, nil, err
	}
	r.script = protocol.NewScript(r.options.Transcript(r.key.Params.ProofLabel()), r.key, r.proof.Instances,
		r.proof.Public, r.proof.Salt)
	r.script.Main(r.proof.MainCap)
	if r.shape.Present(protocol.Auxiliary) {
		r.logUp = r.script.LogUp()
	}
	if err := r.prove(main); err != nil {
		return nil, nil, err
	}
	return r.proof, r.watch.stop(), nil
}

// begin starts a proof on the backend and admits it.
func (p *Prover) begin(ctx context.Context, execution machine.Execution, options Options) (*run, error) {
	instances := execution.Instances()
	if err := p.key.CheckInstances(instances); err != nil {
		return nil, err
	}
	if options.Transcript == nil {
		options.Transcript = protocol.NewTranscript
	}
	watch := newStopwatch()
	begun, err := p.backend.Begin(instances)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	if options.Admit != nil {
		if err := options.Admit(instances); err != nil {
			begun.Close()
			return nil, err
		}
	}
	proof := &protocol.Proof{
		Params:        p.key.Params,
		MachineName:   p.key.Machine.Name,
		MachineDigest: p.key.Digest,
		Instances:     slices.Clone(instances), // predicted, if the execution is speculative: see revise
		Program:       p.key.Program,
	}
	if p.key.Params.Salted() {
		proof.Salt = options.Salt
	}
	return &run{prover: p, key: p.key, ctx: ctx, options: options, begun: begun, shape: p.key.Shape(instances),
		watch: watch, proof: proof}, nil
}

// revise continues with the instances of a speculative execution if they are not the predicted ones. The backend has
// filled the tables of these instances.
func (r *run) revise(instances []circuit.Instance) error {
	if slices.Equal(instances, r.proof.Instances) {
		return nil
	}
	if err := r.key.CheckInstances(instances); err != nil {
		return err
	}
	if r.options.Admit != nil {
		if err := r.options.Admit(instances); err != nil {
			return err
		}
	}
	r.proof.Instances, r.shape = slices.Clone(instances), r.key.Shape(instances)
	return nil
}

// prove performs the stages after the challenges of the auxiliary columns.
func (r *run) prove(main backend.Main) error {
	witness, err := r.commitAuxiliary(main)
	if err != nil {
		return err
	}
	committed, err := r.commitQuotient(witness)
	if err != nil {
		return err
	}
	codeword, err := r.openDeep(committed)
	if err != nil {
		return err
	}
	queries, err := r.fold(codeword)
	if err != nil {
		return err
	}
	return r.query(queries)
}

// stage runs one stage: it checks the context, reports progress, and measures the time. Errors name the stage.
func (r *run) stage(stage Stage, work func() error) error {
	if err := context.Cause(r.ctx); err != nil {
		return fmt.Errorf("before stage %s: %w", stage, err)
	}
	if r.script != nil {
		if err := r.script.Refused(); err != nil {
			return fmt.Errorf("before stage %s: salt %d: %w", stage, r.proof.Salt, err)
		}
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

// openDeep opens all columns at a point sampled after the quotient's cap, samples a DEEP coefficient per value, and
// combines columns and openings into one codeword per class. The codeword is of low degree only if every opening is
// correct.
func (r *run) openDeep(committed backend.Committed) (codeword backend.Codeword, err error) {
	z := r.script.Quotient(r.proof.QuotientCap)
	if z.IsBase() { // protocol 3 samples z once; the prover must avoid zero denominators
		return nil, fmt.Errorf("salt %d: z lies in the base field: %w", r.proof.Salt, transcript.ErrRefused)
	}
	var opened backend.Opened
	err = r.stage(StageOpen, func() (err error) {
		r.proof.Openings, opened, err = committed.Open(z)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.script.Message = r.prover.message
	coefficients := r.script.Deep(r.proof.Openings)
	r.prover.message = r.script.Message
	err = r.stage(StageDeep, func() (err error) {
		codeword, err = opened.Deep(coefficients)
		return err
	})
	return codeword, err
}

// fold runs FRI's commit phase: for each layer it commits to the codeword, samples beta and folds, until the polynomial
// is short enough to send.
func (r *run) fold(codeword backend.Codeword) (queries backend.Queries, err error) {
	for _, logArity := range r.shape.Schedule {
		var layer backend.Layer
		err := r.stage(StageFold, func() error {
			layerCap, next, err := codeword.Commit(logArity)
			r.proof.LayerCaps, layer = append(r.proof.LayerCaps, layerCap), next
			return err
		})
		if err != nil {
			return nil, err
		}
		beta := r.script.Layer(r.proof.LayerCaps[len(r.proof.LayerCaps)-1])
		err = r.stage(StageFold, func() (err error) {
			codeword, err = layer.Fold(beta)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	err = r.stage(StageFold, func() (err error) {
		r.proof.Final, queries, err = codeword.Final()
		return err
	})
	return queries, err
}

// query grinds, samples the positions, and opens every tree at them.
func (r *run) query(queries backend.Queries) error {
	seed := r.script.Final(r.proof.Final)
	if bits := r.key.Params.GrindingBits; bits > 0 {
		err := r.stage(StageGrind, func() (err error) {
			r.proof.Nonce, r.watch.metrics.GrindHashes, err = queries.Grind(seed, bits)
			return err
		})
		if err != nil {
			return err
		}
		r.script.Nonce(r.proof.Nonce)
	}
	plans, err := protocol.NewPlans(r.shape, r.script.Positions(r.key.Params.Queries, r.shape.MaxLogSize()))
	if err != nil {
		return err
	}
	return r.stage(StageGather, func() error {
		var front func() []byte
		if r.options.Encode {
			front = r.front
		}
		gathered, err := queries.Gather(plans, front)
		if err != nil {
			return err
		}
		if gathered.Written != nil {
			r.proof.SetWritten(gathered.Written, r.later)
			return nil
		}
		r.proof.Trees, r.proof.Layers = gathered.Phases, gathered.Layers
		return nil
	})
}

// front encodes the part of a proof before the openings; for a shard, without the part at the start of a set.
func (r *run) front() []byte {
	r.prover.front = r.proof.AppendFront(r.prover.front[:0], r.later)
	return r.prover.front
}

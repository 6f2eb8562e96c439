package backendtest

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Hooks change what a backend computes, for tests. The hook of a stage is called after the stage, with what the stage
// returned (the next stage included), and may change it. Its error is the stage's. Hooks that are nil change nothing.
//
// The next stage is the backend's own, so a test may ask that backend for its memory: cpu.AccessTo.
type Hooks struct {
	Caps     func(fixed, program []merkle.Digest) (changedFixed, changedProgram []merkle.Digest)
	Peak     func(bytes uint64, err error) (uint64, error)
	Begin    func(instances []circuit.Instance, next backend.Proof) error
	Trace    func(next backend.Traced) error
	Count    func(next backend.Columns[backend.Main]) error
	Commit   func(phase protocol.Phase, digests []merkle.Digest) error
	LogUp    func(claimed []goldilocks.Extension, next backend.Columns[backend.Witness]) error
	Quotient func(next backend.Columns[backend.Committed]) error
	Open     func(openings *protocol.Openings, next backend.Opened) error
	Deep     func(next backend.Codeword) error
	Layer    func(number int, digests []merkle.Digest, next backend.Layer) error
	Fold     func(number int, next backend.Codeword) error
	Final    func(coefficients []goldilocks.Extension) ([]goldilocks.Extension, error)
	Grind    func(seed [32]byte, bits int, nonce *uint64) error
	Gather   func(plans *protocol.Plans, front func() []byte, gathered *backend.Gathered) error

	// These are called before a stage, and may change what the stage is given.
	GivenExecution    func(execution machine.Execution) machine.Execution
	GivenMessages     func(messages []circuit.Message) []circuit.Message
	GivenChallenges   func(challenges protocol.LogUpChallenges) protocol.LogUpChallenges
	GivenCoefficients func(coefficients protocol.Openings) protocol.Openings
	GivenPlans        func(plans *protocol.Plans) *protocol.Plans
}

// Hooked is a backend whose stages call hooks.
type Hooked struct {
	backend.Backend
	Hooks *Hooks
}

// Open opens the backend.
func (h Hooked) Open(f *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	opened, err := h.Backend.Open(f, params, budget)
	if err != nil {
		return nil, err
	}
	return hookedProver{opened, h.Hooks}, nil
}

type (
	hookedProver struct {
		backend.Prover
		hooks *Hooks
	}
	hookedProof struct {
		backend.Proof
		hooks *Hooks
	}
	hookedTraced struct {
		backend.Traced
		hooks *Hooks
	}
	hookedColumns[Next any] struct {
		backend.Columns[Next]
		phase protocol.Phase
		wrap  func(Next) Next
		hooks *Hooks
	}
	hookedMain struct {
		backend.Main
		hooks *Hooks
	}
	hookedWitness struct {
		backend.Witness
		hooks *Hooks
	}
	hookedCommitted struct {
		backend.Committed
		hooks *Hooks
	}
	hookedOpened struct {
		backend.Opened
		hooks *Hooks
	}
	hookedCodeword struct {
		backend.Codeword
		layers int // before it
		hooks  *Hooks
	}
	hookedLayer struct {
		backend.Layer
		number int
		hooks  *Hooks
	}
	hookedQueries struct {
		backend.Queries
		hooks *Hooks
	}
)

func (p hookedProver) Caps() (fixed, program []merkle.Digest) {
	fixed, program = p.Prover.Caps()
	if p.hooks.Caps != nil {
		return p.hooks.Caps(fixed, program)
	}
	return fixed, program
}

func (p hookedProver) Peak(instances []circuit.Instance) (uint64, error) {
	bytes, err := p.Prover.Peak(instances)
	if p.hooks.Peak != nil {
		return p.hooks.Peak(bytes, err)
	}
	return bytes, err
}

func (p hookedProver) Begin(instances []circuit.Instance) (backend.Proof, error) {
	next, err := p.Prover.Begin(instances)
	if err == nil && p.hooks.Begin != nil {
		if err = p.hooks.Begin(instances, next); err != nil {
			next.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	return hookedProof{next, p.hooks}, nil
}

func (p hookedProof) Trace(execution machine.Execution) (backend.Traced, error) {
	if p.hooks.GivenExecution != nil {
		execution = p.hooks.GivenExecution(execution)
	}
	next, err := p.Proof.Trace(execution)
	if err == nil && p.hooks.Trace != nil {
		err = p.hooks.Trace(next)
	}
	if err != nil {
		return nil, err
	}
	return hookedTraced{next, p.hooks}, nil
}

func (p hookedTraced) Count(messages []circuit.Message) (backend.Columns[backend.Main], error) {
	if p.hooks.GivenMessages != nil {
		messages = p.hooks.GivenMessages(messages)
	}
	next, err := p.Traced.Count(messages)
	if err == nil && p.hooks.Count != nil {
		err = p.hooks.Count(next)
	}
	if err != nil {
		return nil, err
	}
	wrap := func(next backend.Main) backend.Main { return hookedMain{next, p.hooks} }
	return hookedColumns[backend.Main]{next, protocol.Main, wrap, p.hooks}, nil
}

func (p hookedColumns[Next]) Commit() ([]merkle.Digest, Next, error) {
	var none Next
	digests, next, err := p.Columns.Commit()
	if err == nil && p.hooks.Commit != nil {
		err = p.hooks.Commit(p.phase, digests)
	}
	if err != nil {
		return nil, none, err
	}
	return digests, p.wrap(next), nil
}

func (p hookedMain) LogUp(challenges protocol.LogUpChallenges) ([]goldilocks.Extension,
	backend.Columns[backend.Witness], error) {
	if p.hooks.GivenChallenges != nil {
		challenges = p.hooks.GivenChallenges(challenges)
	}
	claimed, next, err := p.Main.LogUp(challenges)
	if err == nil && p.hooks.LogUp != nil {
		err = p.hooks.LogUp(claimed, next)
	}
	if err != nil {
		return nil, nil, err
	}
	wrap := func(next backend.Witness) backend.Witness { return hookedWitness{next, p.hooks} }
	return claimed, hookedColumns[backend.Witness]{next, protocol.Auxiliary, wrap, p.hooks}, nil
}

func (p hookedWitness) Quotient(constraint goldilocks.Extension) (backend.Columns[backend.Committed], error) {
	next, err := p.Witness.Quotient(constraint)
	if err == nil && p.hooks.Quotient != nil {
		err = p.hooks.Quotient(next)
	}
	if err != nil {
		return nil, err
	}
	wrap := func(next backend.Committed) backend.Committed { return hookedCommitted{next, p.hooks} }
	return hookedColumns[backend.Committed]{next, protocol.Quotient, wrap, p.hooks}, nil
}

func (p hookedCommitted) Open(z goldilocks.Extension) (protocol.Openings, backend.Opened, error) {
	openings, next, err := p.Committed.Open(z)
	if err == nil && p.hooks.Open != nil {
		err = p.hooks.Open(&openings, next)
	}
	if err != nil {
		return protocol.Openings{}, nil, err
	}
	return openings, hookedOpened{next, p.hooks}, nil
}

func (p hookedOpened) Deep(coefficients protocol.Coefficients) (backend.Codeword, error) {
	if p.hooks.GivenCoefficients != nil {
		all, _ := coefficients.Draw()
		coefficients = p.hooks.GivenCoefficients(all)
	}
	next, err := p.Opened.Deep(coefficients)
	if err == nil && p.hooks.Deep != nil {
		err = p.hooks.Deep(next)
	}
	if err != nil {
		return nil, err
	}
	return hookedCodeword{next, 0, p.hooks}, nil
}

func (p hookedCodeword) Commit(logArity int) ([]merkle.Digest, backend.Layer, error) {
	digests, next, err := p.Codeword.Commit(logArity)
	if err == nil && p.hooks.Layer != nil {
		err = p.hooks.Layer(p.layers, digests, next)
	}
	if err != nil {
		return nil, nil, err
	}
	return digests, hookedLayer{next, p.layers, p.hooks}, nil
}

func (p hookedLayer) Fold(beta goldilocks.Extension) (backend.Codeword, error) {
	next, err := p.Layer.Fold(beta)
	if err == nil && p.hooks.Fold != nil {
		err = p.hooks.Fold(p.number, next)
	}
	if err != nil {
		return nil, err
	}
	return hookedCodeword{next, p.number + 1, p.hooks}, nil
}

func (p hookedCodeword) Final() ([]goldilocks.Extension, backend.Queries, error) {
	coefficients, next, err := p.Codeword.Final()
	if err == nil && p.hooks.Final != nil {
		coefficients, err = p.hooks.Final(coefficients)
	}
	if err != nil {
		return nil, nil, err
	}
	return coefficients, hookedQueries{next, p.hooks}, nil
}

func (p hookedQueries) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	nonce, hashes, err = p.Queries.Grind(seed, bits)
	if err == nil && p.hooks.Grind != nil {
		err = p.hooks.Grind(seed, bits, &nonce)
	}
	return nonce, hashes, err
}

func (p hookedQueries) Gather(plans *protocol.Plans, front func() []byte) (*backend.Gathered, error) {
	if p.hooks.GivenPlans != nil {
		plans = p.hooks.GivenPlans(plans)
	}
	gathered, err := p.Queries.Gather(plans, front)
	if err == nil && p.hooks.Gather != nil {
		err = p.hooks.Gather(plans, front, gathered)
	}
	return gathered, err
}

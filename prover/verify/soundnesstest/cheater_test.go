package soundnesstest

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// matrices are live columns: by instance (of the quotient by class), column and row.
type matrices = [][][]goldilocks.Element

// cheater is the CPU backend with lies. Each is called with what the honest call made, and may
// change it. Those left nil tell the truth.
type cheater struct {
	trace func(matrices) // main columns before lookups are counted
	count func(matrices) // and after
	// Auxiliary columns and the claimed sums of the instances with interactions.
	logUp    func(matrices, []goldilocks.Extension)
	quotient func(matrices)           // quotient columns
	openings func(*protocol.Openings) // at z and gz
	deep     func(cpu.Access)         // codewords before the first fold
	layer    func(layer int, columns [][]goldilocks.Element)
	folded   func(fold int, access cpu.Access) // after a fold
	final    func([]goldilocks.Extension) []goldilocks.Extension
	grind    func(seed [32]byte, bits int, nonce uint64) uint64
	gather   func(*backend.Gathered)

	program []merkle.Digest // what is said to be the cap of the program's columns; nil says the truth
}

func (c *cheater) Name() string   { return "cheater" }
func (c *cheater) Device() string { return "no device" }

func (c *cheater) Open(f *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	honest, err := cpu.New(parallel.New(1)).Open(f, params, budget)
	return &cheatingProver{honest, c}, err
}

type cheatingProver struct {
	backend.Prover
	cheater *cheater
}

func (p *cheatingProver) Caps() (fixed, program []merkle.Digest) {
	fixed, program = p.Prover.Caps()
	if p.cheater.program != nil {
		program = p.cheater.program
	}
	return fixed, program
}

func (p *cheatingProver) Begin(instances []circuit.Instance) (backend.Proof, error) {
	honest, err := p.Prover.Begin(instances)
	if err != nil {
		return nil, err
	}
	access, ok := cpu.AccessTo(honest)
	if !ok {
		panic("the CPU backend's proof is not its own")
	}
	access.IgnoreMisses() // a cheater goes on where a message is in no lookup table
	return &cheatingProof{Proof: honest, cheater: p.cheater, access: access}, nil
}

type cheatingProof struct {
	backend.Proof
	cheater *cheater
	access  cpu.Access
	folds   int
}

// columns are live columns as long as the trace, before they are committed to.
func (p *cheatingProof) columns(phase protocol.Phase) matrices {
	var live matrices
	for i, columns := range p.access.Columns(phase) {
		live = append(live, nil)
		for _, column := range columns {
			live[i] = append(live[i], column[:len(column)>>params().LogBlowup])
		}
	}
	return live
}

func (p *cheatingProof) Trace(execution machine.Execution) error {
	err := p.Proof.Trace(execution)
	if err == nil && p.cheater.trace != nil {
		p.cheater.trace(p.columns(protocol.Main))
	}
	return err
}

func (p *cheatingProof) Count(messages []circuit.Message) error {
	err := p.Proof.Count(messages)
	if err == nil && p.cheater.count != nil {
		p.cheater.count(p.columns(protocol.Main))
	}
	return err
}

func (p *cheatingProof) LogUp(challenges protocol.LogUpChallenges) ([]goldilocks.Extension, error) {
	claimed, err := p.Proof.LogUp(challenges)
	if err == nil && p.cheater.logUp != nil {
		p.cheater.logUp(p.columns(protocol.Auxiliary), claimed)
	}
	return claimed, err
}

func (p *cheatingProof) Quotient(constraint goldilocks.Extension) error {
	err := p.Proof.Quotient(constraint)
	if err == nil && p.cheater.quotient != nil {
		p.cheater.quotient(p.columns(protocol.Quotient))
	}
	return err
}

func (p *cheatingProof) Open(z goldilocks.Extension) (protocol.Openings, error) {
	openings, err := p.Proof.Open(z)
	if err == nil && p.cheater.openings != nil {
		p.cheater.openings(&openings)
	}
	return openings, err
}

func (p *cheatingProof) Deep(coefficients protocol.Coefficients) error {
	err := p.Proof.Deep(coefficients)
	if err == nil && p.cheater.deep != nil {
		p.cheater.deep(p.access)
	}
	return err
}

func (p *cheatingProof) CommitLayer(logArity int) ([]merkle.Digest, error) {
	layerCap, err := p.Proof.CommitLayer(logArity)
	if last := p.access.Layers() - 1; err == nil && p.cheater.layer != nil {
		p.cheater.layer(last, p.access.Layer(last))
	}
	return layerCap, err
}

func (p *cheatingProof) Fold(beta goldilocks.Extension) error {
	err := p.Proof.Fold(beta)
	if err == nil && p.cheater.folded != nil {
		p.cheater.folded(p.folds, p.access)
	}
	p.folds++
	return err
}

func (p *cheatingProof) Final() ([]goldilocks.Extension, error) {
	coefficients, err := p.Proof.Final()
	if err == nil && p.cheater.final != nil {
		coefficients = p.cheater.final(coefficients)
	}
	return coefficients, err
}

func (p *cheatingProof) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	nonce, hashes, err = p.Proof.Grind(seed, bits)
	if err == nil && p.cheater.grind != nil {
		nonce = p.cheater.grind(seed, bits, nonce)
	}
	return nonce, hashes, err
}

func (p *cheatingProof) Gather(plans *protocol.Plans) (*backend.Gathered, error) {
	gathered, err := p.Proof.Gather(plans)
	if err == nil && p.cheater.gather != nil {
		p.cheater.gather(gathered)
	}
	return gathered, err
}

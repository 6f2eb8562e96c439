package soundnesstest

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// matrices are live columns: by table, column and row.
type matrices = [][][]goldilocks.Element

// cheater is the CPU backend with lies. Each is called with what the honest call made, and may
// change it. Those left nil tell the truth.
type cheater struct {
	backend.Backend

	trace    func(matrices)                              // main columns before lookups are counted
	count    func(matrices)                              // and after
	logUp    func(matrices, []goldilocks.Extension)      // auxiliary columns and claimed sums
	quotient func(matrices)                              // quotient columns
	openings func(*backend.Openings)                     // at z and gz
	deep     func(backend.Codewords)                     // codewords before the first fold
	layer    func(layer int, rows matrices)              // a committed FRI layer
	folded   func(fold int, codewords backend.Codewords) // after a fold
	final    func([]goldilocks.Extension) []goldilocks.Extension
	grind    func(seed [32]byte, bits int, nonce uint64) uint64
	gather   func(tree int, opening *merkle.Opening) // in the order of the proof

	layers, folds, trees int
}

func (c *cheater) reset() *cheater {
	c.Backend = cpu.New(parallel.New(1))
	c.layers, c.folds, c.trees = 0, 0, 0
	return c
}

func (c *cheater) Trace(ctx backend.Context, witness machine.Witness) (backend.Columns, error) {
	columns, err := c.Backend.Trace(ctx, witness)
	if err == nil && c.trace != nil {
		c.trace(cpu.Matrices(columns))
	}
	return columns, err
}

// Count goes on where a message is in no lookup table: a cheater would.
func (c *cheater) Count(ctx backend.Context, main backend.Columns, preprocessed backend.Commitment, public []goldilocks.Element) error {
	err := c.Backend.Count(ctx, main, preprocessed, public)
	if errors.Is(err, backend.ErrLookupMiss) {
		err = nil
	}
	if err == nil && c.count != nil {
		c.count(cpu.Matrices(main))
	}
	return err
}

func (c *cheater) LogUp(ctx backend.Context, committed backend.Commitments, public []goldilocks.Element, challenges backend.LogUpChallenges) (backend.Columns, []goldilocks.Extension, error) {
	columns, claimed, err := c.Backend.LogUp(ctx, committed, public, challenges)
	if err == nil && c.logUp != nil {
		c.logUp(cpu.Matrices(columns), claimed)
	}
	return columns, claimed, err
}

func (c *cheater) Quotient(ctx backend.Context, committed backend.Commitments, input backend.QuotientInput) (backend.Columns, error) {
	columns, err := c.Backend.Quotient(ctx, committed, input)
	if err == nil && c.quotient != nil {
		c.quotient(cpu.Matrices(columns))
	}
	return columns, err
}

func (c *cheater) Open(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension) (backend.Openings, error) {
	openings, err := c.Backend.Open(ctx, committed, z)
	if err == nil && c.openings != nil {
		c.openings(&openings)
	}
	return openings, err
}

func (c *cheater) Deep(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension, openings, coefficients backend.Openings) (backend.Codewords, error) {
	codewords, err := c.Backend.Deep(ctx, committed, z, openings, coefficients)
	if err == nil && c.deep != nil {
		c.deep(codewords)
	}
	return codewords, err
}

func (c *cheater) CommitLayer(ctx backend.Context, codewords backend.Codewords, logArity int) (backend.Layer, []merkle.Digest, error) {
	layer, layerCap, err := c.Backend.CommitLayer(ctx, codewords, logArity)
	if err == nil && c.layer != nil {
		c.layer(c.layers, cpu.Matrices(layer))
	}
	c.layers++
	return layer, layerCap, err
}

func (c *cheater) Fold(ctx backend.Context, codewords backend.Codewords, layer backend.Layer, beta goldilocks.Extension) error {
	err := c.Backend.Fold(ctx, codewords, layer, beta)
	if err == nil && c.folded != nil {
		c.folded(c.folds, codewords)
	}
	c.folds++
	return err
}

func (c *cheater) Final(ctx backend.Context, codewords backend.Codewords) ([]goldilocks.Extension, error) {
	coefficients, err := c.Backend.Final(ctx, codewords)
	if err == nil && c.final != nil {
		coefficients = c.final(coefficients)
	}
	return coefficients, err
}

func (c *cheater) Grind(ctx backend.Context, seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	nonce, hashes, err = c.Backend.Grind(ctx, seed, bits)
	if err == nil && c.grind != nil {
		nonce = c.grind(seed, bits, nonce)
	}
	return nonce, hashes, err
}

func (c *cheater) Gather(ctx backend.Context, tree backend.Tree, plan *merkle.Plan) (merkle.Opening, error) {
	opening, err := c.Backend.Gather(ctx, tree, plan)
	if err == nil && c.gather != nil {
		c.gather(c.trees, &opening)
	}
	c.trees++
	return opening, err
}

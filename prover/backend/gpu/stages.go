package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// The stages of a proof. Each has what it passes to the next.
type (
	// stated is a proof with its execution's public values, if a table reads them.
	stated struct {
		*proof
		public []goldilocks.Element
	}
	traced struct {
		*stated
		counted *countedRows // nil if no rows are counted
		kept    *cuda.Scope  // of countedRows, and of the kept main columns
	}
	mainColumns struct {
		*traced
		keeping []keptHeight // the main columns to keep
	}
	mainStage struct {
		*traced
		committed phaseTrees
		keptRows  []rowList // by instance
		groups    []logUpGroup
	}
	// summed is a proof with its claimed sums.
	summed struct {
		*stated
		committed  phaseTrees
		challenges protocol.LogUpChallenges
		claimed    []goldilocks.Extension // by instance; nil without auxiliary columns
	}
	auxiliaryColumns struct{ *summed }
	// noAuxiliary is both stages between the main columns and the witness, in a proof without auxiliary columns.
	noAuxiliary struct{ *witness }
	witness     struct {
		*summed
		constraints constraintRows
	}
	quotientColumns struct {
		*proof
		committed phaseTrees
	}
	committedStage struct {
		*proof
		committed phaseTrees
		openings  protocol.Openings
		opened    []openedClass         // see listOpened
		dots      *kernels.Dots         // see listSums
		terms     []uint64              // see listTerms
		combined  *kernels.Combinations // of these terms
	}
	openedStage struct {
		*committedStage
		z goldilocks.Extension
	}
	// friStage is a proof with all of its columns committed, and the codewords of FRI.
	friStage struct {
		*proof
		committed phaseTrees
		folding   *fri.Folding
	}
	foldable   struct{ *friStage }
	layerStage struct{ *friStage }
	queries    struct{ *friStage }
)

// phaseTrees are the trees of the phases that a proof has committed to.
type phaseTrees [protocol.PhaseCount]kernels.Tree

// and returns the trees, and the tree of a phase.
func (t phaseTrees) and(phase protocol.Phase, own *commitment) phaseTrees {
	if own != nil {
		t[phase] = own.tree
	}
	return t
}

// keyTrees returns the trees of the preprocessed columns.
func (p *proof) keyTrees() (trees phaseTrees) {
	return trees.and(protocol.Fixed, p.keys[protocol.Fixed]).and(protocol.Program, p.keys[protocol.Program])
}

// Commit keeps the main columns that LogUp reads, extends all main columns in place and hashes the rows.
func (c *mainColumns) Commit() ([]merkle.Digest, backend.Main, error) {
	if !c.shape.Present(protocol.Auxiliary) {
		next := &witness{summed: &summed{stated: c.stated}}
		own, digests, err := c.commitStage(protocol.Main, c.takeKept, alone(next.listConstraints))
		next.committed = c.keyTrees().and(protocol.Main, own)
		return digests, &noAuxiliary{next}, err
	}
	next := &mainStage{traced: c.traced}
	own, digests, err := c.commitStage(protocol.Main, c.takeKept, func(main *commitment) error {
		next.listKeptRows(main)
		return nil
	})
	next.committed = c.keyTrees().and(protocol.Main, own)
	return digests, next, err
}

// LogUp does nothing.
func (c *noAuxiliary) LogUp(protocol.LogUpChallenges) ([]goldilocks.Extension, backend.Columns[backend.Witness],
	error) {
	return nil, c, nil
}

// Commit does nothing.
func (c *noAuxiliary) Commit() ([]merkle.Digest, backend.Witness, error) { return nil, c.witness, nil }

// Commit extends the auxiliary columns in place and hashes the rows.
func (c *auxiliaryColumns) Commit() ([]merkle.Digest, backend.Witness, error) {
	summed := *c.summed
	next := &witness{summed: &summed}
	own, digests, err := c.commitStage(protocol.Auxiliary, keepNothing, alone(next.listConstraints))
	next.committed = c.committed.and(protocol.Auxiliary, own)
	return digests, next, err
}

// Commit extends the quotient columns, which are coefficients, in place and hashes the rows.
func (c *quotientColumns) Commit() ([]merkle.Digest, backend.Committed, error) {
	next := &committedStage{proof: c.proof}
	own, digests, err := c.commitStage(protocol.Quotient, keepNothing, alone(next.listOpened))
	next.committed = c.committed.and(protocol.Quotient, own)
	return digests, next, err
}

// keepNothing is for phases whose values over the trace domain no stage reads later.
func keepNothing() ([]keptHeight, error) { return nil, nil }

// alone calls list, which does not need the commitment.
func alone(list func() error) func(*commitment) error {
	return func(*commitment) error { return list() }
}

// commitStage commits to a phase. take returns memory for the columns to keep. It calls listNext once the addresses of
// the columns are known, while the device works; between the stages the device would wait for it.
func (p *proof) commitStage(phase protocol.Phase, take func() ([]keptHeight, error),
	listNext func(*commitment) error) (own *commitment, digests []merkle.Digest, err error) {
	err = p.stage("commit_"+phase.String(), func(scope *cuda.Scope) error {
		kept, err := take()
		if err != nil {
			return err
		}
		own, digests, err = p.commit(scope, phase, kept, listNext)
		return err
	})
	return own, digests, err
}

package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// The stages of a proof. Each has the state that it passes to the next.
type (
	traced struct {
		*proof
		public  []goldilocks.Element // values, if a table reads them
		counted *countedRows         // nil if no rows are counted
	}
	mainColumns struct {
		*traced
		keeping []keptHeight // the main columns to keep; nil if they are not listed yet
	}
	mainStage struct {
		*traced
		keptRows []rowList // by instance
		groups   []logUpGroup
		alone    *witness // set in a proof without auxiliary columns, during the commitment to main columns
	}
	witness struct {
		*traced
		challenges  protocol.LogUpChallenges
		claimed     []goldilocks.Extension // by instance; nil without auxiliary columns
		constraints constraintRows         // listed during the last commitment before the quotient; see weights.go
	}
	auxiliaryColumns struct{ *witness }
	quotientColumns  struct{ *proof }
	committedStage   struct {
		*proof
		openings protocol.Openings
		opened   []openedClass         // see listOpened
		dots     *kernels.Dots         // see listSums
		terms    []uint64              // see listTerms
		combined *kernels.Combinations // of these terms
	}
	openedStage struct {
		*committedStage
		z goldilocks.Extension
	}
	foldable   struct{ *proof }
	layerStage struct{ *proof }
	queries    struct{ *proof }
)

// Commit keeps the main columns that LogUp reads, extends all main columns in place and hashes the rows.
func (c *mainColumns) Commit() ([]merkle.Digest, backend.Main, error) {
	next := &mainStage{traced: c.traced}
	digests, err := c.commitStage(protocol.Main, c.keeping, func() error {
		if c.shape.Present(protocol.Auxiliary) {
			next.listKeptRows()
			return nil
		}
		next.alone = &witness{traced: c.traced}
		return next.alone.listConstraints()
	})
	return digests, next, err
}

// Commit extends the auxiliary columns in place and hashes the rows.
func (c *auxiliaryColumns) Commit() (digests []merkle.Digest, next backend.Witness, err error) {
	if c.shape.Present(protocol.Auxiliary) {
		digests, err = c.commitStage(protocol.Auxiliary, nil, c.listConstraints)
	}
	return digests, c.witness, err
}

// Commit extends the quotient columns, which are coefficients, in place and hashes the rows.
func (c *quotientColumns) Commit() ([]merkle.Digest, backend.Committed, error) {
	next := &committedStage{proof: c.proof}
	digests, err := c.commitStage(protocol.Quotient, nil, next.listOpened)
	return digests, next, err
}

// commitStage commits to a phase. It calls listNext once the addresses of the columns are known, while the device
// works; between the stages the device would wait for it.
func (p *proof) commitStage(phase protocol.Phase, keeping []keptHeight,
	listNext func() error) (digests []merkle.Digest, err error) {
	err = p.stage("commit_"+phase.String(), func(scope *cuda.Scope) error {
		digests, err = p.commit(scope, phase, keeping, listNext)
		return err
	})
	return digests, err
}

package cpu

import (
	"fmt"
	"runtime/debug"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// The stages of a proof, each with the state that it passes to the next stage.
type (
	traced struct {
		*proof
		public []goldilocks.Element // values, if a table reads them
	}
	mainColumns struct{ *traced }
	mainStage   struct {
		*traced
		kept keptColumns // main columns over the trace domain
	}
	witness struct {
		*traced
		challenges protocol.LogUpChallenges
		claimed    []goldilocks.Extension // of the instances with interactions, in order
	}
	auxiliaryColumns struct{ *witness }
	quotientColumns  struct{ *proof }
	committedStage   struct{ *proof }
	opened           struct {
		*proof
		z        goldilocks.Extension
		openings protocol.Openings
	}
	// folding is the state of FRI except for the current codeword.
	folding struct {
		*proof
		layers  []*layer
		joining map[int]*codeword // by size
	}
	foldable struct {
		*folding
		current *codeword
	}
	layerStage struct{ *folding }
	queries    struct{ *folding }
)

// Commit copies the main columns that LogUp reads, extends all main columns in place and hashes the rows.
func (c *mainColumns) Commit() ([]merkle.Digest, backend.Main, error) {
	if c.owner.once {
		debug.FreeOSMemory() // frees what the tables were filled from
	}
	next := &mainStage{traced: c.traced, kept: c.keepMain()}
	digests, err := c.commit(protocol.Main, ntt.Extend)
	return digests, next, err
}

// Commit extends the auxiliary columns in place and hashes the rows.
func (c *auxiliaryColumns) Commit() ([]merkle.Digest, backend.Witness, error) {
	digests, err := c.commit(protocol.Auxiliary, ntt.Extend)
	return digests, c.witness, err
}

// Commit extends the quotient columns, which are coefficients, in place and hashes the rows.
func (c *quotientColumns) Commit() ([]merkle.Digest, backend.Committed, error) {
	if c.owner.once {
		debug.FreeOSMemory() // the peak follows: free what computing the quotient left
	}
	digests, err := c.commit(protocol.Quotient, ntt.ExtendCoefficients)
	return digests, &committedStage{c.proof}, err
}

// commit builds the tree of a phase and returns its cap, or nil for a phase without columns.
func (p *proof) commit(phase protocol.Phase,
	extend func(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int)) ([]merkle.Digest, error) {
	tree, err := p.owner.commit(phase, p.phases[phase].columns, extend)
	if err != nil || tree == nil {
		return nil, err
	}
	p.phases[phase].tree = tree
	return tree.Cap(), nil
}

// Gather opens all trees. It leaves encoding to the caller.
func (q *queries) Gather(plans *protocol.Plans, _ func() []byte) (*backend.Gathered, error) {
	result := new(backend.Gathered)
	for phase, plan := range plans.Phases {
		tree := q.phases[phase].tree
		if (plan == nil) != (tree == nil) {
			return nil, fmt.Errorf("cpu: gather: a plan for the %s tree: %t, the tree: %t", protocol.Phase(phase),
				plan != nil, tree != nil)
		}
		if plan != nil {
			result.Phases[phase] = tree.Open(plan)
		}
	}
	if len(plans.Layers) != len(q.layers) {
		return nil, fmt.Errorf("cpu: gather: plans for %d layers, want %d", len(plans.Layers), len(q.layers))
	}
	for i, plan := range plans.Layers {
		result.Layers = append(result.Layers, q.layers[i].tree.Open(plan))
	}
	return result, nil
}

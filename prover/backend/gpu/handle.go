package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// state is what every handle has: its context, or nil when it was consumed or released, and the memory that it holds.
type state struct {
	context *proverContext
	scope   *cuda.Scope
	size    uint64
}

// Bytes is the device memory that the handle holds.
func (s *state) Bytes() uint64 { return s.size }

// release returns the handle's memory.
func (s *state) release(c *proverContext) {
	if s.context != c {
		return
	}
	s.context = nil
	if c.backend.Lost() == nil {
		_ = s.scope.End() // fails in checked mode only, and then with the device
	}
}

// columns are the matrices of a phase before commitment.
type columns struct {
	state
	*matrices
	// coefficients says that the first entries of each column hold a polynomial's coefficients and not its values:
	// the quotient's.
	coefficients bool
}

// commitment is a phase's extensions and their tree.
type commitment struct {
	state
	*matrices
	// kept are values over the trace domain in natural order, by table and column.
	kept []map[int]kernels.Columns
	tree kernels.Tree
}

// layer is a committed FRI codeword. Its rows are read in place: row i holds entries i*2^logArity and following. Once it is
// folded the codeword's memory is the layer's.
type layer struct {
	state
	logArity int
	logSize  int
	codeword kernels.Columns
	tree     kernels.Tree
}

// codewords are FRI's by log size: the current one, which is the largest, and those that will join.
type codewords struct {
	state
	logSize int
	words   map[int]*cuda.Buffer
}

// current is the codeword that is folded next.
func (h *codewords) current() kernels.Columns { return codewordColumns(h.words[h.logSize], h.logSize) }

func (*columns) IsColumns()       {}
func (*commitment) IsTree()       {}
func (*commitment) IsCommitment() {}
func (*layer) IsTree()            {}
func (*layer) IsLayer()           {}
func (*codewords) IsCodewords()   {}

// Owner is the handle's context, or nil.
func (s *state) Owner() *proverContext { return s.context }

func (c *proverContext) columns(h backend.Columns) (*columns, error) {
	return backend.Own[*columns](c, "columns", h)
}

func (c *proverContext) commitments(committed backend.Commitments) ([backend.PhaseCount]*commitment, error) {
	return backend.OwnCommitments[*commitment](c, committed)
}

func (c *proverContext) codewords(h backend.Codewords) (*codewords, error) {
	return backend.Own[*codewords](c, "codewords", h)
}

func (c *proverContext) layer(h backend.Layer) (*layer, error) {
	return backend.Own[*layer](c, "layer", h)
}

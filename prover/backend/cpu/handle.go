package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// state is what every handle has: its context, or nil when it was consumed or
// released.
type state struct {
	context *proverContext
}

// columns are the matrices of a phase before commitment.
type columns struct {
	state
	slab *slab
	// coefficients says that the first entries of each column hold a
	// polynomial's coefficients and not its values: the quotient's.
	coefficients bool
}

// commitment is a phase's extensions and their tree.
type commitment struct {
	state
	slab *slab
	kept keptColumns // empty once LogUp has read them
	tree *merkle.Tree
}

// layer is a committed FRI codeword, as the matrix that the tree is over: row
// i holds entries i*2^logArity and following, a column for each coordinate.
type layer struct {
	state
	logArity int
	matrix   [][]goldilocks.Element
	memory   loan // the matrix's
	tree     *merkle.Tree
}

// codewords are FRI's: the current one and those that will join.
type codewords struct {
	state
	current *codeword
	joining map[int]*codeword // by size
}

// codeword is one of them with its memory.
type codeword struct {
	goldilocks.ExtensionVector
	loan
}

// takeCodeword lends a codeword, with whatever was in its memory before.
func (c *proverContext) takeCodeword(size int) *codeword {
	lent := c.workspace.take(vectorElements(size))
	return &codeword{lent.vector(size), lent}
}

func (*columns) IsColumns()       {}
func (*commitment) IsTree()       {}
func (*commitment) IsCommitment() {}
func (*layer) IsTree()            {}
func (*layer) IsLayer()           {}
func (*codewords) IsCodewords()   {}

// Bytes is the size of the slab.
func (h *columns) Bytes() uint64 { return uint64(len(h.slab.words)) * elementBytes }

// Bytes is the size of extensions and kept columns.
func (h *commitment) Bytes() uint64 {
	return uint64(len(h.slab.words)+len(h.kept.words)) * elementBytes
}

// Bytes is the size of the matrix.
func (h *layer) Bytes() uint64 {
	return uint64(len(h.matrix)*len(h.matrix[0])) * 8
}

// Bytes is the size of all codewords.
func (h *codewords) Bytes() uint64 {
	total := h.current.Len()
	for size := range h.joining {
		total += size
	}
	return uint64(total) * 8 * backend.ExtensionDegree
}

// loans are those of all codewords.
func (h *codewords) loans() []*loan {
	loans := []*loan{&h.current.loan}
	for _, joining := range h.joining {
		loans = append(loans, &joining.loan)
	}
	return loans
}

// Owner is the handle's context, or nil.
func (s *state) Owner() *proverContext { return s.context }

// release invalidates a handle, takes its slab back and what it was lent.
func (c *proverContext) release(s *state, memory *slab, loans ...*loan) {
	if s.context != c {
		return
	}
	s.context = nil
	for _, lent := range loans {
		c.workspace.give(lent)
	}
	switch {
	case memory == nil:
	case memory.phase == backend.Quotient:
		c.workspace.give(&memory.loan)
	default:
		c.free[memory.phase] = memory
		if c.backend.once {
			c.discard(memory.words)
		}
	}
}

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

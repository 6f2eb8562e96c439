package cpu

import (
	"fmt"

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
	tree     *merkle.Tree
}

// codewords are FRI's: the current one and those that will join.
type codewords struct {
	state
	current goldilocks.ExtensionVector
	joining map[int]goldilocks.ExtensionVector // by size
}

func (*columns) IsColumns()       {}
func (*commitment) IsTree()       {}
func (*commitment) IsCommitment() {}
func (*layer) IsTree()            {}
func (*layer) IsLayer()           {}
func (*codewords) IsCodewords()   {}

// Bytes is the size of the slab.
func (h *columns) Bytes() uint64 { return h.slab.bytes }

// Bytes is the size of extensions and kept columns.
func (h *commitment) Bytes() uint64 {
	return h.slab.bytes + uint64(len(h.kept.memory))*elementBytes
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

// own checks that a handle is valid and of this context.
func (c *proverContext) own(s *state) error {
	switch s.context {
	case c:
		return nil
	case nil:
		return backend.ErrReleased
	default:
		return backend.ErrForeignHandle
	}
}

// release invalidates a handle and takes its slab back.
func (c *proverContext) release(s *state, memory *slab) {
	if s.context != c {
		return
	}
	s.context = nil
	if memory != nil {
		c.free[memory.phase] = memory
	}
}

func (c *proverContext) columns(h backend.Columns) (*columns, error) {
	own, ok := h.(*columns)
	if !ok {
		return nil, fmt.Errorf("columns %T: %w", h, backend.ErrForeignHandle)
	}
	return own, c.own(&own.state)
}

// commitments checks the committed phases; absent ones are nil.
func (c *proverContext) commitments(committed backend.Commitments) (own [backend.PhaseCount]*commitment, err error) {
	for phase, h := range committed {
		if h == nil {
			continue
		}
		var ok bool
		if own[phase], ok = h.(*commitment); !ok {
			return own, fmt.Errorf("%s commitment %T: %w", backend.Phase(phase), h, backend.ErrForeignHandle)
		}
		if err := c.own(&own[phase].state); err != nil {
			return own, fmt.Errorf("%s commitment: %w", backend.Phase(phase), err)
		}
	}
	return own, nil
}

func (c *proverContext) codewords(h backend.Codewords) (*codewords, error) {
	own, ok := h.(*codewords)
	if !ok {
		return nil, fmt.Errorf("codewords %T: %w", h, backend.ErrForeignHandle)
	}
	return own, c.own(&own.state)
}

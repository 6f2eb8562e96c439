package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const wordBytes = device.WordBytes

// kernelExtension is an element as the kernels' argument.
func kernelExtension(e goldilocks.Extension) kernels.Extension {
	return kernels.Extension{uint64(e[0]), uint64(e[1]), uint64(e[2])}
}

func appendExtension(words []uint64, e goldilocks.Extension) []uint64 {
	return append(words, uint64(e[0]), uint64(e[1]), uint64(e[2]))
}

// matrices are one phase's columns in device memory: by instance, by class for the quotient. Where an instance has no
// columns in the phase, and in a phase that is absent, they are without memory.
type matrices struct {
	list []kernels.Columns
	// coefficients says that the first entries of each column hold a polynomial's coefficients and not its values:
	// the quotient's, until they are extended.
	coefficients bool
}

// takeMatrices takes room for the extensions of a phase.
func takeMatrices(scope *cuda.Scope, shape *backend.Shape, phase backend.Phase) (*matrices, error) {
	m := &matrices{list: make([]kernels.Columns, shape.Entries(phase)), coefficients: phase == backend.Quotient}
	for _, matrix := range shape.Matrices(phase) {
		size := uint64(1) << (matrix.LogHeight + shape.Params.LogBlowup)
		buffer, err := scope.Take(phase.String()+" columns", uint64(matrix.Width)*size*wordBytes)
		if err != nil {
			return nil, err
		}
		m.list[matrix.Index] = kernels.Columns{Span: buffer.All(), Stride: size, Count: uint32(matrix.Width)}
	}
	return m, nil
}

// of are the columns of an instance, without memory where the phase is absent.
func (m *matrices) of(instance int) kernels.Columns {
	if m == nil || len(m.list) == 0 {
		return kernels.Columns{}
	}
	return m.list[instance]
}

// commitment is a phase's extensions and their tree.
type commitment struct {
	*matrices
	// kept are values over the trace domain in natural order, by instance and column.
	kept []map[int]kernels.Columns
	tree kernels.Tree
}

// keptColumn finds a column's values over the trace domain.
func (c *commitment) keptColumn(instance, column int) (kernels.Columns, bool) {
	if c == nil || len(c.kept) == 0 {
		return kernels.Columns{}, false
	}
	kept, ok := c.kept[instance][column]
	return kept, ok
}

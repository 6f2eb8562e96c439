package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

const wordBytes = device.WordBytes

// kernelExtension converts an element to an argument of kernels.
func kernelExtension(e goldilocks.Extension) kernels.Extension {
	return kernels.Extension{uint64(e[0]), uint64(e[1]), uint64(e[2])}
}

func appendExtension(words []uint64, e goldilocks.Extension) []uint64 {
	return append(words, uint64(e[0]), uint64(e[1]), uint64(e[2]))
}

// matrices are one phase's columns in device memory, by instance, or by class for the quotient. If an instance has no
// columns in the phase, or the phase is absent, they have no memory. Columns of one height are consecutive, in the
// tree's order, so that one launch can process all of them.
type matrices struct {
	scope   *cuda.Scope // of the memory, and of the tree
	list    []kernels.Columns
	heights []heightColumns
	// lean reports whether only the first coset of the extensions is in memory.
	lean bool
	// coefficients reports whether the first entries of each column hold a polynomial's coefficients instead of its
	// values. It is true for the quotient until its columns are extended.
	coefficients bool
}

// heightColumns are a phase's columns of one height.
type heightColumns struct {
	kernels.Columns
	logHeight int
}

// heightsOf returns the log heights of matrices, in the order of each height's first matrix, and the number of columns
// of each height.
func heightsOf(list []protocol.Matrix) (logHeights []int, widths map[int]int) {
	widths = map[int]int{}
	for _, matrix := range list {
		if widths[matrix.LogHeight] == 0 {
			logHeights = append(logHeights, matrix.LogHeight)
		}
		widths[matrix.LogHeight] += matrix.Width
	}
	return logHeights, widths
}

// takeMatrices takes memory for the extensions of a phase, or for the part of them that a lean proof keeps.
func takeMatrices(scope *cuda.Scope, shape *protocol.Shape, phase protocol.Phase, lean bool) (*matrices, error) {
	m := &matrices{scope: scope, list: make([]kernels.Columns, shape.Entries(phase))}
	m.lean, m.coefficients = isLean(phase, lean), phase == protocol.Quotient
	list := shape.Matrices(phase)
	logHeights, widths := heightsOf(list)
	for _, logHeight := range logHeights {
		size := uint64(1) << (logHeight + shape.Params.LogBlowup)
		if m.lean {
			size = 1 << logHeight
		}
		buffer, err := scope.Take(phase.String()+" columns", uint64(widths[logHeight])*size*wordBytes)
		if err != nil {
			return nil, err
		}
		all := kernels.Columns{Span: buffer.All(), Stride: size, Count: uint32(widths[logHeight])}
		m.heights = append(m.heights, heightColumns{all, logHeight})
		if err := m.cut(list, all, logHeight); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// cut assigns the columns of a height to its matrices.
func (m *matrices) cut(list []protocol.Matrix, all kernels.Columns, logHeight int) (err error) {
	first := uint32(0)
	for _, matrix := range list {
		if matrix.LogHeight != logHeight {
			continue
		}
		if m.list[matrix.Index], err = all.Part(first, uint32(matrix.Width), all.Stride); err != nil {
			return err
		}
		first += uint32(matrix.Width)
	}
	return nil
}

// of returns the columns of an instance, without memory if the phase is absent.
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
	kept [][]kernels.Columns
	tree kernels.Tree
}

// keptColumn returns a column's values over the trace domain, and reports whether they are kept.
func (c *commitment) keptColumn(instance, column int) (kernels.Columns, bool) {
	if c == nil || len(c.kept) == 0 || column >= len(c.kept[instance]) {
		return kernels.Columns{}, false
	}
	kept := c.kept[instance][column]
	return kept, kept.Count > 0
}

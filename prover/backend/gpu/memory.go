package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
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
// columns in the phase, and in a phase that is absent, they are without memory. Columns of one height lie behind each
// other, in the tree's order, so that one launch works on all of them.
type matrices struct {
	list    []kernels.Columns
	heights []heightColumns
	// lean says that of the extensions the first coset alone is there.
	lean bool
	// coefficients says that the first entries of each column hold a polynomial's coefficients and not its values:
	// the quotient's, until they are extended.
	coefficients bool
}

// heightColumns are a phase's columns of one height.
type heightColumns struct {
	kernels.Columns
	logHeight int
}

// heightsOf are the log heights of matrices, in the order of each one's first matrix, and how many columns have it.
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

// takeMatrices takes room for the extensions of a phase, or in a lean proof for what it keeps of them.
func takeMatrices(scope *cuda.Scope, shape *protocol.Shape, phase protocol.Phase, lean bool) (*matrices, error) {
	m := &matrices{list: make([]kernels.Columns, shape.Entries(phase)), coefficients: phase == protocol.Quotient}
	m.lean = isLean(phase, lean)
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

// cut gives the matrices of a height their columns.
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

// columnsOf are those of an instance, none where the proof has no such phase.
func (c *commitment) columnsOf(instance int) kernels.Columns {
	if c == nil {
		return kernels.Columns{}
	}
	return c.of(instance)
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
	kept [][]kernels.Columns
	tree kernels.Tree
}

// keptColumn finds a column's values over the trace domain.
func (c *commitment) keptColumn(instance, column int) (kernels.Columns, bool) {
	if c == nil || len(c.kept) == 0 || column >= len(c.kept[instance]) {
		return kernels.Columns{}, false
	}
	kept := c.kept[instance][column]
	return kept, kept.Count > 0
}

package gpu

import (
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
)

const wordBytes = 8

// fixedMemory lives as long as the context.
type fixedMemory struct {
	scope  *cuda.Scope
	points *cuda.Buffer
}

// takeFixed takes it, all but the transform tables, which NewTransforms takes from the same scope.
func takeFixed(arena *cuda.Arena, shape *backend.Shape) (*fixedMemory, error) {
	m := &fixedMemory{scope: arena.Scope("context")}
	var err error
	m.points, err = m.scope.Take("points of the largest domain", wordBytes<<maxLogSize(shape))
	return m, err
}

// maxLogSize is the log size of the largest extension domain.
func maxLogSize(shape *backend.Shape) int { return slices.Max(shape.LogHeights) + shape.LogBlowup }

// matrices are one phase's columns in device memory, one buffer a table.
type matrices struct {
	phase  backend.Phase
	tables []kernels.Columns // by table; without columns where the phase has none
}

// takeMatrices takes room for the extensions of a phase.
func takeMatrices(scope *cuda.Scope, shape *backend.Shape, phase backend.Phase) (*matrices, error) {
	m := &matrices{phase: phase, tables: make([]kernels.Columns, len(shape.Machine.Tables))}
	for i, table := range shape.Machine.Tables {
		width := backend.Width(table, phase)
		if width == 0 {
			continue
		}
		size := uint64(1) << (shape.LogHeights[i] + shape.LogBlowup)
		buffer, err := scope.Take(phase.String()+" columns of "+table.Name, uint64(width)*size*wordBytes)
		if err != nil {
			return nil, err
		}
		m.tables[i] = kernels.Columns{Span: buffer.All(), Stride: size, Count: uint32(width)}
	}
	return m, nil
}

// bytes is the size of all columns.
func (m *matrices) bytes() (total uint64) {
	for _, table := range m.tables {
		total += table.Span.Size()
	}
	return total
}

// newColumns takes the matrices of a phase as a handle. The caller releases it when what fills it fails.
func (c *proverContext) newColumns(phase backend.Phase) (*columns, error) {
	scope := c.arena.Scope(phase.String() + " columns")
	m, err := takeMatrices(scope, &c.shape, phase)
	if err != nil {
		return nil, errors.Join(err, scope.End())
	}
	return &columns{state: state{context: c, scope: scope, size: m.bytes()}, matrices: m}, nil
}

package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// openedColumn is a committed column with the places of what belongs to it: its openings, or its DEEP coefficients.
type openedColumn struct {
	matrix  kernels.Columns
	number  uint32
	current *goldilocks.Extension // at z
	next    *goldilocks.Extension // at g*z; nil for columns not read at the next row
}

// openedColumns lists the columns of a height, of every phase and table. Those opened at both points come first.
func (c *proverContext) openedColumns(own [backend.PhaseCount]*commitment, values *backend.Openings, logHeight int) (list []openedColumn, both int) {
	var once []openedColumn
	for phase, commitment := range own {
		if commitment == nil {
			continue
		}
		for i, table := range c.shape.Machine.Tables {
			if c.shape.LogHeights[i] != logHeight {
				continue
			}
			next := make(map[int]*goldilocks.Extension)
			for k, column := range backend.NextColumns(table, backend.Phase(phase)) {
				next[column] = &values[phase][i].Next[k]
			}
			matrix := commitment.tables[i]
			for j := range int(matrix.Count) {
				column := openedColumn{matrix, uint32(j), &values[phase][i].Current[j], next[j]}
				if column.next != nil {
					list = append(list, column)
				} else {
					once = append(once, column)
				}
			}
		}
	}
	return append(list, once...), len(list)
}

// openedCounts counts the columns of a height, and those of them that are opened at g*z too.
func openedCounts(shape *backend.Shape, logHeight int) (count, both int) {
	for phase := range backend.Phase(backend.PhaseCount) {
		for i, table := range shape.Machine.Tables {
			if shape.LogHeights[i] == logHeight {
				count += backend.Width(table, phase)
				both += len(backend.NextColumns(table, phase))
			}
		}
	}
	return count, both
}

// columnBase is what the offsets of listed columns count from.
func (c *proverContext) columnBase() cuda.Span { return c.points.Span }

// offset is the column's place for kernels that read columns of several matrices.
func (c *proverContext) offset(column openedColumn, n uint64) (uint64, error) {
	return column.matrix.Offset(c.columnBase(), column.number, n)
}

// nextPoint is g*z, g the generator of the trace domain.
func nextPoint(z goldilocks.Extension, logHeight int) goldilocks.Extension {
	return z.MulBase(goldilocks.RootOfUnity(logHeight))
}

// kernelExtension is an element as the kernels' argument.
func kernelExtension(e goldilocks.Extension) kernels.Extension {
	return kernels.Extension{uint64(e[0]), uint64(e[1]), uint64(e[2])}
}

// part is the first words of a buffer.
func part(buffer *cuda.Buffer, words uint64) (cuda.Span, error) {
	return buffer.Span(0, words*wordBytes)
}

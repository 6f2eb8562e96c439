package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// slab is one phase's extensions in one allocation. Its memory may be the
// context's mappings', so it ends with the context.
type slab struct {
	phase  backend.Phase
	words  []goldilocks.Element
	loan   loan                     // of the workspace, where it is a slab for one proof
	tables [][][]goldilocks.Element // by table and column, each as long as the extension domain
}

// columnGap keeps columns of large tables off each other's cache sets: an odd
// number of cache lines between them spreads the same rows of all columns over
// all sets. Small tables fit the caches anyway.
const (
	columnGap     = 40
	smallestGaped = 1 << 10
)

func stride(size int) int {
	if size < smallestGaped {
		return size
	}
	return size + columnGap
}

// slabElements is the size of a phase's slab.
func slabElements(shape *backend.Shape, phase backend.Phase) int {
	total := 0
	for i, table := range shape.Machine.Tables {
		total += backend.Width(table, phase) * stride(1<<(shape.LogHeights[i]+shape.LogBlowup))
	}
	return total
}

// newSlab lays a phase's columns out in words, slabElements of them.
func (c *proverContext) newSlab(phase backend.Phase, words []goldilocks.Element) *slab {
	shape := &c.shape
	s := &slab{phase: phase, words: words}
	for i, table := range shape.Machine.Tables {
		size := 1 << (shape.LogHeights[i] + shape.LogBlowup)
		extensions := make([][]goldilocks.Element, backend.Width(table, phase))
		for j := range extensions {
			extensions[j] = words[:size:size]
			words = words[stride(size):]
		}
		s.tables = append(s.tables, extensions)
	}
	return s
}

// prefixes are the first n entries of columns.
func prefixes(extensions [][]goldilocks.Element, n int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, len(extensions))
	for i, extension := range extensions {
		columns[i] = extension[:n]
	}
	return columns
}

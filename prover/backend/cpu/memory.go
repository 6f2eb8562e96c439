package cpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

const (
	elementBytes = 8
	digestBytes  = 32
)

// memory is a prover's memory: its preprocessed columns, and the arena that its proofs use one after another. If the
// prover is never closed, the memory is released once the prover is unreachable. Every proof refers to its prover.
type memory struct {
	lasting []region
	values  [protocol.PhaseCount]region // of preprocessed columns over the trace domain
	arena   region
}

// region is one allocation, either on Go's heap or with its own mapping.
type region struct {
	words   []goldilocks.Element
	mapping []byte
}

// take allocates memory that lives as long as the prover.
func (m *memory) take(pool *parallel.Pool, elements int) []goldilocks.Element {
	r := allocate(elements)
	populate(pool, r.words)
	m.lasting = append(m.lasting, r)
	return r.words
}

// release frees everything. None of the memory may be used afterwards.
func (m *memory) release() {
	for _, r := range slices.Concat(m.lasting, m.values[:], []region{m.arena}) {
		r.release()
	}
	*m = memory{}
}

// empty returns the arena's pages to the system.
func (m *memory) empty(pool *parallel.Pool) { discard(pool, m.arena.words) }

// layout holds the sizes of the parts of a proof's memory, in elements.
type layout struct{ main, auxiliary, workspace int }

// layoutParts holds the memory of the parts of a layout.
type layoutParts struct{ main, auxiliary, workspace []goldilocks.Element }

// pageElements is the number of elements in a page. Every part starts on a page of its own.
const pageElements = 4096 / elementBytes

func wholePages(n int) int { return (n + pageElements - 1) &^ (pageElements - 1) }

func (l layout) total() int {
	return wholePages(l.main) + wholePages(l.auxiliary) + wholePages(l.workspace)
}

// reserve cuts the arena into the parts of a proof, with whatever earlier proofs left in them. It allocates only if the
// arena is too small, and leaves it to the first writes to populate the pages.
func (m *memory) reserve(l layout) (parts layoutParts) {
	if l.total() > len(m.arena.words) {
		m.arena.release()
		m.arena = allocate(l.total())
	}
	rest := m.arena.words
	cut := func(n int) []goldilocks.Element {
		part := rest[:n:n]
		rest = rest[wholePages(n):]
		return part
	}
	return layoutParts{cut(l.main), cut(l.auxiliary), cut(l.workspace)}
}

// layoutOf returns the layout of a proof's memory.
func layoutOf(shape *protocol.Shape) layout {
	return layout{
		main:      elementsOf(matrixSizes(shape, protocol.Main)),
		auxiliary: elementsOf(matrixSizes(shape, protocol.Auxiliary)),
		workspace: max(wholeLines(keptElements(shape)), laterElements(shape)),
	}
}

// peakBytes returns the peak memory of a proof: the arena, which never shrinks, the preprocessed columns, and the
// trees. It ignores the proof itself and the workers' registers for constraints, which are a few megabytes per worker.
func (p *prover) peakBytes(shape *protocol.Shape) uint64 {
	return peakBytes(shape, len(p.memory.arena.words))
}

// PredictPeak returns the peak memory, in bytes, of a single proof of a shape.
func PredictPeak(shape *protocol.Shape) uint64 { return peakBytes(shape, 0) }

func peakBytes(shape *protocol.Shape, arenaWords int) uint64 {
	arena := max(layoutOf(shape).total(), arenaWords)
	digests := 0
	for _, phase := range []protocol.Phase{protocol.Main, protocol.Auxiliary, protocol.Quotient} {
		if tree := shape.TreeShape(phase); len(tree.LogHeights) > 0 {
			digests += tree.StoredDigests()
		}
	}
	return heldBytes(shape.Machine, shape.Params) + uint64(arena)*elementBytes + uint64(digests)*digestBytes
}

// heldBytes returns the memory of the preprocessed columns and their trees.
func heldBytes(m *circuit.Machine, params protocol.Layout) uint64 {
	elements, digests := 0, 0
	trees := map[air.PreprocessedKind]merkle.Shape{}
	for _, t := range m.Tables {
		if t.Kind == air.NoPreprocessed {
			continue
		}
		size := 1 << (t.PreprocessedLogHeight + params.LogBlowup)
		elements += len(t.Preprocessed) * (stride(size) + stride(1<<t.PreprocessedLogHeight))
		tree := trees[t.Kind]
		tree.LogHeights, tree.CapHeight = append(tree.LogHeights, t.PreprocessedLogHeight+params.LogBlowup), params.CapHeight
		trees[t.Kind] = tree
	}
	for _, tree := range trees {
		digests += tree.StoredDigests()
	}
	return uint64(elements)*elementBytes + uint64(digests)*digestBytes
}

// matrixSize is the number of columns of a matrix and the log of their size.
type matrixSize struct{ width, logSize int }

// matrixSizes returns the extended matrices of a phase, by instance, or by class for the quotient.
func matrixSizes(shape *protocol.Shape, phase protocol.Phase) []matrixSize {
	if phase == protocol.Quotient {
		sizes := make([]matrixSize, len(shape.Classes))
		for i, class := range shape.Classes {
			sizes[i] = matrixSize{protocol.QuotientWidth, class.LogHeight + shape.Params.LogBlowup}
		}
		return sizes
	}
	sizes := make([]matrixSize, len(shape.Instances))
	for i, instance := range shape.Instances {
		sizes[i] = matrixSize{protocol.Width(shape.Table(i), phase), instance.LogHeight + shape.Params.LogBlowup}
	}
	return sizes
}

// columnGap keeps the columns of large tables in different cache sets: an odd number of cache lines between columns
// spreads the same rows of all columns over all sets. Small tables fit the caches anyway.
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

// elementsOf returns the number of elements that matrices take.
func elementsOf(matrices []matrixSize) int {
	total := 0
	for _, m := range matrices {
		total += m.width * stride(1<<m.logSize)
	}
	return total
}

// layOut lays the columns of matrices out in words, which holds elementsOf(matrices) elements.
func layOut(words []goldilocks.Element, matrices []matrixSize) [][][]goldilocks.Element {
	list := make([][][]goldilocks.Element, len(matrices))
	for i, m := range matrices {
		size := 1 << m.logSize
		columns := make([][]goldilocks.Element, m.width)
		for j := range columns {
			columns[j] = words[:size:size]
			words = words[stride(size):]
		}
		list[i] = columns
	}
	return list
}

// prefixes returns the first n entries of each column.
func prefixes(extensions [][]goldilocks.Element, n int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, len(extensions))
	for i, extension := range extensions {
		columns[i] = extension[:n]
	}
	return columns
}

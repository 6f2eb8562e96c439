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

// memory is a prover's: what its preprocessed columns take, and the arena that its proofs use one after the other.
// Where closing the prover is forgotten it lasts until nothing refers to the prover, as every proof does.
type memory struct {
	lasting []region
	values  [protocol.PhaseCount]region // of preprocessed columns over the trace domain
	arena   region
}

// region is one allocation: Go's heap's, or a mapping of its own.
type region struct {
	words   []goldilocks.Element
	mapping []byte
}

// take allocates memory that lasts as long as the prover.
func (m *memory) take(pool *parallel.Pool, elements int) []goldilocks.Element {
	r := allocate(elements)
	populate(pool, r.words)
	m.lasting = append(m.lasting, r)
	return r.words
}

// release gives everything back. Nothing in it must be used again.
func (m *memory) release() {
	for _, r := range slices.Concat(m.lasting, m.values[:], []region{m.arena}) {
		r.release()
	}
	*m = memory{}
}

// empty gives the arena's pages back to the system.
func (m *memory) empty(pool *parallel.Pool) { discard(pool, m.arena.words) }

// layout is how many elements the parts of a proof's memory have.
type layout struct{ main, auxiliary, workspace int }

// layoutParts are those parts.
type layoutParts struct{ main, auxiliary, workspace []goldilocks.Element }

// pageElements keeps the parts on pages of their own.
const pageElements = 4096 / elementBytes

func wholePages(n int) int { return (n + pageElements - 1) &^ (pageElements - 1) }

func (l layout) total() int {
	return wholePages(l.main) + wholePages(l.auxiliary) + wholePages(l.workspace)
}

// reserve is the arena cut into the parts of a proof, with whatever earlier proofs left in them. It allocates only
// where the arena is too small, and leaves the pages to the first who writes to them.
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

// layoutOf is the memory of a proof.
func layoutOf(shape *protocol.Shape) layout {
	return layout{
		main:      elementsOf(matrixSizes(shape, protocol.Main)),
		auxiliary: elementsOf(matrixSizes(shape, protocol.Auxiliary)),
		workspace: max(wholeLines(keptElements(shape)), laterElements(shape)),
	}
}

// peakBytes is the most memory that a proof takes: the arena, no smaller than it is, what lasts and the trees. The
// proof itself and the registers of constraints, a few megabytes for each worker, are small beside them.
func (p *prover) peakBytes(shape *protocol.Shape) uint64 {
	return peakBytes(shape, len(p.memory.arena.words))
}

// PredictPeak is the most memory, in bytes, that a proof of a shape takes by itself.
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

// heldBytes is what the preprocessed columns take.
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

// matrixSize is a matrix of a phase: its columns and their log size, extended.
type matrixSize struct{ width, logSize int }

// matrixSizes are those of a phase by instance, of the quotient by class.
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

// elementsOf is the room that matrices take.
func elementsOf(matrices []matrixSize) int {
	total := 0
	for _, m := range matrices {
		total += m.width * stride(1<<m.logSize)
	}
	return total
}

// layOut lays the columns of matrices out in words, elementsOf of them.
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

// prefixes are the first n entries of columns.
func prefixes(extensions [][]goldilocks.Element, n int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, len(extensions))
	for i, extension := range extensions {
		columns[i] = extension[:n]
	}
	return columns
}

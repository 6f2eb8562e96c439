package merkle

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Digest is a node of a tree.
type Digest = [32]byte

// Matrix is a matrix stored by columns of equal power-of-two length.
type Matrix [][]goldilocks.Element

// Tree is a commitment with the data to open it: the matrices, which are shared with the caller and must not change,
// and the upper layers. The lower layers contain nearly all digests; the few that an opening needs are recomputed.
type Tree struct {
	pool     *parallel.Pool
	shape    Shape
	hash     function
	matrices []Matrix
	columns  [][][]goldilocks.Element // by log height: the columns of all matrices of this height, in order
	stored   int                      // log size of the largest stored layer
	layers   [][]Digest               // layers[l] has 2^l digests; nil below the cap and above the stored layers
}

const (
	// logGrain is the logarithm of the number of rows or nodes that a worker hashes at a time.
	logGrain = 6
	// grainColumns is the minimum number of columns for which a worker copies opened rows: eight fill a cache line.
	grainColumns = 8
	// logStored is the log size of the largest stored layer. Each of 220 queries rehashes all rows below one of its nodes,
	// which costs 220 / 2^15 of hashing all leaves at any height: 0.7 %, for 2 MB per tree.
	logStored = 15
	// logLanes is the logarithm of the number of stored digests that a worker computes at a time: the lanes of BLAKE3's
	// compressions, which are twice those of a Keccak permutation. With fewer, the rows and nodes of the largest stored
	// layer would be hashed one by one.
	logLanes = 4
)

// logStored returns the log size of the largest layer that a tree of the shape stores.
func (s Shape) logStored() int { return max(min(s.LogHeight(), logStored), s.LogCap()) }

// StoredDigests returns the number of digests that a tree of the shape stores.
func (s Shape) StoredDigests() int { return 2<<s.logStored() - 1<<s.LogCap() }

// Build commits to the matrices with a tree of the given kind.
func Build(pool *parallel.Pool, kind Kind, matrices []Matrix, capHeight int) (*Tree, error) {
	shape, err := shapeOf(kind, matrices, capHeight)
	if err != nil {
		return nil, err
	}
	t := newTree(pool, shape, matrices, shape.logStored())
	t.buildLower()
	t.buildUpper()
	return t, nil
}

func newTree(pool *parallel.Pool, shape Shape, matrices []Matrix, stored int) *Tree {
	top := shape.LogHeight()
	t := &Tree{pool: pool, shape: shape, hash: shape.function(), matrices: matrices, stored: stored}
	t.columns, t.layers = make([][][]goldilocks.Element, top+1), make([][]Digest, top+1)
	for m, l := range shape.LogHeights {
		t.columns[l] = append(t.columns[l], matrices[m]...)
	}
	for l := shape.LogCap(); l <= stored; l++ {
		t.layers[l] = make([]Digest, 1<<l)
	}
	return t
}

// buildLower computes the layers up to and including the largest stored layer.
func (t *Tree) buildLower() {
	top := t.shape.LogHeight()
	lower := top - t.stored
	logLeaves := min(max(lower+logLanes, logGrain), top)
	each := 1 << (logLeaves - lower) // stored digests per block
	t.pool.For(1<<(top-logLeaves), 1, func(lo, hi int) {
		b := t.newBlock(logLeaves)
		for i := lo; i < hi; i++ {
			b.hash(i)
			copy(t.layers[t.stored][i*each:], b.layers[t.stored])
		}
	})
}

// buildUpper computes the layers above the largest stored layer.
func (t *Tree) buildUpper() {
	for l := t.stored - 1; l >= t.shape.LogCap(); l-- {
		extra := t.hashRows(l)
		t.pool.For(1<<l, 1<<logGrain, func(lo, hi int) {
			var e []Digest
			if extra != nil {
				e = extra[lo:hi]
			}
			t.hash.nodes(t.layers[l][lo:hi], t.layers[l+1][2*lo:2*hi], e)
		})
	}
}

// hashRows returns the digests of the rows of all matrices of height 2^l, or nil if there are none.
func (t *Tree) hashRows(l int) []Digest {
	if t.columns[l] == nil {
		return nil
	}
	digests := make([]Digest, 1<<l)
	t.pool.For(1<<l, 1<<logGrain, func(lo, hi int) { t.hash.rows(digests[lo:hi], t.columns[l], lo) })
	return digests
}

// block is the part of the lower layers that a worker computes at a time: 2^logLeaves leaves and the nodes above them,
// up to the largest stored layer.
type block struct {
	tree      *Tree
	logLeaves int
	layers    [][]Digest // by log size of the tree's layer
	extra     []Digest
}

func (t *Tree) newBlock(logLeaves int) *block {
	top := t.shape.LogHeight()
	b := &block{tree: t, logLeaves: logLeaves, layers: make([][]Digest, top+1), extra: make([]Digest, 1<<logLeaves)}
	for l := t.stored; l <= top; l++ {
		b.layers[l] = make([]Digest, 1<<(logLeaves-(top-l)))
	}
	return b
}

// hash computes block i.
func (b *block) hash(i int) {
	top := len(b.layers) - 1
	b.tree.hash.rows(b.layers[top], b.tree.columns[top], i<<b.logLeaves)
	for l := top - 1; l >= b.tree.stored; l-- {
		nodes, extra := b.layers[l], []Digest(nil)
		if columns := b.tree.columns[l]; columns != nil {
			extra = b.extra[:len(nodes)]
			b.tree.hash.rows(extra, columns, i*len(nodes))
		}
		b.tree.hash.nodes(nodes, b.layers[l+1], extra)
	}
}

func shapeOf(kind Kind, matrices []Matrix, capHeight int) (Shape, error) {
	shape := Shape{Kind: kind, CapHeight: capHeight}
	for m, matrix := range matrices {
		height := 0
		if len(matrix) > 0 {
			height = len(matrix[0])
		}
		for c, column := range matrix {
			if len(column) != height {
				return Shape{}, fmt.Errorf("merkle: matrix %d: column 0 has %d rows, column %d has %d", m, height, c, len(column))
			}
		}
		if bits.OnesCount(uint(height)) != 1 {
			return Shape{}, fmt.Errorf("merkle: matrix %d has %d rows, want a power of two", m, height)
		}
		shape.LogHeights = append(shape.LogHeights, bits.Len(uint(height))-1)
		shape.Widths = append(shape.Widths, len(matrix))
	}
	return shape, shape.Validate()
}

// Shape returns the tree's public form.
func (t *Tree) Shape() Shape { return t.shape }

// Cap returns the commitment. The caller must not modify it.
func (t *Tree) Cap() []Digest { return t.layers[t.shape.LogCap()] }

// Opening is the data that a plan requests: row k of Rows[m] is row plan.Rows[m][k] of matrix m, and Siblings[i] is the
// digest of node plan.Siblings[i].
type Opening struct {
	Rows     []Rows
	Siblings []Digest
}

// Rows are rows of one matrix, concatenated as in the encoding.
type Rows struct {
	Width int // elements per row
	Cells []goldilocks.Element
}

// Count returns the number of rows.
func (r Rows) Count() int {
	if r.Width == 0 {
		return 0
	}
	return len(r.Cells) / r.Width
}

// Row returns row k.
func (r Rows) Row(k int) []goldilocks.Element {
	return r.Cells[k*r.Width : (k+1)*r.Width : (k+1)*r.Width]
}

// Open returns the opening for a plan for this tree's shape.
func (t *Tree) Open(plan *Plan) Opening {
	opening := Opening{
		Rows:     make([]Rows, len(t.matrices)),
		Siblings: make([]Digest, len(plan.Siblings)),
	}
	for m, matrix := range t.matrices {
		width := len(matrix)
		words := make([]goldilocks.Element, width*len(plan.Rows[m]))
		opening.Rows[m] = Rows{width, words}
		// Column by column: one column fits into the TLB, a row does not.
		t.pool.For(width, grainColumns, func(lo, hi int) {
			for c, column := range matrix[lo:hi] {
				for k, x := range plan.Rows[m] {
					words[k*width+lo+c] = column[x]
				}
			}
		})
	}
	t.openSiblings(opening.Siblings, plan.Siblings)
	return opening
}

// openSiblings copies digests of stored layers, and recomputes the others together with everything below the same node
// of the largest stored layer.
func (t *Tree) openSiblings(to []Digest, nodes []uint64) {
	below := map[int][]int{} // by stored node: the requested nodes below it
	for i, node := range nodes {
		logSize, index := layerOf(node)
		if logSize <= t.stored {
			to[i] = t.layers[logSize][index]
			continue
		}
		over := int(index >> (logSize - t.stored))
		below[over] = append(below[over], i)
	}
	list := slices.Collect(maps.Keys(below))
	logLeaves := t.shape.LogHeight() - t.stored
	t.pool.For(len(list), 1, func(lo, hi int) {
		b := t.newBlock(logLeaves)
		for _, over := range list[lo:hi] {
			b.hash(over)
			for _, i := range below[over] {
				logSize, index := layerOf(nodes[i])
				layer := b.layers[logSize]
				to[i] = layer[index%uint64(len(layer))]
			}
		}
	})
}

// layerOf returns the log size of a node's layer, and its index there.
func layerOf(node uint64) (logSize int, index uint64) {
	logSize = bits.Len64(node) - 1
	return logSize, node - 1<<logSize
}

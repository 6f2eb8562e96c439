package merkle

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Digest is a node of a tree.
type Digest = keccak.Digest

// Matrix is a matrix by columns, all of one power-of-two length.
type Matrix [][]goldilocks.Element

// Tree is a commitment with what it takes to open it: the matrices, which it
// shares with the caller and which must not change, and its layers.
type Tree struct {
	pool     *parallel.Pool
	shape    Shape
	matrices []Matrix
	layers   [][]Digest // layers[l] has 2^l digests; nil below the cap
}

// grainRows is how many digests a worker computes at a time, grainColumns from
// how many columns it takes opened rows: eight lie in one cache line of a row.
const (
	grainRows    = 64
	grainColumns = 8
)

// Build commits to the matrices.
func Build(pool *parallel.Pool, matrices []Matrix, capHeight int) (*Tree, error) {
	shape, err := shapeOf(matrices, capHeight)
	if err != nil {
		return nil, err
	}
	t := &Tree{pool: pool, shape: shape, matrices: matrices, layers: make([][]Digest, shape.LogHeight()+1)}
	top := shape.LogHeight()
	t.layers[top] = t.hashRows(pool, top)
	for l := top - 1; l >= shape.LogCap(); l-- {
		t.layers[l] = make([]Digest, 1<<l)
		extra := t.hashRows(pool, l)
		pool.For(1<<l, grainRows, func(lo, hi int) {
			var e []Digest
			if extra != nil {
				e = extra[lo:hi]
			}
			keccak.HashNodes(t.layers[l][lo:hi], t.layers[l+1][2*lo:2*hi], e)
		})
	}
	return t, nil
}

// hashRows is the digests of the rows of all matrices of height 2^l, nil when
// there are none.
func (t *Tree) hashRows(pool *parallel.Pool, l int) []Digest {
	var columns [][]goldilocks.Element
	for _, m := range t.shape.matricesOf(l) {
		columns = append(columns, t.matrices[m]...)
	}
	if columns == nil {
		return nil
	}
	digests := make([]Digest, 1<<l)
	pool.For(1<<l, grainRows, func(lo, hi int) {
		keccak.HashRows(digests[lo:hi], columns, lo)
	})
	return digests
}

func shapeOf(matrices []Matrix, capHeight int) (Shape, error) {
	shape := Shape{CapHeight: capHeight}
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

// Shape is the tree's public form.
func (t *Tree) Shape() Shape { return t.shape }

// Cap is the commitment. The caller must not change it.
func (t *Tree) Cap() []Digest { return t.layers[t.shape.LogCap()] }

// Opening is what a plan asks for: row k of Rows[m] is row plan.Rows[m][k] of matrix
// m, and Siblings[i] the digest at plan.Siblings[i].
type Opening struct {
	Rows     []Rows
	Siblings []Digest
}

// Rows are some rows of one matrix, one behind the other: as they are encoded, without a header for each.
type Rows struct {
	Width int // elements of a row
	Cells []goldilocks.Element
}

// Count is the number of rows.
func (r Rows) Count() int {
	if r.Width == 0 {
		return 0
	}
	return len(r.Cells) / r.Width
}

// Row is row k.
func (r Rows) Row(k int) []goldilocks.Element {
	return r.Cells[k*r.Width : (k+1)*r.Width : (k+1)*r.Width]
}

// Open answers a plan made for this tree's shape.
func (t *Tree) Open(plan *Plan) Opening {
	opening := Opening{
		Rows:     make([]Rows, len(t.matrices)),
		Siblings: make([]Digest, len(plan.Siblings)),
	}
	for m, matrix := range t.matrices {
		width := len(matrix)
		words := make([]goldilocks.Element, width*len(plan.Rows[m]))
		opening.Rows[m] = Rows{width, words}
		// By columns: a column is within reach of the TLB, a row is not.
		t.pool.For(width, grainColumns, func(lo, hi int) {
			for c, column := range matrix[lo:hi] {
				for k, x := range plan.Rows[m] {
					words[k*width+lo+c] = column[x]
				}
			}
		})
	}
	for i, node := range plan.Siblings {
		opening.Siblings[i] = t.layers[node.LogSize][node.Index]
	}
	return opening
}

package cpu

import (
	"fmt"
	"runtime/debug"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// layer is a committed FRI codeword, as the matrix whose rows are the tree's leaves. Row i holds the 2^logArity entries
// from i<<logArity on, with a column for each entry and coordinate.
type layer struct {
	logArity int
	matrix   [][]goldilocks.Element
	memory   loan // backs the matrix; taken over from the codeword
	tree     *merkle.Tree
}

// codeword is an FRI codeword with its memory.
type codeword struct {
	goldilocks.ExtensionVector
	loan
}

// takeCodeword lends a codeword of uninitialized memory.
func (p *proof) takeCodeword(size int) *codeword {
	each := coordinateElements(p.shape, size)
	made := &codeword{loan: p.workspace.take(protocol.ExtensionDegree * each)}
	for k := range made.C {
		made.C[k] = made.words[k*each:][:size:size]
	}
	return made
}

// coordinateElements returns the memory of one coordinate of a codeword, including room for the columns of a layer's
// matrix.
func coordinateElements(shape *protocol.Shape, size int) int {
	return size + columnGap<<shape.Params.LogArity
}

// noPhase stands in for the phase of an FRI tree.
const noPhase = protocol.Phase(protocol.PhaseCount)

// Commit turns the codeword into rows, in place, and builds their tree.
func (p *foldable) Commit(logArity int) ([]merkle.Digest, backend.Layer, error) {
	if logArity < 1 || p.current.Len()>>logArity < 1 {
		return nil, nil, fmt.Errorf("cpu: commit to an FRI layer: rows of 2^%d of %d entries", logArity, p.current.Len())
	}
	made := p.rowsOf(p.current, logArity)
	tree, err := p.owner.build(noPhase, []merkle.Matrix{made.matrix})
	if err != nil {
		return nil, nil, fmt.Errorf("commit to an FRI layer: %w", err)
	}
	made.tree = tree
	p.layers = append(p.layers, made)
	return tree.Cap(), &layerStage{p.folding}, nil
}

// rowsOf turns a codeword into a layer's matrix in the same memory, with 2^logArity consecutive entries in a row:
// column 3j+k holds coordinate k of entry j of each row.
func (p *proof) rowsOf(from *codeword, logArity int) *layer {
	arity, rows := 1<<logArity, from.Len()>>logArity
	made := &layer{logArity: logArity, matrix: make([][]goldilocks.Element, 3*arity), memory: from.loan}
	copied := p.workspace.take(from.Len())
	defer p.workspace.give(&copied)
	each := coordinateElements(p.shape, from.Len())
	for k, coordinate := range from.C {
		p.pool.For(len(coordinate), sumBlock, func(lo, hi int) { copy(copied.words[lo:hi], coordinate[lo:hi]) })
		for j := range arity {
			made.matrix[3*j+k] = from.words[k*each+j*stride(rows):][:rows:rows]
		}
		p.pool.For(rows, sumBlock, func(lo, hi int) {
			for row := lo; row < hi; row++ {
				for j, e := range copied.words[row*arity : (row+1)*arity] {
					made.matrix[3*j+k][row] = e
				}
			}
		})
	}
	return made
}

// Fold folds the last layer's rows and adds the codeword of the new size, if there is one.
func (p *layerStage) Fold(beta goldilocks.Extension) (backend.Codeword, error) {
	from := p.layers[len(p.layers)-1]
	result := p.takeCodeword(len(from.matrix[0]))
	blocks := newFreeList(func() *foldBlock { return newFoldBlock(from.logArity) })
	inBlocks(p.pool, result.Len(), sumBlock, func(lo, hi int) {
		b := blocks.take()
		defer blocks.put(b)
		b.fold(result.Slice(lo, hi), from, lo, beta)
	})
	if joining, ok := p.joining[result.Len()]; ok {
		power := beta.Exp(1 << from.logArity)
		inBlocks(p.pool, result.Len(), sumBlock, func(lo, hi int) {
			b := blocks.take()
			defer blocks.put(b)
			term := b.difference.Slice(0, hi-lo)
			term.Scale(joining.Slice(lo, hi), power)
			target := result.Slice(lo, hi)
			target.Add(target, term)
		})
		p.workspace.give(&joining.loan)
		delete(p.joining, result.Len())
	}
	return &foldable{p.folding, result}, nil
}

// foldBlock is the scratch memory of a worker for a block of rows.
type foldBlock struct {
	entries       []goldilocks.ExtensionVector // of a row
	inversePoints []goldilocks.Element
	difference    goldilocks.ExtensionVector
}

func newFoldBlock(logArity int) *foldBlock {
	b := &foldBlock{entries: make([]goldilocks.ExtensionVector, 1<<logArity),
		inversePoints: make([]goldilocks.Element, sumBlock), difference: goldilocks.NewExtensionVector(sumBlock)}
	for j := range b.entries {
		b.entries[j] = goldilocks.NewExtensionVector(sumBlock)
	}
	return b
}

// fold folds the rows from first on into dst. Entries j and j+1 of a row, j even, hold f(y) and f(-y) with y =
// w^rev(arity*row+j), and become (f(y)+f(-y))/2 + beta (f(y)-f(-y))/(2y). This is repeated for all rows at once, pair
// by pair, until one entry is left.
func (b *foldBlock) fold(dst goldilocks.ExtensionVector, from *layer, first int, beta goldilocks.Extension) {
	rows := dst.Len()
	entries := make([]goldilocks.ExtensionVector, len(b.entries))
	for j := range entries {
		entries[j] = b.entries[j].Slice(0, rows)
		for k := range entries[j].C {
			copy(entries[j].C[k], from.matrix[3*j+k][first:first+rows])
		}
	}
	inversePoints, difference := b.inversePoints[:rows], b.difference.Slice(0, rows)
	for logPairs := from.logArity - 1; logPairs >= 0; logPairs-- {
		// In y^-1 = product over the set bits k of the pair's number of root(k+2)^-1, the low logPairs bits are the pair's
		// index within its row, and the others are the row's number.
		fillInverseRowPoints(inversePoints, first, logPairs)
		for pair := range 1 << logPairs {
			here, opposite := entries[2*pair], entries[2*pair+1]
			difference.Sub(here, opposite)
			difference.MulBase(difference, inversePoints)
			difference.Scale(difference, beta.MulBase(inverseBitPoint(uint64(pair), 0).Mul(goldilocks.OneHalf)))
			entries[pair].Add(here, opposite)
			entries[pair].ScaleBase(entries[pair], goldilocks.OneHalf)
			entries[pair].Add(entries[pair], difference)
		}
		beta = beta.Square()
	}
	dst.Copy(entries[0])
}

// inverseBitPoint returns the product of root(k+shift+2)^-1 over the set bits k of bits.
func inverseBitPoint(bits uint64, shift int) goldilocks.Element {
	product := goldilocks.Element(1)
	for k := 0; bits>>k != 0; k++ {
		if bits>>k&1 == 1 {
			product = product.Mul(goldilocks.RootOfUnity(k + shift + 2))
		}
	}
	return product.Inverse()
}

// fillInverseRowPoints sets dst[i] to inverseBitPoint(first+i, shift).
func fillInverseRowPoints(dst []goldilocks.Element, first, shift int) {
	for i := 0; i < len(dst); {
		// The numbers of the largest aligned run from first+i on share the high bits. The low bits are filled in by doubling.
		start := first + i
		run := 1
		for start&(2*run-1) == 0 && i+2*run <= len(dst) {
			run *= 2
		}
		dst[i] = inverseBitPoint(uint64(start), shift)
		for k := 0; 1<<k < run; k++ {
			half := 1 << k
			goldilocks.ScaleVector(dst[i+half:i+2*half], dst[i:i+half], goldilocks.RootOfUnity(k+shift+2).Inverse())
		}
		i += run
	}
}

// Final interpolates the codeword.
func (p *foldable) Final() ([]goldilocks.Extension, backend.Queries, error) {
	polynomial := goldilocks.NewExtensionVector(p.current.Len())
	polynomial.Copy(p.current.ExtensionVector)
	ntt.InverseBitReversed(p.pool, polynomial.C[:])
	coefficients := make([]goldilocks.Extension, polynomial.Len()>>p.shape.Params.LogBlowup)
	for i := range coefficients {
		coefficients[i] = polynomial.At(i)
	}
	if p.owner.once {
		// The opened rows follow, megabytes on top of the peak. Free what the stages left in the heap to make room for them.
		debug.FreeOSMemory()
	}
	return coefficients, &queries{p.folding}, nil
}

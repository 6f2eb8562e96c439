package fri

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Folding is the codewords of a proof by log size, and the committed layers. The codewords are the current one, which
// is the largest, and those that will join it.
type Folding struct {
	trees      tree.Trees
	transforms *kernels.Transforms
	shape      *protocol.Shape
	scope      *cuda.Scope
	logSize    int
	words      map[int]*cuda.Buffer
	layers     []*layer
	records    *cuda.Buffer // of all layers; nil with Keccak-256
	ahead      *ahead       // nil if the host draws the challenges
}

// layer is a committed codeword. Its rows are read in place: row i holds the 2^logArity entries from i*2^logArity on.
// Once the codeword is folded, its memory belongs to the layer.
type layer struct {
	scope    *cuda.Scope
	logArity int
	logSize  int
	codeword kernels.Columns
	tree     kernels.Tree
}

// New takes memory for the codewords of a proof, which the caller writes.
func New(trees tree.Trees, transforms *kernels.Transforms, shape *protocol.Shape) (*Folding, error) {
	f := &Folding{trees: trees, transforms: transforms, shape: shape, scope: trees.Arena.Scope("codewords"),
		logSize: shape.MaxLogSize()}
	var err error
	if f.words, err = TakeCodewords(f.scope, shape); err == nil {
		f.records, err = TakeRecords(f.scope, shape)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Codeword returns the codeword of a log size.
func (f *Folding) Codeword(logSize int) kernels.Columns { return Columns(f.words[logSize], logSize) }

// Layers returns the number of committed layers.
func (f *Folding) Layers() int { return len(f.layers) }

// Layer returns committed layer i with its tree, for opening.
func (f *Folding) Layer(i int) *tree.Matrices {
	l := f.layers[i]
	return &tree.Matrices{Tree: l.tree, Rows: []kernels.Matrix{l.codeword.Entries(l.logArity)}}
}

// Commit builds the tree over the current codeword's rows, in place, and returns its cap.
func (f *Folding) Commit(logArity int) ([]merkle.Digest, error) {
	if f.ahead != nil {
		return f.commitAhead(logArity)
	}
	l, err := f.hash(logArity)
	if err != nil {
		return nil, err
	}
	return f.trees.Cap(l.tree)
}

// hash queues the hashing of a layer: the tree over the current codeword's rows.
func (f *Folding) hash(logArity int) (*layer, error) {
	l := &layer{scope: f.trees.Arena.Scope("layer"), logArity: logArity, logSize: f.logSize,
		codeword: f.Codeword(f.logSize)}
	f.layers = append(f.layers, l)
	if logArity < 1 || logArity > min(kernels.MaxLogArity, l.logSize) {
		return nil, errors.New("commit to an FRI layer: rows of 2^1 to 2^4 entries of the codeword are committed")
	}
	rows, err := l.codeword.Interleaved(logArity)
	if err != nil {
		return nil, err
	}
	if l.tree, err = TakeLayer(l.scope, f.shape, l.logSize, logArity); err != nil {
		return nil, err
	}
	return l, f.trees.HashExtension(l.tree, rows)
}

// Fold folds the last layer's rows and adds the codeword of the new size.
func (f *Folding) Fold(beta goldilocks.Extension) error {
	if f.ahead != nil {
		return f.foldedAhead(beta)
	}
	factor := kernels.Extension{uint64(beta[0]), uint64(beta[1]), uint64(beta[2])}
	return f.fold(func(out, in, joining kernels.Columns, logArity int) error {
		return f.transforms.Fold(f.trees.Device.Stream, out, in, joining, f.logSize, logArity, factor)
	})
}

// fold queues a fold of the last layer's rows. The memory of the codeword that is folded moves to the layer, whose rows
// it holds.
func (f *Folding) fold(queue func(out, in, joining kernels.Columns, logArity int) error) error {
	from := f.layers[len(f.layers)-1]
	logSize := f.logSize - from.logArity
	folded, err := TakeFolded(f.scope, logSize)
	if err != nil {
		return err
	}
	joined, joins := f.words[logSize]
	var joining kernels.Columns
	if joins {
		joining = Columns(joined, logSize)
	}
	if err := queue(Columns(folded, logSize), from.codeword, joining, from.logArity); err != nil {
		return errors.Join(err, f.trees.Arena.Return(folded))
	}
	if err := f.scope.Move(f.words[f.logSize], from.scope); err != nil {
		return err
	}
	if joins {
		// Later work on the stream may reuse the memory, because the fold that reads it is queued before.
		if err := f.trees.Arena.Return(joined); err != nil {
			return err
		}
	}
	delete(f.words, f.logSize)
	f.logSize, f.words[logSize] = logSize, folded
	return nil
}

// Final interpolates the current codeword.
func (f *Folding) Final(scope *cuda.Scope) ([]goldilocks.Extension, error) {
	memory, err := TakeFinal(scope, f.logSize)
	if err != nil {
		return nil, err
	}
	polynomial, work := Columns(memory.coefficients, f.logSize), Columns(memory.work, f.logSize)
	current := f.Codeword(f.logSize)
	if err := f.transforms.Interpolate(f.trees.Device.Stream, polynomial, current, work, f.logSize,
		kernels.Reversed, false); err != nil {
		return nil, err
	}
	words, err := f.trees.Device.Transfer.Download(polynomial.Span)
	if err != nil {
		return nil, err
	}
	size := len(words) / protocol.ExtensionDegree
	coefficients := make([]goldilocks.Extension, size>>f.shape.Params.LogBlowup)
	for i := range coefficients {
		for k := range protocol.ExtensionDegree {
			coefficients[i][k] = goldilocks.Element(words[k*size+i])
		}
	}
	return coefficients, nil
}

// Close returns the memory of codewords and layers.
func (f *Folding) Close() error {
	var err error
	for _, layer := range f.layers {
		err = errors.Join(err, layer.scope.End())
	}
	return errors.Join(err, f.scope.End())
}

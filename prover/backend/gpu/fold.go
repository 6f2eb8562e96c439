package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// CommitLayer builds the tree over the current codeword's rows, which are read where they are.
func (b *Backend) CommitLayer(ctx backend.Context, h backend.Codewords, logArity int) (backend.Layer, []merkle.Digest, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	own, err := c.codewords(h)
	if err != nil {
		return nil, nil, err
	}
	result := &layer{state: state{context: c, scope: c.arena.Scope("layer")}, logArity: logArity, logSize: own.logSize, codeword: own.current()}
	var digests []merkle.Digest
	err = c.stage("fold", func(*cuda.Scope) error {
		if digests, err = c.commitLayer(result); err != nil {
			result.release(c)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return result, digests, nil
}

// takeLayer takes a layer's tree. Its codeword is there already.
func takeLayer(scope *cuda.Scope, shape *backend.Shape, logSize, logArity int) (kernels.Tree, error) {
	own := layerShape(shape, logSize, logArity)
	tree := kernels.Tree{LogHeight: own.LogHeight(), LogCap: own.LogCap()}
	nodes, err := scope.Take("layer tree", kernels.TreeBytes(tree.LogHeight))
	if err == nil {
		tree.Nodes = nodes.All()
	}
	return tree, err
}

// layerShape is the shape of the tree over rows of 2^logArity entries.
func layerShape(shape *backend.Shape, logSize, logArity int) merkle.Shape {
	return merkle.Shape{LogHeights: []int{logSize - logArity}, Widths: []int{backend.ExtensionDegree << logArity}, CapHeight: shape.CapHeight}
}

func (c *proverContext) commitLayer(l *layer) (digests []merkle.Digest, err error) {
	if l.logArity < 1 || l.logArity > min(kernels.MaxLogArity, l.logSize) {
		return nil, errors.New("commit to an FRI layer: rows of 2^1 to 2^4 entries of the codeword are committed")
	}
	if l.tree, err = takeLayer(l.scope, &c.shape, l.logSize, l.logArity); err != nil {
		return nil, err
	}
	l.size = l.tree.Nodes.Size()
	rows, errRows := l.codeword.Interleaved(l.logArity)
	leaves, errLeaves := l.tree.Layer(l.tree.LogHeight)
	if err := errors.Join(errRows, errLeaves); err != nil {
		return nil, err
	}
	if err := c.set.HashRows(c.stream, leaves, rows, 1<<l.tree.LogHeight); err != nil {
		return nil, err
	}
	if err := c.set.HashTree(c.stream, l.tree, nil); err != nil {
		return nil, err
	}
	return c.treeCap(l.tree)
}

// Fold folds the layer's rows, adds the codeword of the new size, and leaves the folded codeword to the layer, whose rows it
// holds.
func (b *Backend) Fold(ctx backend.Context, h backend.Codewords, l backend.Layer, beta goldilocks.Extension) error {
	c, err := b.context(ctx)
	if err != nil {
		return err
	}
	own, err := c.codewords(h)
	if err != nil {
		return err
	}
	from, err := c.layer(l)
	if err != nil {
		return err
	}
	if from.codeword != own.current() {
		return errors.New("fold: the layer is not of the current codeword")
	}
	return c.stage("fold", func(*cuda.Scope) error { return c.fold(own, from, beta) })
}

func (c *proverContext) fold(own *codewords, from *layer, beta goldilocks.Extension) error {
	logSize := own.logSize - from.logArity
	folded, err := takeFold(own.scope, logSize)
	if err != nil {
		return err
	}
	var joining kernels.Columns
	if buffer, ok := own.words[logSize]; ok {
		joining = codewordColumns(buffer, logSize)
	}
	err = c.transforms.Fold(c.stream, codewordColumns(folded, logSize), from.codeword, joining, own.logSize, from.logArity, kernelExtension(beta))
	if err != nil {
		return errors.Join(err, c.arena.Return(folded))
	}
	old := own.words[own.logSize]
	if err := own.scope.Move(old, from.scope); err != nil {
		return err
	}
	from.size += old.Size()
	own.size -= old.Size()
	if joined, ok := own.words[logSize]; ok {
		// What follows on the stream may have the memory: the fold that reads it is queued before.
		own.size -= joined.Size()
		if err := c.arena.Return(joined); err != nil {
			return err
		}
	}
	delete(own.words, own.logSize)
	own.logSize, own.words[logSize] = logSize, folded
	own.size += folded.Size()
	return nil
}

// takeFold takes a folded codeword.
func takeFold(scope *cuda.Scope, logSize int) (*cuda.Buffer, error) {
	return scope.Take("folded codeword", codewordBytes(logSize))
}

// finalMemory is the working memory of the final polynomial.
type finalMemory struct {
	coefficients, work *cuda.Buffer
}

func takeFinal(scope *cuda.Scope, logSize int) (*finalMemory, error) {
	var t taker
	m := &finalMemory{
		coefficients: t.buffer(scope, "final polynomial", codewordBytes(logSize)),
		work:         t.buffer(scope, "work space of the final polynomial", codewordBytes(logSize)),
	}
	return m, t.err
}

// Final interpolates the current codeword.
func (b *Backend) Final(ctx backend.Context, h backend.Codewords) (coefficients []goldilocks.Extension, err error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	own, err := c.codewords(h)
	if err != nil {
		return nil, err
	}
	err = c.stage("fold", func(scope *cuda.Scope) error {
		memory, err := takeFinal(scope, own.logSize)
		if err != nil {
			return err
		}
		polynomial := codewordColumns(memory.coefficients, own.logSize)
		if err := c.transforms.Interpolate(c.stream, polynomial, own.current(), codewordColumns(memory.work, own.logSize), own.logSize, kernels.Reversed, false); err != nil {
			return err
		}
		words, err := c.download(polynomial.Span)
		if err != nil {
			return err
		}
		size := len(words) / backend.ExtensionDegree
		coefficients = make([]goldilocks.Extension, size>>c.shape.LogBlowup)
		for i := range coefficients {
			for k := range backend.ExtensionDegree {
				coefficients[i][k] = goldilocks.Element(words[k*size+i])
			}
		}
		return nil
	})
	return coefficients, err
}

package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// layer is a committed FRI codeword. Its rows are read in place: row i holds entries i*2^logArity and following. Once it is
// folded the codeword's memory is the layer's.
type layer struct {
	scope    *cuda.Scope
	logArity int
	logSize  int
	codeword kernels.Columns
	tree     kernels.Tree
}

// CommitLayer builds the tree over the current codeword's rows, which are read where they are.
func (p *proof) CommitLayer(logArity int) (digests []merkle.Digest, err error) {
	err = p.step(backend.StepCommitLayer, "fold", func(*cuda.Scope) error {
		own := p.codewords
		l := &layer{scope: p.arena.Scope("layer"), logArity: logArity, logSize: own.logSize, codeword: own.current()}
		p.layers = append(p.layers, l)
		digests, err = p.commitLayer(l)
		return err
	})
	return digests, err
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
	return merkle.Shape{LogHeights: []int{logSize - logArity}, Widths: []int{backend.ExtensionDegree << logArity}, CapHeight: shape.Params.CapHeight}
}

func (p *proof) commitLayer(l *layer) (digests []merkle.Digest, err error) {
	if l.logArity < 1 || l.logArity > min(kernels.MaxLogArity, l.logSize) {
		return nil, errors.New("commit to an FRI layer: rows of 2^1 to 2^4 entries of the codeword are committed")
	}
	if l.tree, err = takeLayer(l.scope, p.shape, l.logSize, l.logArity); err != nil {
		return nil, err
	}
	rows, errRows := l.codeword.Interleaved(l.logArity)
	leaves, errLeaves := l.tree.Layer(l.tree.LogHeight)
	if err := errors.Join(errRows, errLeaves); err != nil {
		return nil, err
	}
	if err := p.set.HashRows(p.device.Stream, leaves, rows, 1<<l.tree.LogHeight); err != nil {
		return nil, err
	}
	if err := p.set.HashTree(p.device.Stream, l.tree, nil); err != nil {
		return nil, err
	}
	return p.treeCap(l.tree)
}

// Fold folds the last layer's rows, adds the codeword of the new size, and leaves the folded codeword to the layer, whose rows
// it holds.
func (p *proof) Fold(beta goldilocks.Extension) error {
	return p.step(backend.StepFold, "fold", func(*cuda.Scope) error { return p.fold(p.layers[len(p.layers)-1], beta) })
}

func (p *proof) fold(from *layer, beta goldilocks.Extension) error {
	own := p.codewords
	logSize := own.logSize - from.logArity
	folded, err := takeFold(own.scope, logSize)
	if err != nil {
		return err
	}
	var joining kernels.Columns
	if buffer, ok := own.words[logSize]; ok {
		joining = codewordColumns(buffer, logSize)
	}
	err = p.transforms.Fold(p.device.Stream, codewordColumns(folded, logSize), from.codeword, joining, own.logSize, from.logArity, kernelExtension(beta))
	if err != nil {
		return errors.Join(err, p.arena.Return(folded))
	}
	old := own.words[own.logSize]
	if err := own.scope.Move(old, from.scope); err != nil {
		return err
	}
	if joined, ok := own.words[logSize]; ok {
		// What follows on the stream may have the memory: the fold that reads it is queued before.
		if err := p.arena.Return(joined); err != nil {
			return err
		}
	}
	delete(own.words, own.logSize)
	own.logSize, own.words[logSize] = logSize, folded
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
func (p *proof) Final() (coefficients []goldilocks.Extension, err error) {
	err = p.step(backend.StepFinal, "fold", func(scope *cuda.Scope) error {
		own := p.codewords
		memory, err := takeFinal(scope, own.logSize)
		if err != nil {
			return err
		}
		polynomial := codewordColumns(memory.coefficients, own.logSize)
		if err := p.transforms.Interpolate(p.device.Stream, polynomial, own.current(), codewordColumns(memory.work, own.logSize), own.logSize, kernels.Reversed, false); err != nil {
			return err
		}
		words, err := p.download(polynomial.Span)
		if err != nil {
			return err
		}
		size := len(words) / backend.ExtensionDegree
		coefficients = make([]goldilocks.Extension, size>>p.shape.Params.LogBlowup)
		for i := range coefficients {
			for k := range backend.ExtensionDegree {
				coefficients[i][k] = goldilocks.Element(words[k*size+i])
			}
		}
		return nil
	})
	return coefficients, err
}

// takeGrind takes the word in which the smallest nonce is found.
func takeGrind(scope *cuda.Scope) (*cuda.Buffer, error) { return scope.Take("nonce", wordBytes) }

// Grind searches launch by launch, each over the next nonces.
func (p *proof) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	err = p.step(backend.StepGrind, "grind", func(scope *cuda.Scope) error {
		nonce, err = p.grind(scope, seed, bits)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return nonce, nonce + 1, nil
}

func (p *proof) grind(scope *cuda.Scope, seed [32]byte, bits int) (nonce uint64, err error) {
	word, err := takeGrind(scope)
	if err != nil {
		return 0, err
	}
	return p.set.Grind(p.device.Stream, word.All(), p.device.Transfer.Word, seed, bits)
}

package fri

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// bytes returns the memory of an extension column with 2^logSize entries.
func bytes(logSize int) uint64 { return protocol.ExtensionDegree * device.WordBytes << logSize }

// Columns returns the extension column with 2^logSize entries in a buffer.
func Columns(buffer *cuda.Buffer, logSize int) kernels.Columns {
	return kernels.Columns{Span: buffer.All(), Stride: 1 << logSize, Count: protocol.ExtensionDegree}
}

// TakeCodewords takes the codeword of every height, by log size.
func TakeCodewords(scope *cuda.Scope, shape *protocol.Shape) (map[int]*cuda.Buffer, error) {
	var t device.Taker
	words := make(map[int]*cuda.Buffer)
	for _, class := range shape.Classes {
		logSize := class.LogHeight + shape.Params.LogBlowup
		words[logSize] = t.Buffer(scope, "codeword", bytes(logSize))
	}
	return words, t.Err
}

// TakeLayer takes memory for a layer's tree. The codeword already has memory.
func TakeLayer(scope *cuda.Scope, shape *protocol.Shape, logSize, logArity int) (kernels.Tree, error) {
	own := merkle.Shape{LogHeights: []int{logSize - logArity}, Widths: []int{protocol.ExtensionDegree << logArity},
		CapHeight: shape.Params.CapHeight}
	var t device.Taker
	nodes := t.Take(scope, "layer tree", kernels.TreeBytes(own.LogHeight()))
	return tree.Of(own, nodes), t.Err
}

// TakeFolded takes a folded codeword.
func TakeFolded(scope *cuda.Scope, logSize int) (*cuda.Buffer, error) {
	return scope.Take("folded codeword", bytes(logSize))
}

// FinalMemory is the working memory of the final polynomial.
type FinalMemory struct {
	coefficients, work *cuda.Buffer
}

// TakeFinal takes the working memory of the final polynomial.
func TakeFinal(scope *cuda.Scope, logSize int) (*FinalMemory, error) {
	var t device.Taker
	m := &FinalMemory{
		coefficients: t.Buffer(scope, "final polynomial", bytes(logSize)),
		work:         t.Buffer(scope, "work space of the final polynomial", bytes(logSize)),
	}
	return m, t.Err
}

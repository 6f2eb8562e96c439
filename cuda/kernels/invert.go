package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// invertedPerBlock is the number of elements of a block of invert.cu.
const invertedPerBlock = 1024

// InvertBase writes the inverses of n elements; out may be in. Zeros give zero, and their number is added to the word
// zeros.
func (s *Set) InvertBase(stream *cuda.Stream, out, in cuda.Span, n uint64, zeros cuda.Span) error {
	if n == 0 || out.Size()/8 < n || in.Size()/8 < n || zeros.Size() != 8 {
		return fmt.Errorf("inverting %d elements: %d bytes in, %d bytes out", n, in.Size(), out.Size())
	}
	return s.launch(stream, "invert_base", invertShape(n), cuda.Address(out), cuda.Address(in),
		cuda.U64(n), cuda.Address(zeros))
}

// InvertExtension is InvertBase for extension elements, with their coordinates in three columns.
func (s *Set) InvertExtension(stream *cuda.Stream, out, in Columns, n uint64, zeros cuda.Span) error {
	if err := errors.Join(in.checkExtension("inversion input", n), out.checkExtension("inversion output", n)); err != nil {
		return err
	}
	if zeros.Size() != 8 {
		return fmt.Errorf("inverting %d elements: %d bytes for the number of zeros, want 8", n, zeros.Size())
	}
	return s.launch(stream, "invert_extension", invertShape(n), out.argument(), in.argument(),
		cuda.U64(n), cuda.Address(zeros))
}

func invertShape(n uint64) cuda.Shape {
	return cuda.Shape{Grid: cuda.Dim{X: (n-1)/invertedPerBlock + 1}, Block: cuda.Dim{X: 128}}
}

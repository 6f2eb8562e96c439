package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Points writes the points of the extension domain of 2^logSize, the shift times w^rev(i). Those of a smaller domain
// are a prefix.
func (t *Transforms) Points(s *cuda.Stream, out cuda.Span, logSize int) error {
	if logSize < 0 || logSize > MaxLogSize || out.Size()/8 < 1<<logSize {
		return fmt.Errorf("2^%d points of a domain in %d bytes: at most 2^%d are made", logSize, out.Size(), MaxLogSize)
	}
	return t.set.launch(s, "points", cuda.Linear(1<<logSize, 256), cuda.Address(out), t.root.argument(), cuda.U64(t.shift),
		cuda.U32(uint32(logSize)))
}

// distancesPerBlock is how many points a block of points.cu takes.
const distancesPerBlock = 1024

// InverseDistances writes 1/(x-z) for n base points x and a point z outside the base field; x/(x-z) if timesPoint. Out
// is one extension column.
func (s *Set) InverseDistances(stream *cuda.Stream, out Columns, points cuda.Span, z Extension, n uint64,
	timesPoint bool) error {
	if err := errors.Join(out.checkExtension("inverse distances", n), z.checkOutside()); err != nil {
		return err
	}
	if points.Size()/8 < n {
		return fmt.Errorf("inverse distances of %d points in %d bytes", n, points.Size())
	}
	times := uint32(0)
	if timesPoint {
		times = 1
	}
	shape := cuda.Shape{Grid: cuda.Dim{X: (n-1)/distancesPerBlock + 1}, Block: cuda.Dim{X: 128}}
	return s.launch(stream, "inverse_distances", shape, out.argument(), cuda.Address(points), z.argument(),
		cuda.U64(n), cuda.U32(times))
}

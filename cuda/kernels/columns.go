package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Columns is a matrix of field elements in device memory, column after column. An extension column is three base
// columns.
type Columns struct {
	Span   cuda.Span
	Stride uint64 // words from one column to the next
	Count  uint32
}

// check refuses columns of the given height that do not lie inside their span. All in 64 bits, and products are
// checked by division.
func (c Columns) check(what string, height uint64) error {
	if c.Count == 0 || height == 0 {
		return fmt.Errorf("%s: no columns or no rows", what)
	}
	words := c.Span.Size() / 8
	if c.Stride < height && c.Count > 1 {
		return fmt.Errorf("%s: columns of %d rows at a distance of %d words overlap", what, height, c.Stride)
	}
	if height > words || uint64(c.Count-1) > 0 && c.Stride > (words-height)/uint64(c.Count-1) {
		return fmt.Errorf("%s: %d columns of %d rows at a distance of %d do not fit %d words", what, c.Count, height, c.Stride, words)
	}
	return nil
}

// part is the columns from first on, count of them.
func (c Columns) part(first, count uint32, height uint64) (Columns, error) {
	offset := uint64(first) * c.Stride * 8
	span, err := c.Span.Part(offset, (uint64(count-1)*c.Stride+height)*8)
	return Columns{Span: span, Stride: c.Stride, Count: count}, err
}

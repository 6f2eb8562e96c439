package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// Columns is a matrix of field elements in device memory, column by column. An extension column is three base columns.
type Columns struct {
	Span   cuda.Span
	Stride uint64 // words between the starts of two columns
	Count  uint32
}

// check rejects columns of the given height that are not within their span. It computes in 64 bits and checks
// products by division.
func (c Columns) check(what string, height uint64) error {
	if c.Count == 0 || height == 0 {
		return fmt.Errorf("%s: no columns or no rows", what)
	}
	words := c.Span.Size() / 8
	if c.Stride < height && c.Count > 1 {
		return fmt.Errorf("%s: columns of %d rows at a distance of %d words overlap", what, height, c.Stride)
	}
	if height > words || uint64(c.Count-1) > 0 && c.Stride > (words-height)/uint64(c.Count-1) {
		return fmt.Errorf("%s: %d columns of %d rows at a distance of %d do not fit %d words", what, c.Count,
			height, c.Stride, words)
	}
	return nil
}

// Part returns count columns, from column first on.
func (c Columns) Part(first, count uint32, height uint64) (Columns, error) {
	offset := uint64(first) * c.Stride * 8
	span, err := c.Span.Part(offset, (uint64(count-1)*c.Stride+height)*8)
	return Columns{Span: span, Stride: c.Stride, Count: count}, err
}

// array is an extension column as the kernels take it, Fp3Array.
type array struct {
	Words  cuda.Pointer `cuda:"u64 *"`
	Stride uint64       // distance between coordinates
}

var arrayHeader = header.New("goldilocks.cuh").Struct("Fp3Array", array{})

func (c Columns) array() array { return array{c.Span.Pointer(), c.Stride} }

func (c Columns) argument() cuda.Argument { return cuda.Value(c.array()) }

// checkExtension rejects anything but one extension column of the given height.
func (c Columns) checkExtension(what string, height uint64) error {
	if c.Count != 3 {
		return fmt.Errorf("%s: %d columns, an extension column has 3", what, c.Count)
	}
	return c.check(what, height)
}

// Offset returns the start of a column of the given height, in bytes from base, modulo 2^64; kernels that read columns
// of several matrices take offsets. Base is any buffer of the arena. Columns of an even height start at multiples of 16
// bytes.
func (c Columns) Offset(base cuda.Span, number uint32, height uint64) (uint64, error) {
	if number >= c.Count {
		return 0, fmt.Errorf("column %d of a matrix of %d", number, c.Count)
	}
	if err := c.check("listed column", height); err != nil {
		return 0, err
	}
	address := uint64(c.Span.Pointer()) + 8*uint64(number)*c.Stride
	if height%2 == 0 && address%16 != 0 {
		return 0, fmt.Errorf("column %d of %d rows begins within a pair of words, which are read at once: want an even "+
			"stride, not %d", number, height, c.Stride)
	}
	return address - uint64(base.Pointer()), nil
}

// CopyColumns copies the first height words of columns of in to out. Numbers are words on the device that select a
// column of in for each column of out; an empty span selects all in order. The caller must keep the numbers below
// in.Count. Out must not be in.
func (s *Set) CopyColumns(stream *cuda.Stream, out, in Columns, numbers cuda.Span, height uint64) error {
	if err := errors.Join(out.check("copied columns", height), in.check("columns to copy", height)); err != nil {
		return err
	}
	list := cuda.Null()
	if numbers.Size() > 0 {
		list = cuda.Address(numbers)
	}
	if words := numbers.Size() / 8; words != uint64(out.Count) && (words != 0 || out.Count != in.Count) {
		return fmt.Errorf("copying %d columns to %d by %d numbers", in.Count, out.Count, words)
	}
	shape := cuda.Shape{Grid: cuda.Dim{X: (height + 255) / 256, Y: uint64(out.Count)}, Block: cuda.Dim{X: 256}}
	return s.launch(stream, "copy_columns", shape, cuda.Address(out.Span), cuda.U64(out.Stride), cuda.Address(in.Span),
		cuda.U64(in.Stride), list, cuda.U64(height))
}

// PickRows copies the rows of columns of the given height whose numbers, words on the device, are listed. The caller
// must keep the numbers below the height. Out must not be in.
func (s *Set) PickRows(stream *cuda.Stream, out, in Columns, numbers cuda.Span, height uint64) error {
	count := numbers.Size() / 8
	if err := errors.Join(out.check("picked rows", count), in.check("columns to pick rows of", height)); err != nil {
		return err
	}
	if out.Count != in.Count {
		return fmt.Errorf("picking rows of %d columns to %d", in.Count, out.Count)
	}
	shape := cuda.Shape{Grid: cuda.Dim{X: (count + 255) / 256, Y: uint64(out.Count)}, Block: cuda.Dim{X: 256}}
	return s.launch(stream, "pick_rows", shape, cuda.Address(out.Span), cuda.U64(out.Stride), cuda.Address(in.Span),
		cuda.U64(in.Stride), cuda.Address(numbers), cuda.U64(count))
}

package kernels

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// What the kernels of combine.cu take.
type (
	// term is a column, by where it begins in bytes from the base, with its coefficients in both combinations.
	term struct {
		Offset        uint64
		First, Second Extension
		Unused        uint64
	}
	// quotient is a combination with its value at a point outside the base field.
	quotient struct {
		Combination  array     `cuda:"Fp3Array"`
		Point, Value Extension `cuda:"Fp3"`
	}
)

// TermWords is the length of a term in a list of [Set.Combine].
const TermWords = 8

var combineHeader = header.New("array.cuh").Struct("Term", term{}).Struct("Quotient", quotient{})

// AppendTerm adds a term to a list: a column, by its [Columns.Offset], and its coefficients in the first and second
// combination.
func AppendTerm(words []uint64, offset uint64, first, second Extension) []uint64 {
	t := term{Offset: offset, First: first, Second: second}
	return append(words, (*[TermWords]uint64)(unsafe.Pointer(&t))[:]...)
}

// combineThreads is the block size of combine_columns. Where rows are few, so that a device would wait for the loads of
// few threads, combineSlices threads take a share of the terms of the same rows each.
const (
	combineThreads = 128
	combineSlices  = 4
)

// combineSmallRows is how many rows are no longer few. Tests lower it.
var combineSmallRows uint64 = 1 << 17

// Combine writes the sum of the listed columns times their first coefficients and, over the first `both` terms alone,
// that times the second ones. Terms are on the device, by [AppendTerm], with offsets from base. Both results are
// extension columns of n rows, an even number; second is not looked at when both is 0. The caller answers for the
// listed columns having n rows.
func (s *Set) Combine(stream *cuda.Stream, first, second Columns, base, terms cuda.Span, both int, n uint64) error {
	count := terms.Size() / (8 * TermWords)
	if count == 0 || count > 1<<31 || both < 0 || uint64(both) > count || terms.Size()%(8*TermWords) != 0 {
		return fmt.Errorf("combining %d bytes of terms, %d of them in both sums: want 1 to 2^31 terms of %d bytes",
			terms.Size(), both, 8*TermWords)
	}
	if n%2 != 0 {
		return fmt.Errorf("combining columns of %d rows: want an even number, because two are read at a time", n)
	}
	if err := first.checkExtension("first combination", n); err != nil {
		return err
	}
	if both > 0 {
		if err := second.checkExtension("second combination", n); err != nil {
			return err
		}
	}
	slices := uint64(1)
	if n < combineSmallRows {
		slices = combineSlices
	}
	return s.launch(stream, "combine_columns", cuda.Linear(slices*n/2, combineThreads), first.argument(),
		second.argument(), cuda.Address(base), cuda.Address(terms), cuda.U32(uint32(both)), cuda.U32(uint32(count)),
		cuda.U64(n), cuda.U32(uint32(slices)))
}

// Quotient is a combination with its value at a point outside the base field.
type Quotient struct {
	Combination  Columns
	Point, Value Extension
}

func (q *Quotient) check(n uint64) error {
	return errors.Join(q.Combination.checkExtension("combination", n), q.Point.checkOutside(), q.Value.check("value"))
}

func (q *Quotient) argument() cuda.Argument {
	return cuda.Value(quotient{Combination: q.Combination.array(), Point: q.Point, Value: q.Value})
}

// Quotients writes the sum over one or two quotients of (combination - value)/(x - point) for n base points x.
func (s *Set) Quotients(stream *cuda.Stream, out Columns, points cuda.Span, n uint64, quotients ...Quotient) error {
	if len(quotients) < 1 || len(quotients) > 2 {
		return fmt.Errorf("the sum of %d quotients: want 1 or 2", len(quotients))
	}
	err := out.checkExtension("sum of quotients", n)
	for _, q := range quotients {
		err = errors.Join(err, q.check(n))
	}
	if err != nil {
		return err
	}
	if points.Size()/8 < n {
		return fmt.Errorf("quotients at %d points in %d bytes", n, points.Size())
	}
	perBlock := 1024 / uint64(len(quotients))
	shape := cuda.Shape{Grid: cuda.Dim{X: (n-1)/perBlock + 1}, Block: cuda.Dim{X: 128}}
	if len(quotients) == 1 {
		return s.launch(stream, "quotient_of_combination", shape, out.argument(), quotients[0].argument(),
			cuda.Address(points), cuda.U64(n))
	}
	return s.launch(stream, "quotients_of_combinations", shape, out.argument(), quotients[0].argument(),
		quotients[1].argument(), cuda.Address(points), cuda.U64(n))
}

package kernels

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// Arguments of the kernels of dot.cu and combine.cu.
type (
	// term is a column, as its offset in bytes from the base, with its coefficients in both combinations.
	term struct {
		Offset        uint64
		First, Second Extension
		Unused        uint64
	}
	// combinePart is the combinations of a height. Offsets of results are in words.
	combinePart struct {
		First, Second, N               uint64
		FirstTerm, Count, Both, Slices uint32
		FirstBlock, Unused             uint32
	}
	// combinations is the work of one launch.
	combinations struct {
		Parts  cuda.Pointer `cuda:"const CombinePart *"`
		Terms  cuda.Pointer `cuda:"const Term *"`
		Base   cuda.Pointer `cuda:"const u64 *"`
		Out    cuda.Pointer `cuda:"u64 *"`
		Count  uint32
		Unused uint32
	}
	// quotientPoint is a combination, as its offset in words, with its value at a point outside the base field.
	quotientPoint struct {
		Point, Value Extension `cuda:"Fp3"`
		Combination  uint64
	}
	// quotientPart is the sum of one or two quotients of a height.
	quotientPart struct {
		Points            [2]quotientPoint `cuda:"QuotientPoint[]"`
		N                 uint64
		Count, FirstBlock uint32
	}
)

// TermWords is the size of a term in the list of [Set.Combine], in words. TermFirst and TermSecond are the offsets of
// its coefficients, in words.
const (
	TermWords  = uint64(unsafe.Sizeof(term{}) / 8)
	TermFirst  = uint32(unsafe.Offsetof(term{}.First) / 8)
	TermSecond = uint32(unsafe.Offsetof(term{}.Second) / 8)
)

const (
	combinePartWords  = uint64(unsafe.Sizeof(combinePart{}) / 8)
	quotientPartWords = uint64(unsafe.Sizeof(quotientPart{}) / 8)
)

var combineHeader = header.New("array.cuh").Constant("COMBINE_THREADS", combineThreads).
	Constant("QUOTIENT_THREADS", quotientThreads).
	Struct("Term", term{}).Struct("CombinePart", combinePart{}).Struct("Combinations", combinations{}).
	Struct("QuotientPoint", quotientPoint{}).Struct("QuotientPart", quotientPart{})

// AppendTerm appends a term to a list: a column's [Columns.Offset], and its coefficients in the first and second
// combination.
func AppendTerm(words []uint64, offset uint64, first, second Extension) []uint64 {
	t := term{Offset: offset, First: first, Second: second}
	return append(words, (*[TermWords]uint64)(unsafe.Pointer(&t))[:]...)
}

// combineThreads is the block size of combine_columns. With few rows a device would wait for the loads of few threads,
// so combineSlices threads share the terms of the same rows.
const (
	combineThreads  = 128
	combineSlices   = 4
	quotientThreads = 128
	quotientRows    = 8 * quotientThreads // of a block, if a row has one quotient
)

// combineSmallRows is the number of rows below which slices share the terms. Tests lower it.
var combineSmallRows uint64 = 1 << 17

// CombinePart is the columns of a height, with an even number of Rows, to be combined: Terms columns, of which the
// first Both have coefficients in a second combination too.
type CombinePart struct {
	Rows        uint64
	Terms, Both int
}

// Combinations is the plan of one launch: combinations of several heights, and their quotients.
type Combinations struct {
	parts  []combinePart
	terms  uint64
	blocks uint64
	words  uint64 // of results
}

// PlanCombinations plans parts. The largest part should come first, because blocks start in that order.
func PlanCombinations(parts []CombinePart) (*Combinations, error) {
	c := new(Combinations)
	for _, part := range parts {
		if part.Terms < 1 || part.Terms > 1<<24 || part.Both < 0 || part.Both > part.Terms {
			return nil, fmt.Errorf("combining %d columns, %d of them twice: want 1 to 2^24 columns", part.Terms,
				part.Both)
		}
		if part.Rows%2 != 0 || part.Rows == 0 || part.Rows >= 1<<32 {
			return nil, fmt.Errorf("combining columns of %d rows: want an even number below 2^32, because two are read at "+
				"a time", part.Rows)
		}
		c.add(part)
	}
	if len(parts) == 0 || c.blocks > 1<<31-1 || c.terms > 1<<31 {
		return nil, fmt.Errorf("combining %d columns in %d parts: want 1 to 2^31 and no more than a launch's blocks", c.terms,
			len(parts))
	}
	return c, nil
}

func (c *Combinations) add(part CombinePart) {
	own := combinePart{First: c.words, Second: c.words + 3*part.Rows, N: part.Rows, FirstTerm: uint32(c.terms),
		Count: uint32(part.Terms), Both: uint32(part.Both), Slices: 1, FirstBlock: uint32(c.blocks)}
	if part.Rows < combineSmallRows {
		own.Slices = combineSlices
	}
	c.parts = append(c.parts, own)
	c.terms += uint64(part.Terms)
	c.blocks += (uint64(own.Slices)*part.Rows/2-1)/combineThreads + 1
	c.words += 3 * part.Rows
	if part.Both > 0 {
		c.words += 3 * part.Rows
	}
}

// ListBytes returns the size of the list on the device: the parts, and one term for each column.
func (c *Combinations) ListBytes() uint64 {
	return 8 * (combinePartWords*uint64(len(c.parts)) + TermWords*c.terms)
}

// AppendList appends the parts to a list. Their terms, made by [AppendTerm], follow in the order of the parts.
func (c *Combinations) AppendList(words []uint64) []uint64 {
	for i := range c.parts {
		words = append(words, (*[combinePartWords]uint64)(unsafe.Pointer(&c.parts[i]))[:]...)
	}
	return words
}

// SumsBytes returns the size of all combinations.
func (c *Combinations) SumsBytes() uint64 { return 8 * c.words }

// First returns the first combination of a part: an extension column.
func (c *Combinations) First(sums cuda.Span, part int) (Columns, error) {
	own := &c.parts[part]
	span, err := sums.Part(8*own.First, 24*own.N)
	return Columns{Span: span, Stride: own.N, Count: 3}, err
}

// Combine writes the sum of the listed columns times their first coefficients and, over the first Both terms of each
// part, the sum with the second coefficients. Offsets count from base. The caller must list columns with as many rows
// as their parts.
func (s *Set) Combine(stream *cuda.Stream, c *Combinations, sums, base, list cuda.Span) error {
	if sums.Size() < c.SumsBytes() || list.Size() != c.ListBytes() {
		return fmt.Errorf("combining %d columns: %d bytes for the results and %d of list, want %d and %d", c.terms,
			sums.Size(), list.Size(), c.SumsBytes(), c.ListBytes())
	}
	argument := cuda.Value(combinations{Parts: list.Pointer(),
		Terms: list.Pointer() + cuda.Pointer(8*combinePartWords*uint64(len(c.parts))), Base: base.Pointer(),
		Out: sums.Pointer(), Count: uint32(len(c.parts))})
	return s.launch(stream, "combine_columns", cuda.Shape{Grid: cuda.Dim{X: c.blocks},
		Block: cuda.Dim{X: combineThreads}}, argument)
}

// QuotientsBytes returns the size of the list of [Set.Quotients].
func (c *Combinations) QuotientsBytes() uint64 { return 8 * quotientPartWords * uint64(len(c.parts)) }

// PointValue is a point outside the base field and a combination's value there.
type PointValue struct{ Point, Value Extension }

// AppendQuotients appends, for every part, the points of its combinations and their values there, including those of a
// second combination.
func (c *Combinations) AppendQuotients(words []uint64, points [][2]PointValue) ([]uint64, error) {
	if len(points) != len(c.parts) {
		return nil, fmt.Errorf("quotients of %d parts at points of %d", len(c.parts), len(points))
	}
	blocks := uint64(0)
	for i := range c.parts {
		own := &c.parts[i]
		part := quotientPart{N: own.N, Count: 1, FirstBlock: uint32(blocks)}
		if own.Both > 0 {
			part.Count = 2
		}
		for k, place := range []uint64{own.First, own.Second}[:part.Count] {
			at := points[i][k]
			if err := errors.Join(at.Point.checkOutside(), at.Value.check("value")); err != nil {
				return nil, err
			}
			part.Points[k] = quotientPoint{Point: at.Point, Value: at.Value, Combination: place}
		}
		blocks += quotientBlocks(own)
		words = append(words, (*[quotientPartWords]uint64)(unsafe.Pointer(&part))[:]...)
	}
	return words, nil
}

// quotientBlocks returns the number of blocks for the quotients of a part.
func quotientBlocks(own *combinePart) uint64 {
	rows := uint64(quotientRows)
	if own.Both > 0 {
		rows /= 2
	}
	return (own.N-1)/rows + 1
}

// Quotients replaces, for every part, the first combination by the sum of (combination - value)/(x - point) over the
// part's combinations, at as many base points x as the part has rows. The list comes from
// [Combinations.AppendQuotients].
func (s *Set) Quotients(stream *cuda.Stream, c *Combinations, sums, points, list cuda.Span) error {
	blocks := uint64(0)
	for i := range c.parts {
		blocks += quotientBlocks(&c.parts[i])
		if points.Size()/8 < c.parts[i].N {
			return fmt.Errorf("quotients over %d rows at %d points", c.parts[i].N, points.Size()/8)
		}
	}
	if sums.Size() < c.SumsBytes() || list.Size() != c.QuotientsBytes() {
		return fmt.Errorf("quotients of %d heights: %d bytes of combinations and %d of list, want %d and %d", len(c.parts),
			sums.Size(), list.Size(), c.SumsBytes(), c.QuotientsBytes())
	}
	return s.launch(stream, "sum_quotients", cuda.Shape{Grid: cuda.Dim{X: blocks}, Block: cuda.Dim{X: quotientThreads}},
		cuda.Address(list), cuda.U32(uint32(len(c.parts))), cuda.Address(sums), cuda.Address(points))
}

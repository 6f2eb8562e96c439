// Package rows fills a table's columns on the host, from rows that are structs of columns (package air/columns).
package rows

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// blockRows is the number of rows filled at a time. They and their columns fit the first-level cache.
const blockRows = 64

// Fill fills an instance from a table's records, starting at record first. fill must write every cell of a record's
// row, which still holds the cells of another record. Rows without a record are zero.
func Fill[C, R any](pool *parallel.Pool, to [][]goldilocks.Element, records []R, first uint64,
	fill func(row *C, record *R)) error {
	records = from(records, first)
	return inBlocks(pool, to, len(records), func(block []C, start int) {
		for i := range block {
			fill(&block[i], &records[start+i])
		}
	})
}

// FillAll is Fill for tables whose rows follow from their number: every row is written.
func FillAll[C any](pool *parallel.Pool, to [][]goldilocks.Element, fill func(row *C, number int)) error {
	return inBlocks(pool, to, len(to[0]), func(block []C, start int) {
		for i := range block {
			fill(&block[i], start+i)
		}
	})
}

// FillCells is Fill for tables whose number of columns is known only at run time. They have no inverses.
func FillCells[R any](pool *parallel.Pool, to [][]goldilocks.Element, records []R, first uint64,
	fill func(row []goldilocks.Element, record *R)) {
	records = from(records, first)
	eachBlock(pool, len(to[0]), func(lo, hi int) {
		cells := make([]goldilocks.Element, blockRows*len(to))
		for start := lo; start < hi; start += blockRows {
			end := min(start+blockRows, hi)
			clear(cells)
			for i := start; i < min(end, len(records)); i++ {
				fill(cells[(i-start)*len(to):][:len(to):len(to)], &records[i])
			}
			store(to, start, end, cells)
		}
	})
}

// from returns the records from index first on.
func from[R any](records []R, first uint64) []R { return records[min(first, uint64(len(records))):] }

// eachBlock divides rows among workers, at multiples of blockRows.
func eachBlock(pool *parallel.Pool, rows int, work func(lo, hi int)) {
	pool.For((rows+blockRows-1)/blockRows, 8, func(lo, hi int) { work(lo*blockRows, min(hi*blockRows, rows)) })
}

// inBlocks fills the first used rows, and clears the rest. It calls fill with a block of rows and the number of the
// block's first row. Then it inverts the columns of inverses.
func inBlocks[C any](pool *parallel.Pool, to [][]goldilocks.Element, used int, fill func(block []C, start int)) error {
	l, err := layoutOf[C]()
	if err != nil {
		return err
	}
	if len(to) != l.width {
		return fmt.Errorf("a filler writes %d columns, the fields of %s, into a table of %d", l.width, reflect.TypeFor[C](),
			len(to))
	}
	eachBlock(pool, len(to[0]), func(lo, hi int) {
		rows := make([]C, blockRows)
		cells := cellsOf(rows, l.width)
		for start := lo; start < hi; start += blockRows {
			end := min(start+blockRows, hi)
			filled := min(max(used, start), end) - start
			fill(rows[:filled], start)
			clear(rows[filled:])
			store(to, start, end, cells)
		}
		if end := min(hi, used); lo < end {
			for _, c := range l.inverses {
				goldilocks.BatchInverse(to[c][lo:end], to[c][lo:end])
			}
		}
	})
	return nil
}

// store writes rows to the columns, as rows start to end.
func store(to [][]goldilocks.Element, start, end int, cells []goldilocks.Element) {
	for c, column := range to {
		column, at := column[start:end], c
		for row := range column {
			column[row] = cells[at]
			at += len(to)
		}
	}
}

// layout describes a struct of columns.
type layout struct {
	width    int
	inverses []int // columns
}

var layouts sync.Map // by struct

// layoutOf checks the struct when it is first used.
func layoutOf[C any]() (*layout, error) {
	t := reflect.TypeFor[C]()
	if known, ok := layouts.Load(t); ok {
		return known.(*layout), nil
	}
	list, err := columns.List[C, goldilocks.Element]()
	if err != nil {
		return nil, err
	}
	l := &layout{width: len(list)}
	for i, c := range list {
		if c.Inverse {
			l.inverses = append(l.inverses, i)
		}
	}
	layouts.Store(t, l)
	return l, nil
}

// cellsOf views rows as their cells. A struct of columns consists of its cells, so that nothing lies between them.
func cellsOf[C any](rows []C, width int) []goldilocks.Element {
	return unsafe.Slice((*goldilocks.Element)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)*width)
}

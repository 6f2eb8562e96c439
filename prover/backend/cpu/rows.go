package cpu

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// traceBlock binds a tape to blocks of rows of the trace domain, in natural order.
type traceBlock struct {
	table     *air.Table
	selectors bool // whether the tape reads selectors
	traceColumns
	block                            tape.Block
	wrappedMain, wrappedPreprocessed [][]goldilocks.Element
	periodic                         [][]goldilocks.Element // long enough for a block that starts anywhere in the period
}

// traceColumns holds the columns from which blocks are cut.
type traceColumns struct {
	logHeight          int
	main, preprocessed [][]goldilocks.Element // nil columns are not read
	public             []goldilocks.Element
}

// traceColumns returns the columns over the trace domain that an instance's interactions read.
func (p *traced) traceColumns(instance int, main [][]goldilocks.Element) traceColumns {
	t := p.shape.Table(instance)
	columns := traceColumns{p.shape.Instances[instance].LogHeight, main, nil, p.public}
	if made := p.owner.preprocessed[protocol.PreprocessedPhase(t)]; made != nil {
		columns.preprocessed = made.values[p.shape.Instances[instance].Table]
	}
	return columns
}

// traceRows returns the most rows of a block over the trace domain, so that the block and the fractions that LogUp
// computes from it fit a cache. The fractions of all batches are in memory at once, nine words per batch and row.
func traceRows(table *air.Table, compiled *tape.Tape) int {
	const cacheElements, least = 256 << 10 / elementBytes, 64
	rows := compiled.BlockRows()
	for rows > least && rows*9*len(table.Batches) > cacheElements {
		rows /= 2
	}
	return max(rows, least)
}

func newTraceBlock(table *air.Table, compiled *tape.Tape, rows int) *traceBlock {
	b := &traceBlock{table: table, selectors: compiled.UsesSelectors()}
	b.block = newBlock(table, rows)
	b.block.Main = make([][]goldilocks.Element, len(table.Main))
	b.block.Preprocessed = make([][]goldilocks.Element, len(table.Preprocessed))
	for _, column := range table.Periodic {
		repeated := make([]goldilocks.Element, len(column.Values)+rows)
		for i := range repeated {
			repeated[i] = column.Values[i%len(column.Values)]
		}
		b.periodic = append(b.periodic, repeated)
	}
	return b
}

// newBlock returns a block of the given number of rows, with memory for everything that it reads except the current
// row's columns.
func newBlock(table *air.Table, rows int) tape.Block {
	return tape.Block{
		NextMain:         make([][]goldilocks.Element, len(table.NextMain)),
		NextPreprocessed: make([][]goldilocks.Element, len(table.NextPreprocessed)),
		First:            make([]goldilocks.Element, rows),
		Last:             make([]goldilocks.Element, rows),
		Transition:       make([]goldilocks.Element, rows),
		Periodic:         make([][]goldilocks.Element, len(table.Periodic)),
	}
}

// at binds rows lo to hi and returns the block.
func (b *traceBlock) at(lo, hi int) *tape.Block {
	b.block.Public = b.public
	bindCurrent(b.block.Main, b.main, lo, hi)
	bindCurrent(b.block.Preprocessed, b.preprocessed, lo, hi)
	b.wrappedMain = bindNext(b.block.NextMain, b.main, b.table.NextMain, lo, hi, b.wrappedMain)
	b.wrappedPreprocessed = bindNext(b.block.NextPreprocessed, b.preprocessed, b.table.NextPreprocessed, lo, hi,
		b.wrappedPreprocessed)
	for i, repeated := range b.periodic {
		b.block.Periodic[i] = repeated[lo%len(b.table.Periodic[i].Values):]
	}
	if b.selectors {
		traceSelectors(&b.block, b.logHeight, lo, hi)
	}
	return &b.block
}

func bindCurrent(dst, columns [][]goldilocks.Element, lo, hi int) {
	for i, column := range columns {
		if column != nil {
			dst[i] = column[lo:hi]
		}
	}
}

// bindNext binds rows lo+1 to hi+1. Row n is row 0.
func bindNext(dst, columns [][]goldilocks.Element, list []int, lo, hi int,
	wrapped [][]goldilocks.Element) [][]goldilocks.Element {
	for k, i := range list {
		column := columns[i]
		switch {
		case column == nil:
		case hi < len(column):
			dst[k] = column[lo+1 : hi+1]
		default:
			if wrapped == nil {
				wrapped = make([][]goldilocks.Element, len(list))
			}
			wrapped[k] = append(append(wrapped[k][:0], column[lo+1:hi]...), column[0])
			dst[k] = wrapped[k]
		}
	}
	return wrapped
}

// blockAfter locates the rows that follow those of a block.
type blockAfter struct {
	start, rows int
	wraps       bool
}

// rowsAfter locates the rows that follow those of a block. In bit-reversed order, the numbers of all rows in a block
// share their low bits, and their high bits follow the order of the block. Adding one changes only the low bits, so the
// following rows form another whole block in the same order. The exception is the block whose low bits are all ones.
// There, the carry changes the high bits, and the following rows are a permutation of the first block.
func rowsAfter(start, rows, logHeight int) blockAfter {
	n := 1 << logHeight
	half, block := start&^(n-1), start&(n-1)/rows
	logBlocks := logHeight - bits.TrailingZeros(uint(rows))
	low := reverse(block, logBlocks)
	if low == 1<<logBlocks-1 {
		return blockAfter{half, rows, true}
	}
	return blockAfter{half + reverse(low+1, logBlocks)*rows, rows, false}
}

// of returns a column's values in the following rows. It gathers them if they do not form a block.
func (a blockAfter) of(column []goldilocks.Element, gathered *[]goldilocks.Element) []goldilocks.Element {
	if !a.wraps {
		return column[a.start : a.start+a.rows]
	}
	if cap(*gathered) < a.rows {
		*gathered = make([]goldilocks.Element, a.rows)
	}
	*gathered = (*gathered)[:a.rows]
	logRows := bits.TrailingZeros(uint(a.rows))
	for i := range *gathered {
		next := reverse((reverse(i, logRows)+1)&(a.rows-1), logRows)
		(*gathered)[i] = column[a.start+next]
	}
	return *gathered
}

// reverse reverses the low k bits of i.
func reverse(i, k int) int {
	if k == 0 {
		return 0
	}
	return int(bits.Reverse64(uint64(i)) >> (64 - k))
}

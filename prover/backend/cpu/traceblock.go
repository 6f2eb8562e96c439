package cpu

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// traceBlock binds a tape to blocks of rows of the trace domain, in natural
// order.
type traceBlock struct {
	table *air.Table
	traceColumns
	block                            air.Block
	wrappedMain, wrappedPreprocessed [][]goldilocks.Element
}

// traceColumns are what a block is cut from.
type traceColumns struct {
	logHeight          int
	main, preprocessed [][]goldilocks.Element // nil columns are not read
	public             []goldilocks.Element
}

// traceRows is how many rows a block over the trace domain has at most: LogUp
// has all batches of a block in memory at once.
const traceRows = 64

// blockRows is how many of n rows make a block, at most most, so that small tables
// keep all workers busy too.
func (c *proverContext) blockRows(n, most int) int {
	const least = 32
	rows := most
	for rows > least && n < 2*rows*c.pool.Workers() {
		rows /= 2
	}
	return rows
}

// newTraceBlock makes one for blocks of at most so many rows.
func newTraceBlock(table *air.Table, rows int) *traceBlock {
	b := &traceBlock{table: table}
	b.block = air.Block{
		Main:             make([][]goldilocks.Element, len(table.Main)),
		Preprocessed:     make([][]goldilocks.Element, len(table.Preprocessed)),
		NextMain:         make([][]goldilocks.Element, len(table.NextMain)),
		NextPreprocessed: make([][]goldilocks.Element, len(table.NextPreprocessed)),
		First:            make([]goldilocks.Element, rows),
		Last:             make([]goldilocks.Element, rows),
		Transition:       make([]goldilocks.Element, rows),
	}
	return b
}

// at binds rows lo to hi and returns the block.
func (b *traceBlock) at(lo, hi int) *air.Block {
	b.block.Public = b.public
	bindCurrent(b.block.Main, b.main, lo, hi)
	bindCurrent(b.block.Preprocessed, b.preprocessed, lo, hi)
	b.wrappedMain = bindNext(b.block.NextMain, b.main, b.table.NextMain, lo, hi, b.wrappedMain)
	b.wrappedPreprocessed = bindNext(b.block.NextPreprocessed, b.preprocessed, b.table.NextPreprocessed, lo, hi, b.wrappedPreprocessed)
	b.selectors(lo, hi)
	return &b.block
}

func bindCurrent(dst, columns [][]goldilocks.Element, lo, hi int) {
	for i, column := range columns {
		if column != nil {
			dst[i] = column[lo:hi]
		}
	}
}

// bindNext binds rows lo+1 to hi+1; row n is row 0.
func bindNext(dst, columns [][]goldilocks.Element, list []int, lo, hi int, wrapped [][]goldilocks.Element) [][]goldilocks.Element {
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

// selectors sets the selector polynomials' values on the trace domain: n in
// the first row, n*g in the last, x - g^-1.
func (b *traceBlock) selectors(lo, hi int) {
	n := 1 << b.logHeight
	g := goldilocks.RootOfUnity(b.logHeight)
	last := g.Inverse()
	clear(b.block.First[:hi-lo])
	clear(b.block.Last[:hi-lo])
	if lo == 0 {
		b.block.First[0] = goldilocks.Element(n)
	}
	if hi == n {
		b.block.Last[hi-1-lo] = g.Mul(goldilocks.Element(n))
	}
	x := g.Exp(uint64(lo))
	for i := range hi - lo {
		b.block.Transition[i] = x.Sub(last)
		x = x.Mul(g)
	}
}

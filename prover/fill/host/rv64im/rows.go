package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Powers of two by the names that the derivations of package circuit/rv64im use, and M = W - 1.
const (
	W = rv64im.W
	H = rv64im.H
	M = rv64im.M
)

// line is one row being filled: its cells in the order of the table's columns.
type line struct {
	cells    []goldilocks.Element
	at       int
	inverted []int // the columns that hold what is to be inverted, of the first row
	first    bool
}

func element(v uint64) goldilocks.Element { return goldilocks.Element(v) }

func low(v uint64) uint64  { return v & M }
func high(v uint64) uint64 { return v >> 32 }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// word puts a number below p.
func (l *line) word(v uint64) { l.element(element(v)) }

func (l *line) element(e goldilocks.Element) {
	l.cells[l.at] = e
	l.at++
}

// words puts several numbers.
func (l *line) words(list ...uint64) {
	for _, v := range list {
		l.word(v)
	}
}

// limbs puts both limbs of a value, halves both halves of a limb.
func (l *line) limbs(v uint64)  { l.word(low(v)); l.word(high(v)) }
func (l *line) halves(v uint64) { l.word(v & (H - 1)); l.word(v >> 16) }

// inverse puts what will be inverted with the other rows' of the block; 0 stays 0.
func (l *line) inverse(e goldilocks.Element) {
	if l.first {
		l.inverted = append(l.inverted, l.at)
	}
	l.element(e)
}

// header puts m, ts and pc of an active row.
func (l *line) header(cycle uint32, k *rv64im.Row) {
	l.word(1)
	l.word(4 * uint64(cycle))
	l.word(uint64(k.PC))
}

func (l *line) registers(list ...uint8) {
	for _, r := range list {
		l.word(uint64(r))
	}
}

// binary puts the header and the registers of an instruction with two sources.
func (l *line) binary(x *record.Binary, k *rv64im.Row) {
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1, k.Rs2)
}

// accesses puts the previous times of its registers, and what the destination held.
func (l *line) accesses(x *record.Binary) {
	l.word(uint64(x.Previous1))
	l.word(uint64(x.Previous2))
	l.destination(x.PreviousD, x.Old)
}

// destination puts the previous time of the destination register and what it held.
func (l *line) destination(previous uint32, old uint64) {
	l.word(uint64(previous))
	l.limbs(old)
}

// blockRows is how many rows are filled at a time: they and their columns fit the first-level cache.
const blockRows = 64

// fillRows fills an instance from a table's records, of which the instance takes those from first on. Rows behind the
// last record are zero.
func fillRows[R any](pool *parallel.Pool, columns [][]goldilocks.Element, records []R, first uint64,
	fill func(l *line, r *R)) {
	rows := len(columns[0])
	records = records[min(first, uint64(len(records))):]
	used := min(rows, len(records))
	blocks := (rows + blockRows - 1) / blockRows
	pool.For(blocks, 8, func(lo, hi int) {
		b := newBlock(len(columns))
		for i := lo; i < hi; i++ {
			start := i * blockRows
			for row := start; row < min(start+blockRows, rows); row++ {
				l := b.line(row - start)
				if row < used {
					fill(l, &records[row])
				} else {
					clear(l.cells)
				}
			}
			b.store(columns, start, min(blockRows, rows-start))
		}
	})
}

// block are rows on their way to columns.
type block struct {
	width   int
	cells   []goldilocks.Element // row by row
	current line
	scratch []goldilocks.Element
}

func newBlock(width int) *block {
	return &block{
		width:   width,
		cells:   make([]goldilocks.Element, width*blockRows),
		scratch: make([]goldilocks.Element, blockRows),
	}
}

func (b *block) line(row int) *line {
	b.current.cells, b.current.at = b.cells[row*b.width:(row+1)*b.width], 0
	b.current.first = b.current.inverted == nil
	return &b.current
}

// store writes the rows to the columns, and inverts the columns of inverses, a block at once.
func (b *block) store(columns [][]goldilocks.Element, start, rows int) {
	for c, column := range columns {
		to := column[start : start+rows]
		for row := range to {
			to[row] = b.cells[row*b.width+c]
		}
	}
	for _, c := range b.current.inverted {
		invert(columns[c][start:start+rows], b.scratch)
	}
}

// invert replaces elements by their inverses, 0 by 0, with one inversion. scratch is as long.
func invert(list, scratch []goldilocks.Element) {
	product := goldilocks.Element(1)
	for i, e := range list {
		scratch[i] = product
		if e != 0 {
			product = product.Mul(e)
		}
	}
	product = product.Inverse()
	for i := len(list) - 1; i >= 0; i-- {
		if e := list[i]; e != 0 {
			list[i] = product.Mul(scratch[i])
			product = product.Mul(e)
		}
	}
}

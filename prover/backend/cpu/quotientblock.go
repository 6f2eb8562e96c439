package cpu

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// quotientBlock evaluates one block of rows after the other.
type quotientBlock struct {
	*quotientTable // of the proof that it is bound to
	rows           int
	run            *air.Evaluator
	block          air.Block
	fraction       fraction
	*summer
	total goldilocks.ExtensionVector // of all h, then the sum after the row

	// Where the next rows are not a block, they are gathered here.
	gatheredMain, gatheredPreprocessed, gatheredSum [][]goldilocks.Element
	gatheredInverses                                [][]goldilocks.Element
}

func newQuotientBlock(p *tableProgram, rows int) *quotientBlock {
	t := p.table
	b := &quotientBlock{
		rows:                 rows,
		run:                  p.all.NewEvaluator(rows),
		fraction:             newFraction(rows),
		summer:               newSummer(t, rows),
		total:                goldilocks.NewExtensionVector(rows),
		gatheredMain:         make([][]goldilocks.Element, len(t.NextMain)),
		gatheredPreprocessed: make([][]goldilocks.Element, len(t.NextPreprocessed)),
		gatheredSum:          make([][]goldilocks.Element, 3),
		gatheredInverses:     make([][]goldilocks.Element, 1),
	}
	b.block = air.Block{
		NextMain:         make([][]goldilocks.Element, len(t.NextMain)),
		NextPreprocessed: make([][]goldilocks.Element, len(t.NextPreprocessed)),
		First:            make([]goldilocks.Element, rows),
		Last:             make([]goldilocks.Element, rows),
		Transition:       make([]goldilocks.Element, rows),
	}
	return b
}

// bind makes the block one of a proof's.
func (b *quotientBlock) bind(q *quotientTable) {
	if b.quotientTable == q {
		return
	}
	b.quotientTable = q
	b.summer.prints = &q.prints
	b.block.Main, b.block.Preprocessed = q.main, q.preprocessed
	b.block.Public, b.block.Weights = q.public, q.powers[:len(q.program.table.Constraints)]
}

// evaluate writes the quotient's values in the rows from start on: the first
// three columns, and on the first half of the domain the low constraints' share to
// the next three.
func (b *quotientBlock) evaluate(target [][]goldilocks.Element, start int) {
	t := b.program.table
	after := rowsAfter(start, b.rows, b.logHeight)
	b.block.Row = start
	for k, i := range t.NextMain {
		b.block.NextMain[k] = after.of(b.main[i], &b.gatheredMain[k])
	}
	for k, i := range t.NextPreprocessed {
		b.block.NextPreprocessed[k] = after.of(b.preprocessed[i], &b.gatheredPreprocessed[k])
	}
	low := start>>b.logHeight == 0
	vanishing := b.vanishing[start>>b.logHeight]
	b.selectors(start, after, vanishing)

	b.run.RunApart(&b.block, b.rows, low)
	dst := extensionColumn(target, 0, start, start+b.rows)
	dst.Copy(b.run.Folded())
	if len(t.Interactions) > 0 {
		b.addLogUp(dst, start, after)
	}
	scale := vanishing.Inverse()
	dst.ScaleBase(dst, scale)
	if low {
		extensionColumn(target, 1, start, start+b.rows).ScaleBase(b.run.FoldedLow(), scale)
	}
}

// selectors sets First = Z/(x-1), Last = Z/(x-g^-1) and Transition = x-g^-1.
// As x-g^-1 = (gx-1)/g, the inverse for Last is g times that for First in the
// next row.
func (b *quotientBlock) selectors(start int, after blockAfter, vanishing goldilocks.Element) {
	goldilocks.ScaleVector(b.block.First, b.inverses[start:start+b.rows], vanishing)
	goldilocks.ScaleVector(b.block.Last, after.of(b.inverses, &b.gatheredInverses[0]), vanishing.Mul(b.generator))
	goldilocks.AddScalarVector(b.block.Transition, b.points[start:start+b.rows], b.generator.Inverse().Neg())
}

// addLogUp adds LogUp's constraints: h D - N for each batch's fraction N/D, then
// First S, Transition (S' - S - total) and Last (S + total - claimed).
func (b *quotientBlock) addLogUp(dst goldilocks.ExtensionVector, start int, after blockAfter) {
	t := b.program.table
	weights := b.powers[len(t.Constraints):]
	b.total.Fill(goldilocks.Extension{})
	for k, batch := range t.Batches {
		b.sum(b.fraction, batch, b.run)
		h := extensionColumn(b.auxiliary, k, start, start+b.rows)
		b.total.Add(b.total, h)
		b.term.Mul(h, b.fraction.denominator)
		b.term.Sub(b.term, b.fraction.numerator)
		b.addWeighed(dst, weights[k])
	}
	last := len(t.Batches)
	sum := extensionColumn(b.auxiliary, last, start, start+b.rows)
	b.term.MulBase(sum, b.block.First)
	b.addWeighed(dst, weights[last])

	b.total.Add(b.total, sum)
	var nextSum goldilocks.ExtensionVector
	for k := range nextSum.C {
		nextSum.C[k] = after.of(b.auxiliary[3*last+k], &b.gatheredSum[k])
	}
	b.term.Sub(nextSum, b.total)
	b.term.MulBase(b.term, b.block.Transition)
	b.addWeighed(dst, weights[last+1])

	b.term.AddScalar(b.total, b.claimed.Neg())
	b.term.MulBase(b.term, b.block.Last)
	b.addWeighed(dst, weights[last+2])
}

// addWeighed adds a constraint, the block's term, times its weight.
func (b *quotientBlock) addWeighed(dst goldilocks.ExtensionVector, weight goldilocks.Extension) {
	b.term.Scale(b.term, weight)
	dst.Add(dst, b.term)
}

// blockAfter says where the rows after those of a block are.
type blockAfter struct {
	start, rows int
	wraps       bool
}

// rowsAfter finds the rows after those of a block. In bit-reversed order all
// rows of a block share the low bits of their number, and differ in the high
// bits in the order of the block. Adding one changes only the low bits, so
// the rows after form another whole block in the same order. The exception
// is the block whose low bits are all ones: there the carry goes to the
// high bits and the rows after lie permuted in the first block.
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

// of returns a column's values in those rows, in gathered if they are no
// block.
func (a blockAfter) of(column []goldilocks.Element, gathered *[]goldilocks.Element) []goldilocks.Element {
	if !a.wraps {
		return column[a.start : a.start+a.rows]
	}
	if *gathered == nil {
		*gathered = make([]goldilocks.Element, a.rows)
	}
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

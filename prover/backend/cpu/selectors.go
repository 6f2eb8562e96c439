package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
)

// The selectors of n rows are First = Z/(x-1), Last = Z/(x-g^-1) and Transition = x-g^-1, where Z is x^n-1 and g
// generates the trace domain. They are not normalized.

// traceSelectors sets the selectors in rows lo to hi of the trace domain, where Z vanishes. Therefore First is Z's
// derivative at 1, n, in the first row, Last is Z's derivative at g^-1, n*g, in the last row, and both are 0 elsewhere.
func traceSelectors(block *tape.Block, logHeight, lo, hi int) {
	n, rows := 1<<logHeight, hi-lo
	g := goldilocks.RootOfUnity(logHeight)
	clear(block.First[:rows])
	clear(block.Last[:rows])
	if lo == 0 {
		block.First[0] = goldilocks.Element(n)
	}
	if hi == n {
		block.Last[rows-1] = g.Mul(goldilocks.Element(n))
	}
	x, last := g.Exp(uint64(lo)), g.Inverse()
	for i := range rows {
		block.Transition[i] = x.Sub(last)
		x = x.Mul(g)
	}
}

// selectors sets the selectors in rows of the extension, where Z has the value vanishing. As x-g^-1 = (gx-1)/g, the
// inverse for Last is g times the inverse for First in the next row.
func (b *quotientBlock) selectors(start int, after blockAfter, vanishing goldilocks.Element) {
	first, last, transition := b.block.First[:b.rows], b.block.Last[:b.rows], b.block.Transition[:b.rows]
	goldilocks.ScaleVector(first, b.inverses[start:start+b.rows], vanishing)
	goldilocks.ScaleVector(last, after.of(b.inverses, &b.gatheredInverses[0]), vanishing.Mul(b.generator))
	b.points.fill(transition, start)
	goldilocks.AddScalarVector(transition, transition, b.generator.Inverse().Neg())
}

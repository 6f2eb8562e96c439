package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Quotient evaluates the constraints on the first 2n entries of the extensions,
// the coset s*<w> of size 2n, divides by the vanishing polynomial and
// interpolates. The result has degree below 2n; its two halves are the columns.
// Constraints of low degree, which are most of them, have a quotient of degree
// below n: they are evaluated and interpolated on the first n entries, the coset
// s*H, and added to the low half.
func (b *Backend) Quotient(ctx backend.Context, committed backend.Commitments, input backend.QuotientInput) (backend.Columns, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, err
	}
	lent := c.workspace.take(slabElements(&c.shape, backend.Quotient))
	memory := c.newSlab(backend.Quotient, lent.words)
	memory.loan = lent
	inverses := make(map[int][]goldilocks.Element) // 1/(x-1) by log height
	for i, logHeight := range c.shape.LogHeights {
		if inverses[logHeight] == nil {
			inverses[logHeight] = c.inversesFromOne(2 << logHeight)
		}
		q := c.newQuotientTable(i, own, &input, inverses[logHeight])
		c.evaluateQuotient(q, memory.tables[i])
		c.splitQuotient(memory.tables[i], 1<<logHeight)
		if c.backend.once {
			q.program.quotientBlocks.drop()
		}
	}
	return &columns{state: state{c}, slab: memory, coefficients: true}, nil
}

// inversesFromOne returns 1/(x-1) for the first size points.
func (c *proverContext) inversesFromOne(size int) []goldilocks.Element {
	inverses := make([]goldilocks.Element, size)
	one := goldilocks.Element(1)
	c.blocks(size, sumBlock, func(lo, hi int) {
		goldilocks.AddScalarVector(inverses[lo:hi], c.points[lo:hi], one.Neg())
		goldilocks.BatchInverse(inverses[lo:hi], inverses[lo:hi])
	})
	return inverses
}

// splitQuotient interpolates the three columns of 2n values and those of n
// values of low constraints behind them, and leaves the low coefficients of the
// sum in columns 0 to 2 and the high ones in columns 3 to 5.
func (c *proverContext) splitQuotient(extensions [][]goldilocks.Element, n int) {
	c.interpolateCoset(prefixes(extensions[:3], 2*n))
	c.interpolateCoset(prefixes(extensions[3:], n))
	for k := range 3 {
		sum, low := extensions[k], extensions[3+k][:n]
		goldilocks.AddVector(sum[:n], sum[:n], low)
		copy(low, sum[n:2*n])
	}
}

// quotientTable is what the blocks of one table share.
type quotientTable struct {
	index     int // of the table
	program   *tableProgram
	logHeight int
	public    []goldilocks.Element
	prints    fingerprinter
	powers    []goldilocks.Extension // of the constraint challenge
	claimed   goldilocks.Extension

	main, preprocessed, auxiliary [][]goldilocks.Element // extensions
	points, inverses              []goldilocks.Element   // x and 1/(x-1)
	generator                     goldilocks.Element     // of the trace domain
	vanishing                     [2]goldilocks.Element  // x^n - 1 on each half of the domain
}

func (c *proverContext) newQuotientTable(i int, own [backend.PhaseCount]*commitment, input *backend.QuotientInput, inverses []goldilocks.Element) *quotientTable {
	logHeight := c.shape.LogHeights[i]
	q := &quotientTable{
		index:     i,
		program:   c.tables[i],
		logHeight: logHeight,
		public:    input.Public,
		prints:    newFingerprinter(c.tables[i].table, input.LogUp),
		claimed:   input.Claimed[i],
		points:    c.points,
		inverses:  inverses,
		generator: goldilocks.RootOfUnity(logHeight),
	}
	for phase, extensions := range map[backend.Phase]*[][]goldilocks.Element{
		backend.Main: &q.main, backend.Preprocessed: &q.preprocessed, backend.Auxiliary: &q.auxiliary,
	} {
		if own[phase] != nil {
			*extensions = own[phase].slab.tables[i]
		}
	}
	t := q.program.table
	q.powers = make([]goldilocks.Extension, len(t.Constraints)+len(t.Batches)+3)
	power := goldilocks.Extension{1}
	for j := range q.powers {
		q.powers[j] = power
		power = power.Mul(input.Constraint)
	}
	// x^n is s^n on the first half, s*H, and -s^n on the second, because the
	// n-th power of a root of order 2n is -1.
	shift := goldilocks.Generator.Exp(1 << logHeight)
	q.vanishing = [2]goldilocks.Element{shift.Sub(1), shift.Neg().Sub(1)}
	return q
}

// evaluateQuotient writes the quotient's values to the first three columns, but
// for low constraints' share, which goes to the three behind.
func (c *proverContext) evaluateQuotient(q *quotientTable, target [][]goldilocks.Element) {
	blocks := q.program.quotientBlocks
	rows := c.quotientRows(q.index)
	c.pool.For(2<<q.logHeight/rows, 1, func(first, end int) {
		b := blocks.take()
		defer blocks.put(b)
		b.bind(q)
		for block := first; block < end; block++ {
			b.evaluate(target, block*rows)
		}
	})
}

// quotientRows is how many rows of a table are evaluated at a time.
func (c *proverContext) quotientRows(table int) int {
	return min(c.tables[table].all.BlockRows(), c.height(table))
}

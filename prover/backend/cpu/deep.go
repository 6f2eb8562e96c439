package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Deep computes the codewords of all height classes. For one point the sum of
// coefficient*(f(x)-v)/(x-z) is (F(x)-F(z))/(x-z), where F is the sum of the
// columns times their coefficients: a polynomial of degree below n, so it is
// summed up on the first n entries only and then extended itself.
func (b *Backend) Deep(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension, openings, coefficients backend.Openings) (backend.Codewords, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, err
	}
	result := &codewords{state: state{c}, joining: make(map[int]*codeword)}
	for i, logHeight := range classes(&c.shape) {
		current, next := c.selectColumns(own, coefficients, logHeight)
		openedCurrent, openedNext := c.selectColumns(own, openings, logHeight)
		made := c.deepCodeword(logHeight,
			newCombination(z, current, openedCurrent),
			newCombination(z.MulBase(goldilocks.RootOfUnity(logHeight)), next, openedNext))
		if i == 0 {
			result.current = made
		} else {
			result.joining[made.Len()] = made
		}
	}
	return result, nil
}

// combination is F for one point: columns, their coefficients, and F(point)
// from the openings.
type combination struct {
	point        goldilocks.Extension
	columns      [][]goldilocks.Element
	coefficients []goldilocks.Extension
	atPoint      goldilocks.Extension
}

func newCombination(point goldilocks.Extension, list, opened []weighed) *combination {
	f := &combination{point: point}
	for i, w := range list {
		f.columns = append(f.columns, w.column)
		f.coefficients = append(f.coefficients, *w.value)
		f.atPoint = f.atPoint.Add(w.value.Mul(*opened[i].value))
	}
	return f
}

// deepCodeword is the sum of (F(x)-F(point))/(x-point) over two points. Both F
// are extended in one batch.
func (c *proverContext) deepCodeword(logHeight int, current, next *combination) *codeword {
	n, size := 1<<logHeight, 1<<(logHeight+c.shape.LogBlowup)
	result, second := c.takeCodeword(size), c.takeCodeword(size)
	defer c.workspace.give(&second.loan)
	type part struct {
		*combination
		sum goldilocks.ExtensionVector
	}
	parts := []part{{current, result.ExtensionVector}, {next, second.ExtensionVector}}
	rows := c.blockRows(n, sumBlock)
	scratch := newFreeList(func() [][]goldilocks.Element { return make([][]goldilocks.Element, len(current.columns)) })
	c.blocks(n, rows, func(lo, hi int) {
		columns := scratch.take()
		defer scratch.put(columns)
		for _, part := range parts {
			bindCurrent(columns, part.columns, lo, hi)
			block := part.sum.Slice(lo, hi)
			block.Fill(goldilocks.Extension{})
			block.AddCombination(part.coefficients, columns[:len(part.columns)])
		}
	})
	c.extendFromCoset(append(result.C[:], second.C[:]...))

	distances := newFreeList(func() *distanceBlock { return newDistanceBlock(sumBlock) })
	c.blocks(size, sumBlock, func(lo, hi int) {
		b := distances.take()
		defer distances.put(b)
		for _, part := range parts {
			block := part.sum.Slice(lo, hi)
			block.AddScalar(block, part.atPoint.Neg())
			block.Mul(block, b.inverses(c.points[lo:hi], part.point))
		}
		target := result.Slice(lo, hi)
		target.Add(target, second.Slice(lo, hi))
	})
	return result
}

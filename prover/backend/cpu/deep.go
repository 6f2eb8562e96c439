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
	result := &codewords{state: state{c}, joining: make(map[int]goldilocks.ExtensionVector)}
	for i, logHeight := range c.classes() {
		codeword := goldilocks.NewExtensionVector(1 << (logHeight + c.shape.LogBlowup))
		current, next := c.selectColumns(own, coefficients, logHeight)
		openedCurrent, openedNext := c.selectColumns(own, openings, logHeight)
		c.addQuotient(codeword, logHeight, z, current, openedCurrent)
		c.addQuotient(codeword, logHeight, z.MulBase(goldilocks.RootOfUnity(logHeight)), next, openedNext)
		if i == 0 {
			result.current = codeword
		} else {
			result.joining[codeword.Len()] = codeword
		}
	}
	return result, nil
}

// addQuotient adds (F(x)-F(point))/(x-point) to a codeword, where F is the sum
// of columns times coefficients and F(point) that of their openings.
func (c *proverContext) addQuotient(codeword goldilocks.ExtensionVector, logHeight int, point goldilocks.Extension, list, opened []weighed) {
	if len(list) == 0 {
		return
	}
	n := 1 << logHeight
	sum := goldilocks.NewExtensionVector(codeword.Len())
	coefficients := make([]goldilocks.Extension, len(list))
	for i, w := range list {
		coefficients[i] = *w.value
	}
	c.blocks(n, sumBlock, func(lo, hi int) {
		columns := make([][]goldilocks.Element, len(list))
		for i, w := range list {
			columns[i] = w.column[lo:hi]
		}
		sum.Slice(lo, hi).AddCombination(coefficients, columns)
	})
	c.extendFromCoset(sum.C[:])

	var atPoint goldilocks.Extension
	for i, w := range list {
		atPoint = atPoint.Add(w.value.Mul(*opened[i].value))
	}
	c.blocks(codeword.Len(), sumBlock, func(lo, hi int) {
		distances := goldilocks.NewExtensionVector(hi - lo)
		inverseDistances(distances, c.points[lo:hi], point)
		block := sum.Slice(lo, hi)
		block.AddScalar(block, atPoint.Neg())
		block.Mul(block, distances)
		target := codeword.Slice(lo, hi)
		target.Add(target, block)
	})
}

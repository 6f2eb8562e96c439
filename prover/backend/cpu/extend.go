package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/ntt"
)

// extend turns values over the trace domain, at the front of the columns, into
// extensions.
func (c *proverContext) extend(extensions [][]goldilocks.Element) {
	ntt.Extend(c.pool, extensions, c.shape.LogBlowup)
}

// extendCoefficients does so from coefficients.
func (c *proverContext) extendCoefficients(extensions [][]goldilocks.Element) {
	ntt.ExtendCoefficients(c.pool, extensions, c.shape.LogBlowup)
}

// extendFromCoset does so from values on the coset s*H, the first entries.
func (c *proverContext) extendFromCoset(extensions [][]goldilocks.Element) {
	ntt.ExtendCoset(c.pool, extensions, c.shape.LogBlowup)
}

// interpolateCoset turns values on a coset s*<w>, in bit-reversed order, into
// coefficients.
func (c *proverContext) interpolateCoset(columns [][]goldilocks.Element) {
	ntt.InverseCosetBitReversed(c.pool, columns, goldilocks.Generator)
}

// interpolate turns values on the subgroup, in bit-reversed order, into
// coefficients.
func (c *proverContext) interpolate(columns [][]goldilocks.Element) {
	ntt.InverseBitReversed(c.pool, columns)
}

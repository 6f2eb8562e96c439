package keccak

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// A state has Limbs limbs, of Limb32Bits bits each.
const (
	Limb32Bits = 32
	Limbs      = StateBits / Limb32Bits
)

// LimbForm divides a state into limbs of 32 bits, two for each lane, the low one first.
var LimbForm = Form{cut([]part{{StateBits, Limb32Bits}}), false}

// DeclareLimbs declares a table of permutations, 24 rows each, for another machine: the columns and constraints of the
// table keccak-f of this one, with states in limbs of 32 bits, but without the columns C'. Instead, even must declare
// that numbers from 0 to 8 are even in every row. DeclareLimbs returns a permutation's input and output and the
// multiplicity, 0 or 1, with which the table is to serve them. The table may have several instances. A permutation that
// the end of an instance cuts off is not served.
func DeclareLimbs(b *air.Builder, even func(numbers []air.Expr)) (served air.Expr, input, output []air.Expr) {
	return declareRounds(b, &LimbForm, even)
}

// evenSums constrains A' and C without C': see the last paragraph of the comment at the top of permutation.go.
func (c *permutationColumns) evenSums(even func(numbers []air.Expr)) {
	sums := make([]air.Expr, len(c.Parity))
	for i, parity := range c.Parity {
		place := fmt.Sprintf("[%d][%d]", i/LaneBits, i%LaneBits)
		c.b.AssertBoolean("parity"+place+" is boolean", parity)
		left, right := c.neighbours(i)
		sums[i] = c.b.Sum(parity, left, right).Add(c.column(i))
	}
	even(sums)
}

package keccak

import "github.com/chiasmus/chiasmus/prover/air"

// A state has Limbs limbs, of Limb32Bits bits each.
const (
	Limb32Bits = 32
	Limbs      = StateBits / Limb32Bits
)

// LimbLayout divides a state into limbs of 32 bits, two for each lane, the low one first.
var LimbLayout = NewPermutationLayout(cut([]part{{StateBits, Limb32Bits}}))

// DeclareLimbs declares a table of permutations, 24 rows each, for another machine: the same columns and constraints as
// the table keccak-f of this one, with states in limbs of 32 bits. It returns a permutation's input and output and the
// multiplicity, 0 or 1, with which the table is to serve them. The table may have several instances. A permutation that
// the end of an instance cuts off is not served.
func DeclareLimbs(b *air.Builder) (served air.Expr, input, output []air.Expr) {
	return declareRounds(b, LimbLayout.Words)
}

package keccak

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Limbs is how many words of 32 bits a state has.
const Limbs = stateBits / limbBits32

const limbBits32 = 32

// limbs cut a state for machines whose values are limbs of 32 bits: two a lane, the low one first.
var limbs = newPermutationLayout(cut([]part{{stateBits, limbBits32}}))

// DeclareLimbs declares a table of permutations, 24 rows each, for another machine: the same columns and constraints as
// the table keccak-f of this one, with states in limbs of 32 bits. It returns a permutation's input and output and the
// multiplicity, 0 or 1, with which the table is to serve them. The table may have several instances: a permutation that
// the end of one cuts off is served to nobody.
func DeclareLimbs(b *air.Builder) (served air.Expr, input, output []air.Expr) {
	return declareRounds(b, limbs.words)
}

// FillLimbs fills the columns that DeclareLimbs declares. inputs has 25 lanes for each permutation; at most one fits in
// each 24 rows.
func FillLimbs(pool *parallel.Pool, columns [][]goldilocks.Element, inputs []uint64) {
	limbs.fill(pool, columns, inputs)
}

// DeviceLimbs fills them on a device, from the record set of the inputs.
func DeviceLimbs(inputs int) *machine.DeviceFiller {
	return roundsDevice(inputs, Limbs, headerOf(limbBits32, limbBits32))
}

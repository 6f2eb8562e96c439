// Package wide256 fills the rows of calls of the accelerator for products of 256-bit numbers on the host.
package wide256

import (
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: fill}

// fill writes the cells of a call.
func fill(cells []goldilocks.Element, read, written []uint64) {
	const ninth = circuit.AccumulatorWords - 1
	fillClaim(cells, read, written, written[ninth] != read[2*circuit.NumberWords+ninth])
}

// fillClaim writes the cells of the claim that written is the sum, with this overflow; it may be false in tests.
func fillClaim(cells []goldilocks.Element, read, written []uint64, overflow bool) {
	const half = circuit.NumberWords
	y, x, old := numbers.Number(read[:half]), numbers.Number(read[half:2*half]), read[2*half:]
	row := &relation.Row{Cells: cells, Size: half}
	row.Halves(y)
	row.Halves(x)
	row.Halves(numbers.Number(written[:half]))
	row.Halves(numbers.Number(written[half : 2*half]))
	row.Put(written[2*half] % (1 << 32) >> numbers.HalfBits)
	row.Flag(overflow)
	sum := relation.NewSum(circuit.Shape)
	sum.Product(1, relation.Digits(x, half), relation.Digits(y, half))
	for k := range sum { // the overflow is in the last step, out of which nothing is carried
		sum[k] += limb(old, k) - limb(written, k)
	}
	row.Carries(circuit.Shape, sum)
}

// limb returns 32-bit limb k of a list of words.
func limb(words []uint64, k int) int64 { return int64(words[k/2] >> (32 * (k % 2)) % (1 << 32)) }

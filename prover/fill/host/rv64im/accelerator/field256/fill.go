// Package field256 fills the rows of calls of the accelerator for arithmetic modulo a 256-bit number on the host.
package field256

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: fill}

// fill writes the cells of a call.
func fill(cells []goldilocks.Element, read, _ []uint64) {
	s, err := circuit.Solve(read)
	if err != nil {
		panic(err) // the emulator has computed it
	}
	fillClaim(cells, read, s)
}

// fillClaim writes the cells of the claim that s is a solution, which may be false in tests.
func fillClaim(cells []goldilocks.Element, read []uint64, s circuit.Solution) {
	n, z, x := numbers.Number(read[:4]), numbers.Number(read[9:13]), numbers.Number(read[13:17])
	row := &relation.Row{Cells: cells}
	row.Flag(read[4] == circuit.Inverse)
	for i := range circuit.Primes {
		row.Flag(i == s.Prime)
	}
	row.Flag(s.Minus)
	row.Columns(s.A, numbers.Digits)
	row.Columns(s.B, numbers.Digits)
	row.Halves(n)
	row.Halves(s.Result)
	row.Columns(s.Quotient, 2*numbers.Digits)
	sum := &relation.Sum{}
	sum.Product(1, relation.Digits(s.A, numbers.Digits), relation.Digits(s.B, numbers.Digits))
	sum.Product(-1, relation.Digits(s.Quotient, 2*numbers.Digits), relation.Digits(n, numbers.Digits))
	switch {
	case read[4] == circuit.Multiply:
		sum.Limbs(1, z)
		sum.Limbs(-1, s.Result)
	case read[4] == circuit.Inverse:
		sum.Limbs(-1, big.NewInt(1))
	case s.Minus:
		sum.Limbs(1, x)
	default:
		sum.Limbs(-1, x)
		sum.Limbs(circuit.Enough, n)
	}
	row.Carries(circuit.Shape, sum)
	row.Less(s.Result, n)
}

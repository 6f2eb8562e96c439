// Package fp2 fills the rows of calls of the accelerator for BN254's quadratic field on the host.
package fp2

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
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
	fillClaim(cells, read[0], s)
}

// fillClaim writes the cells of the claim that s is a solution, which may be false in tests.
func fillClaim(cells []goldilocks.Element, operation uint64, s circuit.Solution) {
	row := &relation.Row{Cells: cells}
	row.Flag(operation == circuit.Add)
	row.Flag(operation == circuit.Subtract)
	var factor [2][]int64 // the digits of U, by which x is multiplied
	for i := range 2 {
		row.Halves(s.X[i])
		row.Halves(s.Y[i])
		factor[i] = digits(s.Y[i])
		if operation != circuit.Multiply {
			factor[i] = digits(big.NewInt(int64(1 - i)))
		}
	}
	for i := range circuit.Names {
		sum, sign := &relation.Sum{}, int64(2*i-1)
		sum.Product(1, digits(s.X[0]), factor[i])
		sum.Product(sign, digits(s.X[1]), factor[1-i])
		sum.Limbs(-1, s.Result[i])
		switch operation {
		case circuit.Add:
			sum.Limbs(1, s.Y[i])
		case circuit.Subtract:
			sum.Limbs(-1, s.Y[i])
		}
		top := new(big.Int).Rsh(s.Quotient[i], 256).Int64() // rounds down
		low := new(big.Int).Sub(s.Quotient[i], new(big.Int).Lsh(big.NewInt(top), 256))
		sum.Product(-1, append(digits(low), top), digits(circuit.Prime))
		row.Halves(s.Result[i])
		row.Columns(low, numbers.Digits)
		row.Put(uint64(top - circuit.LeastTop))
		row.Carries(circuit.Shapes[i], sum)
		row.Less(s.Result[i], circuit.Prime)
	}
}

func digits(n *big.Int) []int64 { return relation.Digits(n, numbers.Digits) }

// Package fp2 fills the rows of calls of the accelerators for quadratic fields on the host.
package fp2

import (
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Fillers returns the fillers of all fields.
func Fillers() (list []host.Filler) {
	for _, f := range []*circuit.Field{circuit.OfBN254, circuit.OfBLS12381} {
		list = append(list, filler(f, &f.Operation), filler(f, &f.Sum))
	}
	return list
}

// filler returns the filler of the rows of a field's calls of a kind.
func filler(f *circuit.Field, kind *accelerator.Kind) host.Filler {
	return host.Filler{Kind: kind, Call: func(cells []goldilocks.Element, read, _ []uint64) {
		s, err := f.Solve(read)
		if err != nil {
			panic(err) // the emulator has computed it
		}
		fillClaim(f, cells, s)
	}}
}

// fillClaim writes the cells of the claim that s is a solution, which may be false in tests.
func fillClaim(f *circuit.Field, cells []goldilocks.Element, s circuit.Solution) {
	row := &relation.Row{Cells: cells, Size: f.Size}
	digits := func(n *big.Int) []int64 { return relation.Digits(n, f.Size) }
	if s.Operation != circuit.MultiplyAdd {
		row.Flag(s.Operation == circuit.Add)
		row.Flag(s.Operation == circuit.Subtract)
	}
	var factor [2][]int64 // the digits of U, by which x is multiplied
	for i := range 2 {
		row.Halves(s.X[i])
		row.Halves(s.Y[i])
		factor[i] = digits(s.Y[i])
		if s.Operation == circuit.Add || s.Operation == circuit.Subtract {
			factor[i] = digits(big.NewInt(int64(1 - i)))
		}
	}
	for i := range circuit.Names {
		sum, sign := relation.NewSum(f.Shapes[i]), int64(2*i-1)
		sum.Product(1, digits(s.X[0]), factor[i])
		sum.Product(sign, digits(s.X[1]), factor[1-i])
		sum.Limbs(-1, s.Result[i])
		switch s.Operation {
		case circuit.Add:
			sum.Limbs(1, s.Y[i])
		case circuit.Subtract:
			sum.Limbs(-1, s.Y[i])
		case circuit.MultiplyAdd:
			sum.Limbs(1, s.Z[i])
		}
		row.Halves(s.Result[i])
		row.Quotient(f.Shapes[i], sum, s.Quotient[i], f.Prime, circuit.LeastTop)
		row.Less(s.Result[i], f.Prime)
	}
}

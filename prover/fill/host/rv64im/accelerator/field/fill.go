// Package field fills the rows of calls of the accelerators for arithmetic modulo a number on the host.
package field

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Fillers returns the fillers of all sizes.
func Fillers() []accelerator.Filler {
	return []accelerator.Filler{filler(circuit.Of256), filler(circuit.Of384)}
}

// filler returns the filler of the rows of calls.
func filler(f *circuit.Field) accelerator.Filler {
	return accelerator.Filler{Kind: &f.Kind, Call: func(cells []goldilocks.Element, read, _ []uint64) {
		s, err := f.Solve(read)
		if err != nil {
			panic(err) // the emulator has computed it
		}
		fillClaim(f, cells, read, s)
	}}
}

// fillClaim writes the cells of the claim that s is a solution, which may be false in tests.
func fillClaim(f *circuit.Field, cells []goldilocks.Element, read []uint64, s circuit.Solution) {
	o := f.Operands(read)
	row := &relation.Row{Cells: cells, Size: f.Size}
	row.Flag(o.Operation == circuit.Inverse)
	for i := range f.Primes {
		row.Flag(i == s.Prime)
	}
	row.Flag(s.Minus)
	row.Columns(s.A, f.Size)
	row.Columns(s.B, f.Size)
	row.Halves(o.N)
	row.Halves(s.Result)
	row.Columns(s.Quotient, 2*f.Size)
	sum := relation.NewSum(f.Shape)
	sum.Product(1, relation.Digits(s.A, f.Size), relation.Digits(s.B, f.Size))
	sum.Product(-1, relation.Digits(s.Quotient, 2*f.Size), relation.Digits(o.N, f.Size))
	switch {
	case o.Operation == circuit.Multiply:
		sum.Limbs(1, o.Z)
		sum.Limbs(-1, s.Result)
	case o.Operation == circuit.Inverse:
		sum.Limbs(-1, big.NewInt(1))
	case s.Minus:
		sum.Limbs(1, o.X)
	default:
		sum.Limbs(-1, o.X)
		sum.Limbs(f.Enough, o.N)
	}
	row.Carries(f.Shape, sum)
	row.Less(s.Result, o.N)
}

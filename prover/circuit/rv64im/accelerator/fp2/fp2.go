package fp2

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Operations, in a2.
const (
	Multiply = iota
	Add
	Subtract
)

// Prime is the prime of BN254's base field.
var Prime = field256.Primes[2]

// Kind replaces x by the result of an operation on x and y. An element's real part comes first; the least significant
// word of each part comes first.
var Kind = accelerator.Kind{
	Name: "fp2-256",
	Code: 0x130,
	Operands: []accelerator.Operand{
		{Argument: 2},
		{Argument: 1, Words: 8, Slot: 1},
		{Argument: 0, Words: 8, Slot: 2, Writes: true},
	},
	Compute: compute,
	Tables:  table.Accelerator{Calls: "FP2", Cells: 584},
	Declare: declare,
}

// ErrOperation is returned for a call whose operation is unknown.
var ErrOperation = errors.New("the operation is none of 0 to 2")

// A Solution is a solution of the equations of a call. Index 0 is the real part, index 1 the imaginary part.
type Solution struct {
	X, Y, Result, Quotient [2]*big.Int
}

func compute(read []uint64) ([]uint64, error) {
	s, err := Solve(read)
	if err != nil {
		return nil, err
	}
	return append(relation.Words(s.Result[0], 4), relation.Words(s.Result[1], 4)...), nil
}

// Solve returns the solution for what a call reads: the operation, y and x.
func Solve(read []uint64) (s Solution, err error) {
	for i := range 2 {
		s.Y[i], s.X[i] = relation.Number(read[1+4*i:5+4*i]), relation.Number(read[9+4*i:13+4*i])
	}
	var parts [2]*big.Int
	product := func(i, k int) *big.Int { return new(big.Int).Mul(s.X[i], s.Y[k]) }
	switch read[0] {
	case Multiply:
		parts[0] = product(0, 0)
		parts[0].Sub(parts[0], product(1, 1))
		parts[1] = product(0, 1)
		parts[1].Add(parts[1], product(1, 0))
	case Add:
		parts[0], parts[1] = new(big.Int).Add(s.X[0], s.Y[0]), new(big.Int).Add(s.X[1], s.Y[1])
	case Subtract:
		parts[0], parts[1] = new(big.Int).Sub(s.X[0], s.Y[0]), new(big.Int).Sub(s.X[1], s.Y[1])
	default:
		return s, ErrOperation
	}
	for i, n := range parts {
		s.Quotient[i], s.Result[i] = n.DivMod(n, Prime, new(big.Int))
	}
	return s, nil
}

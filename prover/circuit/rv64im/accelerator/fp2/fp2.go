package fp2

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/internal/modular"
)

// Operations, in a2. A call that multiplies and adds has no operation.
const (
	Multiply = iota
	Add
	Subtract
	MultiplyAdd
)

// A Field is the two accelerators for a quadratic field Fp[u]/(u^2 + 1).
type Field struct {
	Size      relation.Size
	Prime     *big.Int
	Operation accelerator.Kind // by its number
	Sum       accelerator.Kind // MultiplyAdd alone
	// Shapes are the shapes of the equations for the real and the imaginary part.
	Shapes [2]*relation.Shape

	prime *modular.Prime
}

// OfBN254 is the accelerators for BN254's quadratic field.
var OfBN254 = newField(4, field.Of256.Primes[2], 0x130, 0x132,
	table.Accelerator{Calls: "FP2", Cells: 584}, table.Accelerator{Calls: "FP2SUM", Cells: 662})

// OfBLS12381 is the accelerators for BLS12-381's quadratic field.
var OfBLS12381 = newField(6, field.Of384.Primes[0], 0x131, 0x133,
	table.Accelerator{Calls: "FP2384", Cells: 888}, table.Accelerator{Calls: "FP2SUM384", Cells: 1006})

// newField returns the accelerators for a prime. The first replaces x by the result of an operation on x and y. The
// second adds x y to z. An element's real part comes first; the least significant word of each part comes first.
func newField(size relation.Size, prime *big.Int, operation, sum uint32, operations, sums table.Accelerator) *Field {
	f := &Field{Size: size, Prime: prime, prime: modular.NewPrime(relation.Words(prime, int(size)))}
	f.Shapes = [2]*relation.Shape{f.shape(-1), f.shape(1)}
	words := 2 * int(size)
	written := accelerator.Operand{Argument: 0, Words: words, Slot: 2, Writes: true}
	f.Operation = accelerator.Kind{
		Name:     "fp2-" + size.Bits(),
		Code:     operation,
		Operands: []accelerator.Operand{{Argument: 2}, {Argument: 1, Words: words, Slot: 1}, written},
		Compute:  f.computeOperation, Tables: operations, Declare: f.declareOperation,
	}
	f.Sum = accelerator.Kind{
		Name:     "fp2-" + size.Bits() + "-sum",
		Code:     sum,
		Operands: []accelerator.Operand{{Argument: 1, Words: words}, {Argument: 2, Words: words, Slot: 1}, written},
		Compute:  f.computeSum, Tables: sums, Declare: f.declareSum,
	}
	return f
}

// ErrOperation is returned for a call whose operation is unknown.
var ErrOperation = errors.New("the operation is not 0, 1 or 2")

// A Solution is a solution of the equations of a call. Index 0 is the real part, index 1 the imaginary part. Z is 0
// unless the call adds x y to z.
type Solution struct {
	Operation                 uint64
	X, Y, Z, Result, Quotient [2]*big.Int
}

// Solve returns the solution for what a call reads: the operation, y and x, or x, y and z.
func (f *Field) Solve(read []uint64) (s Solution, err error) {
	words := int(f.Size)
	element := func(from int) [2]*big.Int {
		return [2]*big.Int{relation.Number(read[from : from+words]), relation.Number(read[from+words : from+2*words])}
	}
	if len(read) == 6*words {
		s.Operation, s.X, s.Y, s.Z = MultiplyAdd, element(0), element(2*words), element(4*words)
	} else {
		s.Operation, s.Y, s.X, s.Z = read[0], element(1), element(1+2*words), [2]*big.Int{new(big.Int), new(big.Int)}
		if s.Operation > Subtract {
			return s, ErrOperation
		}
	}
	var parts [2]*big.Int
	product := func(i, k int) *big.Int { return new(big.Int).Mul(s.X[i], s.Y[k]) }
	switch s.Operation {
	case Add:
		parts[0], parts[1] = new(big.Int).Add(s.X[0], s.Y[0]), new(big.Int).Add(s.X[1], s.Y[1])
	case Subtract:
		parts[0], parts[1] = new(big.Int).Sub(s.X[0], s.Y[0]), new(big.Int).Sub(s.X[1], s.Y[1])
	default:
		parts[0] = product(0, 0)
		parts[0].Sub(parts[0], product(1, 1)).Add(parts[0], s.Z[0])
		parts[1] = product(0, 1)
		parts[1].Add(parts[1], product(1, 0)).Add(parts[1], s.Z[1])
	}
	for i, n := range parts {
		s.Quotient[i], s.Result[i] = n.DivMod(n, f.Prime, new(big.Int))
	}
	return s, nil
}

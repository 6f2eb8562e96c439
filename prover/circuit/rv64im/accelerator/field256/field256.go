package field256

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Operations, in the word after the modulus.
const (
	Multiply = iota
	Inverse
	Root
)

// Primes are the moduli of roots: the primes of the base fields of secp256k1, P-256 and BN254.
var Primes = [3]*big.Int{
	relation.Hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
	relation.Hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"),
	relation.Hex("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"),
}

// Kind replaces x by the result of an operation on x, y and z modulo n. The least significant word of a number comes
// first.
var Kind = accelerator.Kind{
	Name: "field256",
	Code: 0x110,
	Operands: []accelerator.Operand{
		{Argument: 2, Words: 5, Slot: 0}, // n, operation
		{Argument: 1, Words: 8, Slot: 1}, // y, z
		{Argument: 0, Words: 4, Slot: 2, Writes: true},
	},
	Compute: compute,
	Tables:  table.Accelerator{Calls: "FIELD256", Cells: 477},
	Declare: declare,
}

// Errors of calls that have no result.
var (
	ErrModulus   = errors.New("the modulus is 0, or 1 where an inverse is asked for")
	ErrOperation = errors.New("the operation is none of 0 to 2")
	ErrInverse   = errors.New("the number has no inverse: it has a divisor in common with the modulus")
	ErrPrime     = errors.New("roots are taken modulo the primes of secp256k1, P-256 and BN254 alone")
)

// A Solution is a solution of the equation of a call.
type Solution struct {
	A, B, Quotient, Result *big.Int
	Prime                  int // index in [Primes], or -1 if the operation is not a root
	Minus                  bool
}

func compute(read []uint64) ([]uint64, error) {
	s, err := Solve(read)
	if err != nil {
		return nil, err
	}
	return relation.Words(s.Result, 4), nil
}

// Solve returns the solution for what a call reads.
func Solve(read []uint64) (s Solution, err error) {
	n, operation := relation.Number(read[:4]), read[4]
	y, z, x := relation.Number(read[5:9]), relation.Number(read[9:13]), relation.Number(read[13:17])
	s.Prime = -1
	rest := new(big.Int) // q n
	switch {
	case operation > Root:
		return s, ErrOperation
	case n.Sign() == 0 || operation == Inverse && n.BitLen() == 1:
		return s, ErrModulus
	case operation == Multiply:
		s.A, s.B = x, y
		s.Result = rest.Mul(x, y).Add(rest, z)
	case operation == Inverse:
		if s.A = new(big.Int).ModInverse(x, n); s.A == nil {
			return s, ErrInverse
		}
		s.B, s.Result = x, s.A
		s.Quotient = rest.Mul(s.A, x).Sub(rest, big.NewInt(1)).Div(rest, n)
		return s, nil
	default:
		return root(x, n)
	}
	s.Quotient, s.Result = rest.QuoRem(rest, n, new(big.Int))
	return s, nil
}

// root solves r^2 = ±x mod n. n must be one of [Primes].
func root(x, n *big.Int) (s Solution, err error) {
	for s.Prime = range Primes {
		if Primes[s.Prime].Cmp(n) == 0 {
			break
		}
	}
	if Primes[s.Prime].Cmp(n) != 0 {
		return s, ErrPrime
	}
	exponent := new(big.Int).Rsh(new(big.Int).Add(n, big.NewInt(1)), 2)
	r := new(big.Int).Exp(x, exponent, n)
	if r.Bit(0) == 1 {
		r.Sub(n, r)
	}
	square := new(big.Int).Mul(r, r)
	rest := new(big.Int).Sub(square, x)
	if s.Minus = new(big.Int).Mod(rest, n).Sign() != 0; s.Minus {
		rest.Add(square, x)
	} else {
		rest.Add(rest, new(big.Int).Lsh(n, 3))
	}
	s.A, s.B, s.Result, s.Quotient = r, r, r, rest.Div(rest, n)
	return s, nil
}

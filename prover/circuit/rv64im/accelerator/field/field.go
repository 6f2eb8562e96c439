package field

import (
	"errors"
	"math/big"
	"slices"

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

// A Field is the accelerator for numbers of one size.
type Field struct {
	Kind   accelerator.Kind
	Size   relation.Size
	Primes []*big.Int // the moduli of roots
	Enough int64      // Enough times any of Primes is more than any number of the size
	Shape  *relation.Shape

	moduli []modulus // of roots
}

// Of256 is the accelerator for 256-bit numbers. Its primes belong to the base fields of secp256k1, P-256 and BN254.
var Of256 = newField(4, 8, 0x110, table.Accelerator{Calls: "FIELD256", Cells: 477},
	"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
	"ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
	"30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47")

// Of384 is the accelerator for 384-bit numbers. Its prime belongs to the base field of BLS12-381.
var Of384 = newField(6, 10, 0x111, table.Accelerator{Calls: "FIELD384", Cells: 703},
	"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab")

// newField returns the accelerator for numbers of a size. Its call replaces x by the result of an operation on x, y and
// z modulo n. The least significant word of a number comes first.
func newField(size relation.Size, enough int64, code uint32, tables table.Accelerator, primes ...string) *Field {
	f := &Field{Size: size, Enough: enough}
	for _, p := range primes {
		n := relation.Hex(p)
		f.Primes = append(f.Primes, n)
		f.moduli = append(f.moduli, newModulus(n, int(size)))
	}
	words, digits := int(size), relation.Spans(size.Digits())
	f.Shape = relation.New(size, relation.Span{Low: -1 << 32, High: (enough + 1) << 32},
		relation.Product{Factor: 1, A: digits, B: digits},
		relation.Product{Factor: -1, A: relation.Spans(2 * size.Digits()), B: digits})
	f.Kind = accelerator.Kind{
		Name: "field" + size.Bits(),
		Code: code,
		Operands: []accelerator.Operand{
			{Argument: 2, Words: words + 1, Slot: 0}, // n, operation
			{Argument: 1, Words: 2 * words, Slot: 1}, // y, z
			{Argument: 0, Words: words, Slot: 2, Writes: true},
		},
		Compute: f.compute,
		Tables:  tables,
		Declare: f.declare,
	}
	return f
}

// Errors of calls that have no result.
var (
	ErrModulus   = errors.New("the modulus is 0, or 1 for an inverse")
	ErrOperation = errors.New("the operation is not 0, 1 or 2")
	ErrInverse   = errors.New("the number has no inverse: it has a divisor in common with the modulus")
	ErrPrime     = errors.New("roots are taken modulo the primes of secp256k1, P-256, BN254 and BLS12-381 alone")
)

// A Solution is a solution of the equation of a call.
type Solution struct {
	A, B, Quotient, Result *big.Int
	Prime                  int // index in [Field.Primes], or -1 if the operation is not a root
	Minus                  bool
}

// Operands are the numbers that a call reads.
type Operands struct {
	N, Y, Z, X *big.Int
	Operation  uint64
}

// Operands parses the words that a call reads.
func (f *Field) Operands(read []uint64) Operands {
	words := int(f.Size)
	number := func(from int) *big.Int { return relation.Number(read[from : from+words]) }
	return Operands{number(0), number(words + 1), number(2*words + 1), number(3*words + 1), read[words]}
}

// Solve returns the solution for what a call reads.
func (f *Field) Solve(read []uint64) (s Solution, err error) {
	o := f.Operands(read)
	n, x := o.N, o.X
	s.Prime = -1
	rest := new(big.Int) // q n
	switch {
	case o.Operation > Root:
		return s, ErrOperation
	case n.Sign() == 0 || o.Operation == Inverse && n.BitLen() == 1:
		return s, ErrModulus
	case o.Operation == Multiply:
		s.A, s.B = x, o.Y
		s.Result = rest.Mul(x, o.Y).Add(rest, o.Z)
	case o.Operation == Inverse:
		if s.A = new(big.Int).ModInverse(x, n); s.A == nil {
			return s, ErrInverse
		}
		s.B, s.Result = x, s.A
		s.Quotient = rest.Mul(s.A, x).Sub(rest, big.NewInt(1)).Div(rest, n)
		return s, nil
	default:
		return f.root(x, n)
	}
	s.Quotient, s.Result = rest.QuoRem(rest, n, new(big.Int))
	return s, nil
}

// root solves r^2 = ±x mod n. n must be one of the primes.
func (f *Field) root(x, n *big.Int) (s Solution, err error) {
	s.Prime = slices.IndexFunc(f.Primes, func(p *big.Int) bool { return p.Cmp(n) == 0 })
	if s.Prime < 0 {
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
		rest.Add(rest, new(big.Int).Mul(n, big.NewInt(f.Enough)))
	}
	s.A, s.B, s.Result, s.Quotient = r, r, r, rest.Div(rest, n)
	return s, nil
}

package ec

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// A Curve is y^2 = x^3 + Coefficient x + b modulo Prime.
type Curve struct {
	Name        string // as in the name of its flag
	Prime       *big.Int
	Coefficient int64
}

// A Family is the two accelerators for points of curves over primes of one size.
type Family struct {
	Size        relation.Size
	Curves      []Curve // by number
	Add, Double accelerator.Kind
	// LeastTop is the least top digit of the first quotient of Double. Top digits of other quotients are -1 or 0.
	LeastTop                int64
	AddShapes, DoubleShapes Shapes

	moduli []modulus // by curve
}

// Of256 is the family of secp256k1, P-256 and BN254's G1.
var Of256 = newFamily(4, -16, 0x120, 0x121,
	table.Accelerator{Calls: "ECADD", Cells: 730}, table.Accelerator{Calls: "ECDOUBLE", Cells: 586},
	Curve{"secp256k1", field.Of256.Primes[0], 0}, Curve{"p256", field.Of256.Primes[1], -3},
	Curve{"bn254", field.Of256.Primes[2], 0})

// Of384 is the family of BLS12-381's G1.
var Of384 = newFamily(6, -32, 0x122, 0x123,
	table.Accelerator{Calls: "ECADD384", Cells: 1106}, table.Accelerator{Calls: "ECDOUBLE384", Cells: 887},
	Curve{"bls12381", field.Of384.Primes[0], 0})

// newFamily returns the accelerators for some curves. Add adds the point at a1 to the point at a0, on the curve whose
// number is in a2. Double doubles the point at a0, on the curve whose number is in a1.
func newFamily(size relation.Size, leastTop int64, add, double uint32, adds, doubles table.Accelerator,
	curves ...Curve) *Family {
	f := &Family{Size: size, Curves: curves, LeastTop: leastTop}
	f.AddShapes, f.DoubleShapes = f.shapes()
	for _, c := range curves {
		f.moduli = append(f.moduli, newModulus(c, int(size)))
	}
	point := accelerator.Operand{Argument: 0, Words: 2 * int(size), Slot: 2, Writes: true}
	f.Add = accelerator.Kind{
		Name:     "ec" + size.Bits() + "-add",
		Code:     add,
		Operands: []accelerator.Operand{{Argument: 2}, {Argument: 1, Words: 2 * int(size), Slot: 1}, point},
		Compute:  f.compute, Tables: adds, Declare: f.declareAdd,
	}
	f.Double = accelerator.Kind{
		Name:     "ec" + size.Bits() + "-double",
		Code:     double,
		Operands: []accelerator.Operand{{Argument: 1}, point},
		Compute:  f.compute, Tables: doubles, Declare: f.declareDouble,
	}
	return f
}

// Errors of calls that have no result.
var (
	ErrCurve = errors.New("the curve's number is unknown: 0 is secp256k1, 1 is P-256 and 2 is BN254 of 256 bits, and " +
		"0 is BLS12-381 of 384 bits")
	ErrRange  = errors.New("an x that is added, or a y that is doubled, is not below the curve's prime")
	ErrEqual  = errors.New("the points have the same x: their sum is the double or the point at infinity")
	ErrDouble = errors.New("y is 0: the double is the point at infinity")
)

// A Sum is a solution of the equations of a call. If a point is doubled, both points are that point.
type Sum struct {
	Curve                           int
	X1, Y1, X2, Y2, X3, Y3          *big.Int
	Slope                           *big.Int
	QuotientS, QuotientX, QuotientY *big.Int
}

// Solve returns the sum for what a call reads: the curve, then the second and the first point, or the point to double.
func (f *Family) Solve(read []uint64) (s Sum, err error) {
	if read[0] >= uint64(len(f.Curves)) {
		return s, ErrCurve
	}
	s.Curve = int(read[0])
	p, words := f.Curves[s.Curve].Prime, int(f.Size)
	first := len(read) - 2*words
	s.X1, s.Y1 = relation.Number(read[first:first+words]), relation.Number(read[first+words:])
	s.X2, s.Y2 = relation.Number(read[1:1+words]), relation.Number(read[1+words:1+2*words])
	var above, below *big.Int // s = above/below
	if first > 1 {
		switch {
		case s.X1.Cmp(p) >= 0 || s.X2.Cmp(p) >= 0:
			return s, ErrRange
		case s.X1.Cmp(s.X2) == 0:
			return s, ErrEqual
		}
		above, below = new(big.Int).Sub(s.Y2, s.Y1), new(big.Int).Sub(s.X2, s.X1)
	} else {
		switch {
		case s.Y1.Cmp(p) >= 0:
			return s, ErrRange
		case s.Y1.Sign() == 0:
			return s, ErrDouble
		}
		above = new(big.Int).Mul(s.X1, s.X1)
		above.Mul(above, big.NewInt(3)).Add(above, big.NewInt(f.Curves[s.Curve].Coefficient))
		below = new(big.Int).Lsh(s.Y1, 1)
	}
	s.solve(p, above, below)
	return s, nil
}

// solve sets the slope, above/below, and the numbers that follow from it.
func (s *Sum) solve(p, above, below *big.Int) {
	s.Slope = new(big.Int).ModInverse(new(big.Int).Mod(below, p), p)
	s.Slope.Mul(s.Slope, above).Mod(s.Slope, p)
	divided := func(n *big.Int) (quotient, remainder *big.Int) { return n.DivMod(n, p, new(big.Int)) }
	s.QuotientS, _ = divided(new(big.Int).Sub(new(big.Int).Mul(s.Slope, below), above))
	x := new(big.Int).Mul(s.Slope, s.Slope)
	s.QuotientX, s.X3 = divided(x.Sub(x, s.X1).Sub(x, s.X2))
	y := new(big.Int).Sub(s.X1, s.X3)
	s.QuotientY, s.Y3 = divided(y.Mul(y, s.Slope).Sub(y, s.Y1))
}

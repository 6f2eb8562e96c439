package ec256

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// A Curve is y^2 = x^3 + Coefficient x + b modulo Prime.
type Curve struct {
	Name        string // as in the name of its flag
	Prime       *big.Int
	Coefficient int64
}

// Curves are the curves, indexed by number.
var Curves = [3]Curve{
	{"secp256k1", field256.Primes[0], 0}, {"p256", field256.Primes[1], -3}, {"bn254", field256.Primes[2], 0},
}

// Add adds the point at a1 to the point at a0, on the curve whose number is in a2.
var Add = accelerator.Kind{
	Name: "ec256-add",
	Code: 0x120,
	Operands: []accelerator.Operand{
		{Argument: 2},
		{Argument: 1, Words: 8, Slot: 1},
		{Argument: 0, Words: 8, Slot: 2, Writes: true},
	},
	Compute: compute,
	Tables:  table.Accelerator{Calls: "ECADD", Cells: 730},
	Declare: declareAdd,
}

// Double doubles the point at a0, on the curve whose number is in a1.
var Double = accelerator.Kind{
	Name:     "ec256-double",
	Code:     0x121,
	Operands: []accelerator.Operand{{Argument: 1}, {Argument: 0, Words: 8, Slot: 2, Writes: true}},
	Compute:  compute,
	Tables:   table.Accelerator{Calls: "ECDOUBLE", Cells: 586},
	Declare:  declareDouble,
}

// Errors of calls that have no result.
var (
	ErrCurve  = errors.New("the curve is none of 0 (secp256k1), 1 (P-256) and 2 (BN254)")
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

func compute(read []uint64) ([]uint64, error) {
	s, err := Solve(read)
	if err != nil {
		return nil, err
	}
	return append(relation.Words(s.X3, 4), relation.Words(s.Y3, 4)...), nil
}

// Solve returns the sum for what a call reads: the curve, then the second and the first point, or the point to double.
func Solve(read []uint64) (s Sum, err error) {
	if read[0] >= uint64(len(Curves)) {
		return s, ErrCurve
	}
	s.Curve = int(read[0])
	p := Curves[s.Curve].Prime
	first := len(read) - 8
	s.X1, s.Y1 = relation.Number(read[first:first+4]), relation.Number(read[first+4:])
	s.X2, s.Y2 = relation.Number(read[1:5]), relation.Number(read[5:9])
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
		above.Mul(above, big.NewInt(3)).Add(above, big.NewInt(Curves[s.Curve].Coefficient))
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

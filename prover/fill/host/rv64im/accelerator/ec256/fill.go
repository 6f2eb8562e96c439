// Package ec256 fills the rows of calls of the accelerators for points of 256-bit elliptic curves on the host.
package ec256

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec256"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Fillers of the rows of calls.
var (
	Add    = accelerator.Filler{Kind: &circuit.Add, Call: filler(fillAdd)}
	Double = accelerator.Filler{Kind: &circuit.Double, Call: filler(fillDouble)}
)

// filler returns a function that solves a call and writes its cells with fill.
func filler(fill func(row *row, s circuit.Sum)) func(cells []goldilocks.Element, read, written []uint64) {
	return func(cells []goldilocks.Element, read, _ []uint64) {
		s, err := circuit.Solve(read)
		if err != nil {
			panic(err) // the emulator has computed it
		}
		fill(&row{relation.Row{Cells: cells}, s, circuit.Curves[s.Curve].Prime}, s)
	}
}

// row is the row of a claim, which may be false in tests.
type row struct {
	relation.Row
	s     circuit.Sum
	prime *big.Int
}

// common writes the columns with which both calls begin.
func (r *row) common() {
	r.Flag(r.s.Curve == 2)
	r.Flag(r.s.Curve == 1)
	for _, n := range []*big.Int{r.s.X1, r.s.Y1, r.s.X3, r.s.Y3} {
		r.Halves(n)
	}
	r.Columns(r.s.Slope, numbers.Digits)
}

func fillAdd(r *row, s circuit.Sum) {
	r.common()
	r.Halves(s.X2)
	r.Halves(s.Y2)
	r.Less(s.X1, r.prime)
	r.Less(s.X2, r.prime)
	difference, squares := relation.Minus(digits(s.X2), digits(s.X1)), int64(0)
	for _, d := range difference {
		squares += d * d
	}
	r.inverse(uint64(squares))
	sum := &relation.Sum{}
	sum.Limbs(1, s.Y1)
	sum.Limbs(-1, s.Y2)
	sum.Product(1, digits(s.Slope), difference)
	r.quotient(circuit.AddShapes.Slope, sum, s.QuotientS, -1)
	r.sum(circuit.AddShapes)
}

func fillDouble(r *row, s circuit.Sum) {
	r.common()
	r.Less(s.Y1, r.prime)
	limbs := uint64(0)
	for _, w := range numbers.Words(s.Y1, numbers.Limbs/2) {
		limbs += w>>32 + w%(1<<32)
	}
	r.inverse(limbs)
	sum := &relation.Sum{}
	sum.Limbs(-circuit.Curves[s.Curve].Coefficient, big.NewInt(1))
	sum.Product(2, digits(s.Slope), digits(s.Y1))
	sum.Product(-3, digits(s.X1), digits(s.X1))
	r.quotient(circuit.DoubleShapes.Slope, sum, s.QuotientS, circuit.LeastTop)
	r.sum(circuit.DoubleShapes)
}

// inverse writes 1/v, or 0 if v is 0, as in a false claim.
func (r *row) inverse(v uint64) {
	if v == 0 {
		r.Put(0)
		return
	}
	r.Put(uint64(goldilocks.Element(v).Inverse()))
}

// sum writes the columns of the equations for x3 and y3.
func (r *row) sum(shapes circuit.Shapes) {
	s := &r.s
	x, y := &relation.Sum{}, &relation.Sum{}
	for _, n := range []*big.Int{s.X1, s.X2, s.X3} {
		x.Limbs(-1, n)
	}
	x.Product(1, digits(s.Slope), digits(s.Slope))
	r.quotient(shapes.X, x, s.QuotientX, -1)
	y.Limbs(-1, s.Y1)
	y.Limbs(-1, s.Y3)
	y.Product(1, digits(s.Slope), relation.Minus(digits(s.X1), digits(s.X3)))
	r.quotient(shapes.Y, y, s.QuotientY, -1)
	r.Less(s.X3, r.prime)
	r.Less(s.Y3, r.prime)
}

// quotient writes a quotient, whose top digit is at least least, and the carries of its equation.
func (r *row) quotient(shape *numbers.Shape, sum *relation.Sum, quotient *big.Int, least int64) {
	top := new(big.Int).Rsh(quotient, 256).Int64() // rounds down
	low := new(big.Int).Sub(quotient, new(big.Int).Lsh(big.NewInt(top), 256))
	all := append(digits(low), top)
	sum.Product(-1, all, digits(r.prime))
	r.Columns(low, numbers.Digits)
	r.Put(uint64(top - least))
	r.Carries(shape, sum)
}

func digits(n *big.Int) []int64 { return relation.Digits(n, numbers.Digits) }

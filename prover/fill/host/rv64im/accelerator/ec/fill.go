// Package ec fills the rows of calls of the accelerators for points of elliptic curves on the host.
package ec

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Fillers returns the fillers of all families.
func Fillers() []accelerator.Filler {
	return []accelerator.Filler{
		add(circuit.Of256), double(circuit.Of256), add(circuit.Of384), double(circuit.Of384),
	}
}

// add returns the filler of a family's additions.
func add(f *circuit.Family) accelerator.Filler {
	return accelerator.Filler{Kind: &f.Add, Call: func(cells []goldilocks.Element, read, _ []uint64) {
		s := solve(f, read)
		fillAdd(newRow(f, cells, s), s)
	}}
}

// double returns the filler of a family's doublings.
func double(f *circuit.Family) accelerator.Filler {
	return accelerator.Filler{Kind: &f.Double, Call: func(cells []goldilocks.Element, read, _ []uint64) {
		s := solve(f, read)
		fillDouble(newRow(f, cells, s), s)
	}}
}

func solve(f *circuit.Family, read []uint64) circuit.Sum {
	s, err := f.Solve(read)
	if err != nil {
		panic(err) // the emulator has computed it
	}
	return s
}

// row is the row of a claim, which may be false in tests.
type row struct {
	relation.Row
	family *circuit.Family
	s      circuit.Sum
	prime  *big.Int
}

func newRow(f *circuit.Family, cells []goldilocks.Element, s circuit.Sum) *row {
	return &row{relation.Row{Cells: cells, Size: f.Size}, f, s, f.Curves[s.Curve].Prime}
}

func (r *row) digits(n *big.Int) []int64 { return relation.Digits(n, r.Size) }

// common writes the columns with which both calls begin.
func (r *row) common() {
	for i := len(r.family.Curves) - 1; i > 0; i-- {
		r.Flag(r.s.Curve == i)
	}
	for _, n := range []*big.Int{r.s.X1, r.s.Y1, r.s.X3, r.s.Y3} {
		r.Halves(n)
	}
	r.Columns(r.s.Slope, r.Size)
}

func fillAdd(r *row, s circuit.Sum) {
	r.common()
	r.Halves(s.X2)
	r.Halves(s.Y2)
	r.Less(s.X1, r.prime)
	r.Less(s.X2, r.prime)
	difference, squares := relation.Minus(r.digits(s.X2), r.digits(s.X1)), int64(0)
	for _, d := range difference {
		squares += d * d
	}
	r.inverse(uint64(squares))
	shapes := &r.family.AddShapes
	sum := relation.NewSum(shapes.Slope)
	sum.Limbs(1, s.Y1)
	sum.Limbs(-1, s.Y2)
	sum.Product(1, r.digits(s.Slope), difference)
	r.Quotient(shapes.Slope, sum, s.QuotientS, r.prime, -1)
	r.sum(shapes)
}

func fillDouble(r *row, s circuit.Sum) {
	r.common()
	r.Less(s.Y1, r.prime)
	limbs := uint64(0)
	for _, w := range numbers.Words(s.Y1, int(r.Size)) {
		limbs += w>>32 + w%(1<<32)
	}
	r.inverse(limbs)
	shapes := &r.family.DoubleShapes
	sum := relation.NewSum(shapes.Slope)
	sum.Limbs(-r.family.Curves[s.Curve].Coefficient, big.NewInt(1))
	sum.Product(2, r.digits(s.Slope), r.digits(s.Y1))
	sum.Product(-3, r.digits(s.X1), r.digits(s.X1))
	r.Quotient(shapes.Slope, sum, s.QuotientS, r.prime, r.family.LeastTop)
	r.sum(shapes)
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
func (r *row) sum(shapes *circuit.Shapes) {
	s := &r.s
	x, y := relation.NewSum(shapes.X), relation.NewSum(shapes.Y)
	for _, n := range []*big.Int{s.X1, s.X2, s.X3} {
		x.Limbs(-1, n)
	}
	x.Product(1, r.digits(s.Slope), r.digits(s.Slope))
	r.Quotient(shapes.X, x, s.QuotientX, r.prime, -1)
	y.Limbs(-1, s.Y1)
	y.Limbs(-1, s.Y3)
	y.Product(1, r.digits(s.Slope), relation.Minus(r.digits(s.X1), r.digits(s.X3)))
	r.Quotient(shapes.Y, y, s.QuotientY, r.prime, -1)
	r.Less(s.X3, r.prime)
	r.Less(s.Y3, r.prime)
}

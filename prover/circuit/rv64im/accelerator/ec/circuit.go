package ec

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// Shapes are the equations for the slope, x3 and y3.
type Shapes struct{ Slope, X, Y *relation.Shape }

func (f *Family) shapes() (add, double Shapes) {
	digits, differences := relation.Spans(f.Size.Digits()), relation.Differences(f.Size.Digits())
	add = Shapes{
		Slope: f.equation(-1, relation.Span{Low: -1 << 32, High: 1 << 32},
			relation.Product{Factor: 1, A: digits, B: differences}),
		X: f.equation(-1, relation.Span{Low: -3 << 32}, relation.Product{Factor: 1, A: digits, B: digits}),
		Y: f.equation(-1, relation.Span{Low: -2 << 32}, relation.Product{Factor: 1, A: digits, B: differences}),
	}
	double = add
	double.Slope = f.equation(f.LeastTop, relation.Span{High: 3},
		relation.Product{Factor: 2, A: digits, B: digits}, relation.Product{Factor: -3, A: digits, B: digits})
	return add, double
}

// equation returns a shape whose first product is minus the quotient times the prime. least is the least top digit of
// the quotient, limb the span of the linear terms of the first steps.
func (f *Family) equation(least int64, limb relation.Span, products ...relation.Product) *relation.Shape {
	top := relation.Span{Low: -1}
	if least < -1 {
		top = relation.Span{Low: least, High: least + relation.Half - 1}
	}
	quotient := append(relation.Spans(f.Size.Digits()), top)
	product := relation.Product{Factor: -1, A: quotient, B: relation.Spans(f.Size.Digits())}
	return relation.New(f.Size, limb, append([]relation.Product{product}, products...)...)
}

// row is the row of a call, with coordinates as 16-bit digits and as 32-bit limbs.
type row struct {
	*relation.Row
	family                             *Family
	flags                              []air.Expr // of the curves
	prime, primeLimbs                  []air.Expr
	x1, y1, x2, x3, slope              []air.Expr
	x1Limbs, y1Limbs, x2Limbs, y2Limbs []air.Expr
	x3Limbs, y3Limbs                   []air.Expr
}

func (f *Family) newRow(b *air.Builder, lookups accelerator.Lookups, m, curve air.Expr,
	first, written []air.Expr) *row {
	r := &row{Row: &relation.Row{Builder: b, Lookups: lookups, M: m}, family: f}
	r.curve(curve)
	limbs := f.Size.Limbs()
	r.x1Limbs, r.y1Limbs = first[:limbs], first[limbs:]
	r.x3Limbs, r.y3Limbs = written[:limbs], written[limbs:]
	r.x1, r.y1 = r.Halves("x1", r.x1Limbs), r.Halves("y1", r.y1Limbs)
	r.x3 = r.Halves("x3", r.x3Limbs)
	r.Halves("y3", r.y3Limbs)
	r.slope = r.Columns("slope", f.Size.Digits())
	return r
}

// curve declares the flags of the curve with this number, and its prime. The first curve's flag is m minus the others.
func (r *row) curve(number air.Expr) {
	curves := r.family.Curves
	r.flags = make([]air.Expr, len(curves))
	r.flags[0] = r.M
	for i := len(curves) - 1; i > 0; i-- {
		r.flags[i] = r.Main(curves[i].Name)
	}
	for _, flag := range r.flags[1:] {
		r.flags[0] = r.flags[0].Sub(flag)
	}
	for i, flag := range r.flags {
		r.AssertBoolean(curves[i].Name+" is boolean", flag)
	}
	sum := r.Constant(0)
	for i, flag := range r.flags[1:] {
		term := flag
		for range i {
			term = term.Add(flag)
		}
		sum = sum.Add(term)
	}
	r.AssertEqual("the curve's number", number, sum)
	for i := range r.family.Size.Digits() {
		sum := r.Constant(0)
		for c, flag := range r.flags {
			word := relation.Words(curves[c].Prime, int(r.family.Size))[i/4]
			sum = sum.Add(flag.Scale(word >> (relation.HalfBits * (i % 4)) & (relation.Half - 1)))
		}
		r.prime = append(r.prime, sum)
		if i%2 == 1 {
			r.primeLimbs = append(r.primeLimbs, r.prime[i-1].Add(sum.Scale(relation.Half)))
		}
	}
}

// coefficient returns -a of the curve.
func (r *row) coefficient() air.Expr {
	sum := r.Constant(0)
	for i, flag := range r.flags {
		if a := r.family.Curves[i].Coefficient; a != 0 {
			sum = sum.Add(flag.Scale(uint64(-a)))
		}
	}
	return sum
}

func (f *Family) declareAdd(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		limbs := f.Size.Limbs()
		r := f.newRow(b, lookups, m, read[0], read[2+2*limbs:], written)
		r.x2Limbs, r.y2Limbs = read[2:2+limbs], read[2+limbs:2+2*limbs]
		r.x2 = r.Halves("x2", r.x2Limbs)
		r.Halves("y2", r.y2Limbs)
		r.Less("x1", r.x1Limbs, r.primeLimbs)
		r.Less("x2", r.x2Limbs, r.primeLimbs)
		difference := minus(r.x2, r.x1)
		squares := b.Constant(0)
		for _, d := range difference {
			squares = squares.Add(d.Square())
		}
		r.AssertEqual("x1 and x2 differ", squares.Mul(r.Main("inverse")), m)
		r.quotient("slope", f.AddShapes.Slope, r.boolean, minus(r.y1Limbs, r.y2Limbs),
			relation.Factors{A: r.slope, B: difference})
		r.sum(f.AddShapes)
	}}
}

func (f *Family) declareDouble(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := f.newRow(b, lookups, m, read[0], read[2:], written)
		r.x2Limbs = r.x1Limbs
		r.Less("y1", r.y1Limbs, r.primeLimbs)
		r.AssertEqual("y1 is not 0", b.Sum(r.y1Limbs...).Mul(r.Main("inverse")), m)
		top := func(name string) air.Expr {
			v := b.Main(name)
			lookups.Range16(b, m, v)
			return r.Offset(v, f.LeastTop)
		}
		r.quotient("slope", f.DoubleShapes.Slope, top, []air.Expr{r.coefficient()},
			relation.Factors{A: r.slope, B: r.y1}, relation.Factors{A: r.x1, B: r.x1})
		r.sum(f.DoubleShapes)
	}}
}

// sum declares the equations for x3 and y3, and that both are below the prime.
func (r *row) sum(shapes Shapes) {
	var x, y []air.Expr
	for k := range r.x1Limbs {
		x = append(x, r.x1Limbs[k].Add(r.x2Limbs[k]).Add(r.x3Limbs[k]).Neg())
		y = append(y, r.y1Limbs[k].Add(r.y3Limbs[k]).Neg())
	}
	r.quotient("x3", shapes.X, r.boolean, x, relation.Factors{A: r.slope, B: r.slope})
	r.quotient("y3", shapes.Y, r.boolean, y, relation.Factors{A: r.slope, B: minus(r.x1, r.x3)})
	r.Less("x3", r.x3Limbs, r.primeLimbs)
	r.Less("y3", r.y3Limbs, r.primeLimbs)
}

// quotient declares an equation and its quotient. top declares the quotient's top digit, from a column of that name.
func (r *row) quotient(name string, shape *relation.Shape, top func(name string) air.Expr, linear []air.Expr,
	products ...relation.Factors) {
	digits := r.Columns(name+"Quotient", r.family.Size.Digits())
	digits = append(digits, top(name+"QuotientTop"))
	r.Equation(name, shape, append([]relation.Factors{{A: digits, B: r.prime}}, products...), linear)
}

// boolean declares a top digit of -1 or 0, by a boolean column.
func (r *row) boolean(name string) air.Expr {
	v := r.Main(name)
	r.AssertBoolean(name+" is boolean", v)
	return v.Sub(r.M)
}

func minus(a, b []air.Expr) (list []air.Expr) {
	for i := range a {
		list = append(list, a[i].Sub(b[i]))
	}
	return list
}

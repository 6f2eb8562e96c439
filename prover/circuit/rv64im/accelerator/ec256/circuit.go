package ec256

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// LeastTop is the least top digit of the first quotient of Double. Top digits of other quotients are -1 or 0.
const LeastTop = -16

// Shapes are the equations for the slope, x3 and y3.
type Shapes struct{ Slope, X, Y *relation.Shape }

// Shapes of Add and Double.
var (
	AddShapes = shapes(equation(-1, relation.Span{Low: -1 << 32, High: 1 << 32},
		relation.Product{Factor: 1, A: relation.Spans(relation.Digits), B: relation.Differences()}))
	DoubleShapes = shapes(equation(LeastTop, relation.Span{High: 3},
		relation.Product{Factor: 2, A: relation.Spans(relation.Digits), B: relation.Spans(relation.Digits)},
		relation.Product{Factor: -3, A: relation.Spans(relation.Digits), B: relation.Spans(relation.Digits)}))
)

func shapes(slope *relation.Shape) Shapes {
	digits := relation.Spans(relation.Digits)
	return Shapes{
		Slope: slope,
		X:     equation(-1, relation.Span{Low: -3 << 32}, relation.Product{Factor: 1, A: digits, B: digits}),
		Y:     equation(-1, relation.Span{Low: -2 << 32}, relation.Product{Factor: 1, A: digits, B: relation.Differences()}),
	}
}

// equation returns a shape whose first product is minus the quotient times the prime. least is the least top digit of
// the quotient, limb the span of what the first steps add.
func equation(least int64, limb relation.Span, products ...relation.Product) *relation.Shape {
	top := relation.Span{Low: -1}
	if least < -1 {
		top = relation.Span{Low: least, High: least + relation.Half - 1}
	}
	quotient := append(relation.Spans(relation.Digits), top)
	product := relation.Product{Factor: -1, A: quotient, B: relation.Spans(relation.Digits)}
	return relation.New(limb, append([]relation.Product{product}, products...)...)
}

// row is the row of a call, with coordinates as 16-bit digits and as 32-bit limbs.
type row struct {
	*relation.Row
	prime, primeLimbs                  []air.Expr
	p256                               air.Expr
	x1, y1, x2, x3, slope              []air.Expr
	x1Limbs, y1Limbs, x2Limbs, y2Limbs []air.Expr
	x3Limbs, y3Limbs                   []air.Expr
}

func newRow(b *air.Builder, lookups accelerator.Lookups, m, curve air.Expr, first, written []air.Expr) *row {
	r := &row{Row: &relation.Row{Builder: b, Lookups: lookups, M: m}}
	r.curve(curve)
	r.x1Limbs, r.y1Limbs = first[:relation.Limbs], first[relation.Limbs:]
	r.x3Limbs, r.y3Limbs = written[:relation.Limbs], written[relation.Limbs:]
	r.x1, r.y1 = r.Halves("x1", r.x1Limbs), r.Halves("y1", r.y1Limbs)
	r.x3 = r.Halves("x3", r.x3Limbs)
	r.Halves("y3", r.y3Limbs)
	r.slope = r.Columns("slope", relation.Digits)
	return r
}

// curve declares the flags of the curve with this number, and its prime.
func (r *row) curve(number air.Expr) {
	bn254 := r.Main("bn254")
	r.p256 = r.Main("p256")
	flags := [len(Curves)]air.Expr{r.M.Sub(r.p256).Sub(bn254), r.p256, bn254}
	for i, flag := range flags {
		r.AssertBoolean(Curves[i].Name+" is boolean", flag)
	}
	r.AssertEqual("the curve's number", number, r.p256.Add(bn254.Double()))
	for i := range relation.Digits {
		sum := r.Constant(0)
		for c, flag := range flags {
			digit := relation.Words(Curves[c].Prime, 4)[i/4] >> (relation.HalfBits * (i % 4)) & (relation.Half - 1)
			sum = sum.Add(flag.Scale(digit))
		}
		r.prime = append(r.prime, sum)
		if i%2 == 1 {
			r.primeLimbs = append(r.primeLimbs, r.prime[i-1].Add(sum.Scale(relation.Half)))
		}
	}
}

func declareAdd(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := newRow(b, lookups, m, read[0], read[2+2*relation.Limbs:], written)
		r.x2Limbs, r.y2Limbs = read[2:2+relation.Limbs], read[2+relation.Limbs:2+2*relation.Limbs]
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
		r.quotient("slope", AddShapes.Slope, r.boolean, minus(r.y1Limbs, r.y2Limbs),
			relation.Factors{A: r.slope, B: difference})
		r.sum(AddShapes)
	}}
}

func declareDouble(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := newRow(b, lookups, m, read[0], read[2:], written)
		r.x2Limbs = r.x1Limbs
		r.Less("y1", r.y1Limbs, r.primeLimbs)
		r.AssertEqual("y1 is not 0", b.Sum(r.y1Limbs...).Mul(r.Main("inverse")), m)
		top := func(name string) air.Expr {
			v := b.Main(name)
			lookups.Range16(b, m, v)
			return r.Offset(v, LeastTop)
		}
		coefficient := r.p256.Scale(3) // -a: the other curves have none
		r.quotient("slope", DoubleShapes.Slope, top, []air.Expr{coefficient},
			relation.Factors{A: r.slope, B: r.y1}, relation.Factors{A: r.x1, B: r.x1})
		r.sum(DoubleShapes)
	}}
}

// sum declares the equations for x3 and y3, and that both are below the prime.
func (r *row) sum(shapes Shapes) {
	var x, y []air.Expr
	for k := range relation.Limbs {
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
	digits := r.Columns(name+"Quotient", relation.Digits)
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

package fp2

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// LeastTop is the least top digit of a quotient.
const LeastTop = -16

// Shapes are the shapes of the equations for the real and the imaginary part.
var Shapes = [2]*relation.Shape{shape(-1), shape(1)}

// Names are the names of the parts in columns' names.
var Names = [2]string{"real", "imaginary"}

// shape returns the shape of a part's equation. sign is the factor of the second product of x and y.
func shape(sign int64) *relation.Shape {
	digits := relation.Spans(relation.Digits)
	quotient := append(relation.Spans(relation.Digits), relation.Span{Low: LeastTop, High: LeastTop + relation.Half - 1})
	return relation.New(relation.Span{Low: -2 << 32, High: 1 << 32},
		relation.Product{Factor: -1, A: quotient, B: digits},
		relation.Product{Factor: 1, A: digits, B: digits}, relation.Product{Factor: sign, A: digits, B: digits})
}

// row is the row of a call.
type row struct {
	*relation.Row
	multiply, add, subtract air.Expr
	prime, primeLimbs       []air.Expr
}

func declare(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := &row{Row: &relation.Row{Builder: b, Lookups: lookups, M: m}}
		r.operation(read[0])
		r.constants()
		const limbs = relation.Limbs
		y, x := [2][]air.Expr{read[2 : 2+limbs], read[2+limbs : 2+2*limbs]}, read[2+2*limbs:]
		a, c := r.Halves("x0", x[:limbs]), r.factor("y0", y[0], true)
		d, e := r.Halves("x1", x[limbs:]), r.factor("y1", y[1], false)
		products := [2][]relation.Factors{{{A: a, B: c}, {A: d, B: e}}, {{A: a, B: e}, {A: d, B: c}}}
		for i, name := range Names {
			r.part(name, Shapes[i], y[i], written[limbs*i:limbs*(i+1)], products[i])
		}
	}}
}

// operation declares the flags.
func (r *row) operation(number air.Expr) {
	r.add, r.subtract = r.Main("add"), r.Main("subtract")
	r.multiply = r.M.Sub(r.add).Sub(r.subtract)
	r.AssertBoolean("add is boolean", r.add)
	r.AssertBoolean("subtract is boolean", r.subtract)
	r.AssertBoolean("multiply is boolean", r.multiply)
	r.AssertEqual("the operation", number, r.add.Add(r.subtract.Double()))
}

// constants sets the prime's digits and limbs.
func (r *row) constants() {
	for i, w := range relation.Words(Prime, relation.Limbs/2) {
		for k := range 4 {
			r.prime = append(r.prime, r.Constant(w>>(relation.HalfBits*k)&(relation.Half-1)))
			if k%2 == 1 {
				last := r.prime[4*i+k-1].Add(r.prime[4*i+k].Scale(relation.Half))
				r.primeLimbs = append(r.primeLimbs, last)
			}
		}
	}
}

// factor returns the digits of a part of U, by which x is multiplied: y's part in a product, else 1 + 0 u.
func (r *row) factor(name string, limbs []air.Expr, real bool) (digits []air.Expr) {
	for i, digit := range r.Halves(name, limbs) {
		digit = r.multiply.Mul(digit)
		if i == 0 && real {
			digit = digit.Add(r.add).Add(r.subtract)
		}
		digits = append(digits, digit)
	}
	return digits
}

// part declares the equation and the range of a part of the result.
func (r *row) part(name string, shape *relation.Shape, y, result []air.Expr, products []relation.Factors) {
	r.Halves(name, result)
	quotient := r.Columns(name+"Quotient", relation.Digits+1)
	quotient[relation.Digits] = r.Offset(quotient[relation.Digits], LeastTop)
	var linear []air.Expr
	for k := range relation.Limbs {
		linear = append(linear, r.add.Sub(r.subtract).Mul(y[k]).Sub(result[k]))
	}
	r.Equation(name, shape, append([]relation.Factors{{A: quotient, B: r.prime}}, products...), linear)
	r.Less(name, result, r.primeLimbs)
}

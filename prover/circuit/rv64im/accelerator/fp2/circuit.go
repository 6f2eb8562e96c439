package fp2

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// LeastTop is the least top digit of a quotient.
const LeastTop = -16

// Names are the names of the parts in columns' names.
var Names = [2]string{"real", "imaginary"}

// shape returns the shape of a part's equation. sign is the factor of the second product of x and y.
func (f *Field) shape(sign int64) *relation.Shape {
	digits := relation.Spans(f.Size.Digits())
	quotient := append(relation.Spans(f.Size.Digits()), relation.Span{Low: LeastTop, High: LeastTop + relation.Half - 1})
	return relation.New(f.Size, relation.Span{Low: -2 << 32, High: 1 << 32},
		relation.Product{Factor: -1, A: quotient, B: digits},
		relation.Product{Factor: 1, A: digits, B: digits}, relation.Product{Factor: sign, A: digits, B: digits})
}

// row is the row of a call.
type row struct {
	*relation.Row
	field                   *Field
	multiply, add, subtract air.Expr
	prime, primeLimbs       []air.Expr
}

func (f *Field) newRow(b *air.Builder, lookups accelerator.Lookups, m air.Expr) *row {
	return &row{Row: &relation.Row{Builder: b, Lookups: lookups, M: m}, field: f}
}

func (f *Field) declareOperation(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := f.newRow(b, lookups, m)
		r.operation(read[0])
		r.constants()
		limbs := f.Size.Limbs()
		y, x := r.parts(read[2:2+2*limbs]), r.parts(read[2+2*limbs:])
		a, c := r.Halves("x0", x[0]), r.factor("y0", y[0], true)
		d, e := r.Halves("x1", x[1]), r.factor("y1", y[1], false)
		r.equations(a, d, c, e, written, func(part, limb int) air.Expr {
			return r.add.Sub(r.subtract).Mul(y[part][limb])
		})
	}}
}

func (f *Field) declareSum(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := f.newRow(b, lookups, m)
		r.constants()
		limbs := 2 * f.Size.Limbs()
		x, y, z := r.parts(read[:limbs]), r.parts(read[limbs:2*limbs]), r.parts(read[2*limbs:])
		a, c := r.Halves("x0", x[0]), r.Halves("y0", y[0])
		d, e := r.Halves("x1", x[1]), r.Halves("y1", y[1])
		r.equations(a, d, c, e, written, func(part, limb int) air.Expr { return z[part][limb] })
	}}
}

// parts splits an element into its real and imaginary part.
func (r *row) parts(limbs []air.Expr) [2][]air.Expr {
	return [2][]air.Expr{limbs[:r.field.Size.Limbs()], limbs[r.field.Size.Limbs():]}
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
	for i, w := range relation.Words(r.field.Prime, int(r.field.Size)) {
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

// equations declares that (a + bu)(c + du) + v, with digits a to d, is written. v returns a limb.
func (r *row) equations(a, b, c, d, written []air.Expr, v func(part, limb int) air.Expr) {
	products := [2][]relation.Factors{{{A: a, B: c}, {A: b, B: d}}, {{A: a, B: d}, {A: b, B: c}}}
	results := r.parts(written)
	for i, name := range Names {
		r.part(name, r.field.Shapes[i], results[i], products[i], func(limb int) air.Expr { return v(i, limb) })
	}
}

// part declares the equation and the range of a part of the result.
func (r *row) part(name string, shape *relation.Shape, result []air.Expr, products []relation.Factors,
	v func(limb int) air.Expr) {
	r.Halves(name, result)
	quotient := r.Columns(name+"Quotient", r.field.Size.Digits()+1)
	top := len(quotient) - 1
	quotient[top] = r.Offset(quotient[top], LeastTop)
	var linear []air.Expr
	for k, limb := range result {
		linear = append(linear, v(k).Sub(limb))
	}
	r.Equation(name, shape, append([]relation.Factors{{A: quotient, B: r.prime}}, products...), linear)
	r.Less(name, result, r.primeLimbs)
}

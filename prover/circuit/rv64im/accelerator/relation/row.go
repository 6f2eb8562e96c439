package relation

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
)

// Row declares the row of a call, whose multiplicity is M.
type Row struct {
	*air.Builder
	Lookups accelerator.Lookups
	M       air.Expr
}

// Factors are the digits of the two numbers of a product.
type Factors struct{ A, B []air.Expr }

// Halves splits 32-bit limbs into 16-bit digits, in range. The high halves are columns.
func (r *Row) Halves(name string, limbs []air.Expr) (halves []air.Expr) {
	for i, high := range r.MainColumns(name, len(limbs)) {
		low := limbs[i].Sub(high.Scale(Half))
		r.Lookups.Range16(r.Builder, r.M, low)
		r.Lookups.Range16(r.Builder, r.M, high)
		halves = append(halves, low, high)
	}
	return halves
}

// Columns declares 16-bit digits, each a column, in range.
func (r *Row) Columns(name string, digits int) []air.Expr {
	columns := r.MainColumns(name, digits)
	for _, v := range columns {
		r.Lookups.Range16(r.Builder, r.M, v)
	}
	return columns
}

// Equal declares that 32-bit limbs are composed of these 16-bit digits.
func (r *Row) Equal(name string, digits, limbs []air.Expr) {
	for i, limb := range limbs {
		r.AssertEqual(fmt.Sprintf("%s: limb %d", name, i), digits[2*i].Add(digits[2*i+1].Scale(Half)), limb)
	}
}

// Equation declares that the products, with the shape's factors, and the linear terms of the steps sum to 0. Steps at
// index len(linear) or higher have no linear term.
func (r *Row) Equation(name string, shape *Shape, products []Factors, linear []air.Expr) {
	carries := r.carries(name, shape.Carries)
	carry := r.Constant(0)
	for k := range shape.Linear {
		sum := carry
		if k < len(linear) {
			sum = sum.Add(linear[k])
		}
		for i, p := range products {
			both := coefficient(r.Builder, p, 2*k).Add(coefficient(r.Builder, p, 2*k+1).Scale(Half))
			sum = sum.Add(scaled(both, shape.Products[i].Factor))
		}
		carry = carries[k]
		r.AssertEqual(fmt.Sprintf("%s: step %d", name, k), sum, carry.Scale(1<<32))
	}
}

// scaled returns v times a factor that may be negative.
func scaled(v air.Expr, factor int64) air.Expr {
	if factor < 0 {
		return v.Scale(uint64(-factor)).Neg()
	}
	return v.Scale(uint64(factor))
}

// Offset adds a multiple of m to v; offset may be negative.
func (r *Row) Offset(v air.Expr, offset int64) air.Expr { return v.Add(scaled(r.M, offset)) }

// coefficient returns the sum of products of digits whose indices add up to k.
func coefficient(b *air.Builder, p Factors, k int) air.Expr {
	sum := b.Constant(0)
	for i, v := range p.A {
		if j := k - i; j >= 0 && j < len(p.B) {
			sum = sum.Add(v.Mul(p.B[j]))
		}
	}
	return sum
}

// carries declares the carry out of each step. The last step's carry is 0.
func (r *Row) carries(name string, shapes []Carry) (list []air.Expr) {
	columns := r.MainColumns(name+"Carry", len(shapes))
	tops := r.MainColumns(name+"Top", Tops(shapes))
	for i, top := range tops {
		r.AssertZero(fmt.Sprintf("%sTop[%d] is 0, 1 or 2", name, i), top.Mul(top.SubConstant(1)).Mul(top.SubConstant(2)))
	}
	for k, v := range columns {
		r.Lookups.Range20(r.Builder, r.M, v)
		v, weight := r.Offset(v, shapes[k].Offset), uint64(1<<TopBits)
		for range shapes[k].Tops {
			v, tops, weight = v.Add(tops[0].Scale(weight)), tops[1:], weight*TopBase
		}
		list = append(list, v)
	}
	return append(list, r.Constant(0))
}

// Tops returns the number of columns for the carries' parts above their lowest 20 bits.
func Tops(carries []Carry) (n int) {
	for _, c := range carries {
		n += c.Tops
	}
	return n
}

// Less declares that lower is less than upper, by their 32-bit limbs. A flag marks the highest limb that differs.
func (r *Row) Less(name string, lower, upper []air.Expr) {
	flags := r.MainColumns(name+"Differs", len(lower)-1)
	flags = append(flags, r.M.Sub(r.Sum(flags...)))
	digits := r.Columns(name+"Difference", 2)
	difference, below := r.M.Neg(), r.Constant(0)
	for i, flag := range flags {
		r.AssertBoolean(fmt.Sprintf("%sDiffers[%d] is boolean", name, i), flag)
		gap := upper[i].Sub(lower[i])
		if i > 0 {
			r.AssertZero(fmt.Sprintf("%s: limb %d is equal where one below differs", name, i), below.Mul(gap))
		}
		difference, below = difference.Add(flag.Mul(gap)), below.Add(flag)
	}
	r.AssertEqual(name+": the difference is positive", difference, digits[0].Add(digits[1].Scale(Half)))
}

package modmul

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
)

// Sizes of the parts of numbers.
const (
	HalfBits = 16
	Half     = 1 << HalfBits // H
	Limbs    = 8             // of 32 bits in 256
	Steps    = 16            // of 32 bits in 512
)

// FirstWide and LastWide bound the steps whose carries need 21 bits.
const (
	FirstWide = 4
	LastWide  = 11
)

// IsWide reports whether the carry of a step needs 21 bits.
func IsWide(step int) bool { return step >= FirstWide && step <= LastWide }

// row declares the row of a call; see the package documentation.
type row struct {
	b       *air.Builder
	lookups accelerator.Lookups
	m       air.Expr
}

func declare(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := &row{b, lookups, m}
		n := r.halves("n", read[:Limbs])
		y := r.halves("y", read[Limbs:2*Limbs])
		x := r.halves("x", read[2*Limbs:])
		remainder := r.halves("r", written)
		quotient := b.MainColumns("q", 4*Limbs)
		for _, q := range quotient {
			lookups.Range16(b, m, q)
		}
		r.product(x, y, quotient, n, remainder)
		r.less(written, read[:Limbs])
	}}
}

// halves splits 32-bit limbs into 16-bit limbs, in range. The high halves are columns.
func (r *row) halves(name string, list []air.Expr) (halves []air.Expr) {
	for i, high := range r.b.MainColumns(name, len(list)) {
		low := list[i].Sub(high.Scale(Half))
		r.lookups.Range16(r.b, r.m, low)
		r.lookups.Range16(r.b, r.m, high)
		halves = append(halves, low, high)
	}
	return halves
}

// product declares x y = q n + r.
func (r *row) product(x, y, q, n, remainder []air.Expr) {
	carry := r.b.Constant(0)
	carries := r.carries()
	for k := range Steps {
		s := r.b.Sum(r.coefficient(x, y, 2*k), r.coefficient(x, y, 2*k+1).Scale(Half)).
			Sub(r.coefficient(q, n, 2*k)).Sub(r.coefficient(q, n, 2*k+1).Scale(Half))
		if 2*k < len(remainder) {
			s = s.Sub(remainder[2*k]).Sub(remainder[2*k+1].Scale(Half))
		}
		r.b.AssertEqual(fmt.Sprintf("step %d", k), s.Add(carry), carries[k].Scale(Half*Half))
		carry = carries[k]
	}
	beyond := r.b.Constant(0)
	for i := 2 * Steps; i < len(q)+len(n); i++ {
		beyond = beyond.Add(r.coefficient(q, n, i))
	}
	r.b.AssertZero("nothing of q n is beyond 512 bits", beyond)
}

// coefficient returns the sum of products of limbs whose indices add up to k.
func (r *row) coefficient(x, y []air.Expr, k int) air.Expr {
	sum := r.b.Constant(0)
	for i, v := range x {
		if j := k - i; j >= 0 && j < len(y) {
			sum = sum.Add(v.Mul(y[j]))
		}
	}
	return sum
}

// carries declares the carry out of each step. The last step's carry is 0.
func (r *row) carries() (list []air.Expr) {
	columns := r.b.MainColumns("carry", Steps-1)
	top := r.b.MainColumns("carryTop", LastWide-FirstWide+1)
	for k, v := range columns {
		r.lookups.Range20(r.b, r.m, v)
		if IsWide(k) {
			bit := top[k-FirstWide]
			r.b.AssertBoolean(fmt.Sprintf("carryTop[%d] is boolean", k-FirstWide), bit)
			list = append(list, v.Add(bit.Sub(r.m).Scale(1<<20)))
		} else {
			list = append(list, v.Sub(r.m.Scale(1<<19)))
		}
	}
	return append(list, r.b.Constant(0))
}

// less declares that lower is less than upper, by their 32-bit limbs. A flag marks the highest limb that differs.
func (r *row) less(lower, upper []air.Expr) {
	flags := r.b.MainColumns("differs", Limbs-1)
	flags = append(flags, r.m.Sub(r.b.Sum(flags...)))
	d0, d1 := r.b.Main("d0"), r.b.Main("d1")
	difference, below := r.m.Neg(), r.b.Constant(0)
	for i, flag := range flags {
		r.b.AssertBoolean(fmt.Sprintf("differs[%d] is boolean", i), flag)
		gap := upper[i].Sub(lower[i])
		if i > 0 {
			r.b.AssertZero(fmt.Sprintf("limb %d is equal where one below differs", i), below.Mul(gap))
		}
		difference, below = difference.Add(flag.Mul(gap)), below.Add(flag)
	}
	r.b.AssertEqual("the difference is positive", difference, d0.Add(d1.Scale(Half)))
	r.lookups.Range16(r.b, r.m, d0)
	r.lookups.Range16(r.b, r.m, d1)
}

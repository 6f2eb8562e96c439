package field

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// row is the row of a call: its operands as 32-bit limbs, and its flags.
type row struct {
	*relation.Row
	field                    *Field
	n, y, z, x, result       []air.Expr
	multiply, inverse, minus air.Expr
	roots                    []air.Expr
	root                     air.Expr // the sum of roots
}

func (f *Field) declare(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		limbs := f.Size.Limbs()
		operation, numbers := read[limbs:limbs+2], read[limbs+2:]
		r := &row{
			Row: &relation.Row{Builder: b, Lookups: lookups, M: m}, field: f,
			n: read[:limbs], y: numbers[:limbs], z: numbers[limbs : 2*limbs], x: numbers[2*limbs:], result: written,
		}
		r.operation(operation[0], operation[1])
		r.solves()
		r.Less("result", r.result, r.n)
	}}
}

// operation declares the flags.
func (r *row) operation(low, high air.Expr) {
	r.inverse, r.roots, r.minus = r.Main("inverse"), r.MainColumns("root", len(r.field.Primes)), r.Main("minus")
	r.root = r.Sum(r.roots...)
	r.multiply = r.M.Sub(r.inverse).Sub(r.root)
	r.AssertBoolean("inverse is boolean", r.inverse)
	r.AssertBoolean("multiply is boolean", r.multiply)
	for i, flag := range r.roots {
		r.AssertBoolean(fmt.Sprintf("root[%d] is boolean", i), flag)
		prime := relation.Words(r.field.Primes[i], int(r.field.Size))
		for k, limb := range r.n {
			want := prime[k/2] >> (32 * (k % 2)) & (1<<32 - 1)
			r.When(flag).AssertEqual(fmt.Sprintf("root[%d]: limb %d of the prime", i, k), limb, r.Constant(want))
		}
	}
	r.AssertBoolean("minus is boolean", r.minus)
	r.AssertZero("minus is a root's", r.minus.Mul(r.root.Not()))
	r.AssertEqual("the operation", low, r.inverse.Add(r.root.Double()))
	r.AssertZero("the operation is below 2^32", high)
}

// solves declares the equation.
func (r *row) solves() {
	size := r.field.Size
	a, b := r.Columns("a", size.Digits()), r.Columns("b", size.Digits())
	n, result := r.Halves("n", r.n), r.Halves("result", r.result)
	q := r.Columns("q", 2*size.Digits())
	plus := r.root.Sub(r.minus)
	var as, bs, linear []air.Expr
	for k := range size.Limbs() {
		as = append(as, r.multiply.Mul(r.x[k]).Add(r.inverse.Add(r.root).Mul(r.result[k])))
		bs = append(bs, r.multiply.Mul(r.y[k]).Add(r.inverse.Mul(r.x[k])).Add(r.root.Mul(r.result[k])))
		c := r.multiply.Mul(r.z[k].Sub(r.result[k])).Add(r.minus.Mul(r.x[k]))
		linear = append(linear, c.Add(plus.Mul(r.n[k].Scale(uint64(r.field.Enough)).Sub(r.x[k]))))
	}
	linear[0] = linear[0].Sub(r.inverse)
	r.Equal("a", a, as)
	r.Equal("b", b, bs)
	r.Equation("result", r.field.Shape, []relation.Factors{{A: a, B: b}, {A: q, B: n}}, linear)
	beyond := r.Constant(0)
	for i, v := range q {
		for j := max(0, 2*size.Steps()-i); j < len(n); j++ {
			beyond = beyond.Add(v.Mul(n[j]))
		}
	}
	r.AssertZero("nothing of q n is beyond "+(2*size).Bits()+" bits", beyond)
	r.Lookups.Range16(r.Builder, r.root, result[0].Mul(r.ConstantElement(goldilocks.Element(2).Inverse())))
}

package field256

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Enough times any of [Primes] is more than any 256-bit number.
const Enough = 8

// Shape is the shape of the equation: the products a b and -q n, and the linear terms c - d with multiples of n.
var Shape = relation.New(relation.Span{Low: -1 << 32, High: (Enough + 1) << 32},
	relation.Product{Factor: 1, A: relation.Spans(relation.Digits), B: relation.Spans(relation.Digits)},
	relation.Product{Factor: -1, A: relation.Spans(2 * relation.Digits), B: relation.Spans(relation.Digits)})

// row is the row of a call: its operands as 32-bit limbs, and its flags.
type row struct {
	*relation.Row
	n, y, z, x, result       []air.Expr
	multiply, inverse, minus air.Expr
	roots                    []air.Expr
	root                     air.Expr // the sum of roots
}

func declare(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := &row{
			Row: &relation.Row{Builder: b, Lookups: lookups, M: m},
			n:   read[:8], y: read[10:18], z: read[18:26], x: read[26:], result: written,
		}
		r.operation(read[8], read[9])
		r.solves()
		r.Less("result", r.result, r.n)
	}}
}

// operation declares the flags.
func (r *row) operation(low, high air.Expr) {
	r.inverse, r.roots, r.minus = r.Main("inverse"), r.MainColumns("root", len(Primes)), r.Main("minus")
	r.root = r.Sum(r.roots...)
	r.multiply = r.M.Sub(r.inverse).Sub(r.root)
	r.AssertBoolean("inverse is boolean", r.inverse)
	r.AssertBoolean("multiply is boolean", r.multiply)
	for i, flag := range r.roots {
		r.AssertBoolean(fmt.Sprintf("root[%d] is boolean", i), flag)
		prime := relation.Words(Primes[i], 4)
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
	a, b := r.Columns("a", relation.Digits), r.Columns("b", relation.Digits)
	n, result := r.Halves("n", r.n), r.Halves("result", r.result)
	q := r.Columns("q", 2*relation.Digits)
	plus := r.root.Sub(r.minus)
	var as, bs, linear []air.Expr
	for k := range relation.Limbs {
		as = append(as, r.multiply.Mul(r.x[k]).Add(r.inverse.Add(r.root).Mul(r.result[k])))
		bs = append(bs, r.multiply.Mul(r.y[k]).Add(r.inverse.Mul(r.x[k])).Add(r.root.Mul(r.result[k])))
		c := r.multiply.Mul(r.z[k].Sub(r.result[k])).Add(r.minus.Mul(r.x[k]))
		linear = append(linear, c.Add(plus.Mul(r.n[k].Scale(Enough).Sub(r.x[k]))))
	}
	linear[0] = linear[0].Sub(r.inverse)
	r.Equal("a", a, as)
	r.Equal("b", b, bs)
	r.Equation("result", Shape, []relation.Factors{{A: a, B: b}, {A: q, B: n}}, linear)
	beyond := r.Constant(0)
	for i, v := range q {
		for j := max(0, 2*relation.Steps-i); j < len(n); j++ {
			beyond = beyond.Add(v.Mul(n[j]))
		}
	}
	r.AssertZero("nothing of q n is beyond 512 bits", beyond)
	r.Lookups.Range16(r.Builder, r.root, result[0].Mul(r.ConstantElement(goldilocks.Element(2).Inverse())))
}

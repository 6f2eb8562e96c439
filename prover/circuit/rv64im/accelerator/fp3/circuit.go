package fp3

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// maxLimb is the largest limb.
const maxLimb = 1<<32 - 1

// row is the row of a call.
type row struct{ *relation.Row }

// value returns the element of Fp in word i of limbs.
func value(limbs []air.Expr, i int) air.Expr { return limbs[2*i].Add(limbs[2*i+1].Scale(1 << 32)) }

// coordinates returns the element of Fp3 in the first three words of limbs.
func coordinates(limbs []air.Expr) (e [Degree]air.Expr) {
	for i := range e {
		e[i] = value(limbs, i)
	}
	return e
}

func declareRow(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := row{&relation.Row{Builder: b, Lookups: lookups, M: m}}
		coefficients, before := read[2*Block:], read[8*Block:]
		sum := coordinates(before)
		for i := range Block {
			x, c := value(read, i), coordinates(coefficients[2*Degree*i:])
			for k := range sum {
				sum[k] = sum[k].Add(x.Mul(c[k]))
			}
		}
		refused := r.refuses(read[:2*Block])
		low, high := before[2*Degree], before[2*Degree+1]
		r.AssertEqual("the low limb of the refusal", written[2*Degree], low.Add(refused.Mul(low.Not())))
		r.AssertEqual("the high limb of the refusal", written[2*Degree+1], high.Sub(refused.Mul(high)))
		r.becomes(written[:2*Degree], sum)
	}}
}

func declareMultiplyAdd(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := row{&relation.Row{Builder: b, Lookups: lookups, M: m}}
		x, y := coordinates(read), coordinates(read[2*Degree:])
		sum := coordinates(read[4*Degree:])
		for i := range x {
			for k := range y {
				product := x[i].Mul(y[k])
				if i+k >= Degree {
					product = product.Double() // w^3 = 2
				}
				sum[(i+k)%Degree] = sum[(i+k)%Degree].Add(product)
			}
		}
		r.becomes(written, sum)
	}}
}

// refuses returns an expression that is 1 if one of the words is not below p, else 0.
func (r row) refuses(limbs []air.Expr) air.Expr {
	top := r.Constant(maxLimb)
	excess := r.Constant(0)
	for i, t := range r.MainColumns("inverse", len(limbs)/2) {
		low, gap := limbs[2*i], top.Sub(limbs[2*i+1])
		isTop := r.M.Sub(gap.Mul(t))
		r.AssertZero(fmt.Sprintf("whether the high limb of word %d is the largest", i), gap.Mul(isTop))
		excess = excess.Add(low.Mul(isTop))
	}
	column, refused, inverse := r.Main("excess"), r.Main("refused"), r.Main("excessInverse")
	r.AssertEqual("the excess", column, excess)
	r.AssertEqual("nothing is refused without excess", refused, column.Mul(inverse))
	r.AssertZero("excess is refused", column.Mul(r.M.Sub(refused)))
	return refused
}

// becomes declares that limbs are the element of Fp3, each word below p.
func (r row) becomes(limbs []air.Expr, e [Degree]air.Expr) {
	r.Halves("result", limbs)
	for i, t := range r.MainColumns("resultInverse", Degree) {
		low, gap := limbs[2*i], r.Constant(maxLimb).Sub(limbs[2*i+1])
		r.AssertEqual(fmt.Sprintf("coordinate %d of the result", i), value(limbs, i), e[i])
		r.AssertZero(fmt.Sprintf("coordinate %d of the result is below p", i), low.Mul(gap.Mul(t).Not()))
	}
}

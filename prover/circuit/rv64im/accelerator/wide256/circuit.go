package wide256

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// size is the size of the factors.
const size = relation.Size(NumberWords)

// Shape is the shape of the equation: the product x y, and the limbs of the accumulator and of the sum as linear terms.
var Shape = shape()

func shape() *relation.Shape {
	const limb = 1<<32 - 1
	linear := make([]relation.Span, size.Steps())
	for k := range linear {
		linear[k] = relation.Span{Low: -limb, High: limb}
	}
	linear[len(linear)-1].Low -= 1 << 32
	return relation.NewLinear(linear,
		relation.Product{Factor: 1, A: relation.Spans(size.Digits()), B: relation.Spans(size.Digits())})
}

func declare(_ *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	return accelerator.Circuit{Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
		r := &relation.Row{Builder: b, Lookups: lookups, M: m}
		limbs, ninth := size.Limbs(), size.Steps() // of a number, and the first limb of the ninth word
		y, x, old := r.Halves("y", read[:limbs]), r.Halves("x", read[limbs:2*limbs]), read[2*limbs:]
		r.Halves("sum", written[:ninth+1])
		overflow := r.Main("overflow")
		r.AssertBoolean("overflow is boolean", overflow)
		var linear []air.Expr
		for k := range size.Steps() {
			linear = append(linear, old[k].Sub(written[k]))
		}
		linear[ninth-1] = linear[ninth-1].Sub(overflow.Scale(1 << 32))
		r.Equation("sum", Shape, []relation.Factors{{A: x, B: y}}, linear)
		r.AssertEqual("overflows are counted", written[ninth], old[ninth].Add(overflow))
		r.AssertZero("the accumulator is below 2^544", old[ninth+1])
		r.AssertZero("the sum is below 2^544", written[ninth+1])
	}}
}

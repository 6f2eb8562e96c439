package riscv_test

import (
	"fmt"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// lieAbout is a cheat of a call's row.
func lieAbout(table, name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
	return cheat{name: name, of: instruction.ECALL, table: table, reason: reason, with: with, where: where, lie: lie}
}

// stepsOf names the steps of an equation in a range.
func stepsOf(name string, from, to int) (text string) {
	for k := from; k <= to; k++ {
		text += fmt.Sprintf(", %s: step %d", name, k)
	}
	return text[2:]
}

// fieldCheats are about arithmetic modulo a number, points of curves and quadratic fields. The packages' own tests have
// false solutions of their equations, and a lie for each constraint.
func fieldCheats() (list []cheat) {
	for _, f := range []*field.Field{field.Of256, field.Of384} {
		list = append(list, numberCheats(f)...)
	}
	for _, f := range []*ec.Family{ec.Of256, ec.Of384} {
		list = append(list, pointCheats(f, f.Add.Tables.Calls, &f.AddShapes, 2*f.Size.Limbs())...)
		list = append(list, pointCheats(f, f.Double.Tables.Calls, &f.DoubleShapes, 0)...)
		list = append(list,
			lieAbout(f.Add.Tables.Calls, "points of the same x", "x1 and x2 differ", "", nil,
				func(r row) { r.add("inverse", 1) }),
			lieAbout(f.Double.Tables.Calls, "a point with y = 0", "y1 is not 0", "", nil,
				func(r row) { r.add("inverse", 1) }))
	}
	for _, f := range []*fp2.Field{fp2.OfBN254, fp2.OfBLS12381} {
		list = append(list, elementCheats(f, f.Operation.Tables.Calls)...)
		list = append(list, elementCheats(f, f.Sum.Tables.Calls)...)
		list = append(list, lieAbout(f.Operation.Tables.Calls, "another operation than the argument's", "the operation",
			"CALL", nil, func(r row) { r.add("word[2]", 1) }))
	}
	return append(list, wideCheats()...)
}

// numberCheats are about arithmetic modulo a number.
func numberCheats(f *field.Field) []cheat {
	table, limbs := f.Kind.Tables.Calls, f.Size.Limbs()
	operation := fmt.Sprintf("read[%d]", limbs)
	multiply := func(r row) bool { return r.get(operation) == field.Multiply && r.get("written[0]")&m>>16 < m>>16 }
	root := func(r row) bool { return r.get(operation) == field.Root && r.get("minus") == 0 }
	return []cheat{
		lieAbout(table, "another result", "result: step 0", "M", multiply, func(r row) { r.add("written[0]", 1) }),
		lieAbout(table, "a lost carry", "result: step 3", "result: step 4", nil,
			func(r row) { r.add("resultCarry[3]", -1) }),
		lieAbout(table, "a quotient's digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("q[0]", 1<<16)
			r.add("q[1]", -1)
			r.settleEquation("result", f.Shape)
		}),
		lieAbout(table, "a result at least the modulus", "bus R16", "M", func(r row) bool {
			sum := new(big.Int).Add(r.whole("written", limbs), r.whole("read", limbs))
			return r.get(operation) == field.Multiply && r.get("q[0]") > 0 && sum.BitLen() <= 32*limbs
		}, func(r row) {
			r.add("q[0]", -1)
			r.write("written", "result", limbs, new(big.Int).Add(r.whole("written", limbs), r.whole("read", limbs)))
			r.settleEquation("result", f.Shape)
			for i := range limbs - 1 {
				r.set(fmt.Sprintf("resultDiffers[%d]", i), 0)
			}
			r.set("resultDifference[1]", 0)
			r.solve("resultDifference[0]", "result: the difference is positive")
		}),
		lieAbout(table, "the root that is odd", "bus R16", "M", root, func(r row) {
			n := r.whole("read", limbs)
			odd := new(big.Int).Sub(n, r.whole("written", limbs))
			r.write("written", "result", limbs, odd)
			for i, d := range digits(odd, 16, f.Size.Digits()) {
				r.set(fmt.Sprintf("a[%d]", i), int64(d))
				r.set(fmt.Sprintf("b[%d]", i), int64(d))
			}
			x := wholeNumber(numbersOf(r, 3*limbs+2, int(f.Size)))
			q := new(big.Int).Mul(odd, odd)
			q.Add(q, new(big.Int).Mul(n, big.NewInt(f.Enough))).Sub(q, x).Div(q, n)
			for i, d := range digits(q, 16, 2*f.Size.Digits()) {
				r.set(fmt.Sprintf("q[%d]", i), int64(d))
			}
			r.settleEquation("result", f.Shape)
			r.settleLess("result", limbs, odd, n)
		}),
		lieAbout(table, "the root of another sign", "result: step 0", stepsOf("result", 1, limbs-1), root,
			func(r row) { r.set("minus", 1) }),
		lieAbout(table, "another operation than memory's", "the operation", "M", nil, func(r row) { r.add(operation, 1) }),
		lieAbout(table, "another number than memory's", "bus M", "result: step 0", multiply,
			func(r row) { r.add(fmt.Sprintf("read[%d]", 2*limbs+2), 1) }),
	}
}

// pointCheats are about sums of points. x1 is the limb at which the first point is read.
func pointCheats(f *ec.Family, table string, shapes *ec.Shapes, x1 int) []cheat {
	limbs, curve := f.Size.Limbs(), len(f.Curves)-1
	y3 := fmt.Sprintf("written[%d]", limbs)
	number := "word[1]"
	if x1 > 0 {
		number = "word[2]"
	}
	return []cheat{
		lieAbout(table, "another result", "y3: step 0", "M, y3: the difference is positive",
			func(r row) bool { return r.get(y3)&(m>>16) < m>>16 }, func(r row) { r.add(y3, 1) }),
		lieAbout(table, "a lost carry", "x3: step 3", "x3: step 4", nil, func(r row) { r.add("x3Carry[3]", -1) }),
		lieAbout(table, "a quotient's digit aliased", "bus R16", "", nil, func(r row) {
			r.add("x3Quotient[0]", 1<<16)
			r.add("x3Quotient[1]", -1)
			r.settleEquation("x3", shapes.X)
		}),
		lieAbout(table, "an x at least the prime", "bus R16", "M",
			func(r row) bool { return curve == 0 || r.get(f.Curves[curve].Name) == 1 },
			func(r row) {
				p := f.Curves[curve].Prime
				x := new(big.Int).Add(r.whole("written", limbs), p)
				r.write("written", "x3", limbs, x)
				r.addTo("x3Quotient", f.Size.Digits(), -1)
				r.settleEquation("x3", shapes.X)
				for i := range f.Size.Digits() { // slope p less: the quotient of y3 is the slope less
					slope := int64(r.get(fmt.Sprintf("slope[%d]", i)))
					r.add(fmt.Sprintf("y3Quotient[%d]", i), -slope)
				}
				r.borrow("y3Quotient", f.Size.Digits())
				r.settleEquation("y3", shapes.Y)
				r.settleLess("x3", limbs, x, p)
				r.set("x3Difference[1]", 0)
				r.solve("x3Difference[0]", "x3: the difference is positive")
			}),
		lieAbout(table, "another slope", "x3: step 0",
			stepsOf("slope", 0, limbs-1)+", "+stepsOf("x3", 0, limbs-1)+", "+stepsOf("y3", 0, limbs-1), nil,
			func(r row) { r.add("slope[0]", 1) }),
		lieAbout(table, "another curve than the argument's", "the curve's number", "CALL", nil,
			func(r row) { r.add(number, 1) }),
		lieAbout(table, "another coordinate than memory's", "bus M", "R16, x3: step 0, y3: step 0, "+
			"x1: the difference is positive, x1 and x2 differ, "+stepsOf("slope", 0, limbs-1)+", "+
			stepsOf("y3", 1, limbs-1), nil, func(r row) { r.add(fmt.Sprintf("read[%d]", x1), 1) }),
	}
}

// elementCheats are about quadratic fields.
func elementCheats(f *fp2.Field, table string) []cheat {
	limbs := f.Size.Limbs()
	product := func(r row) bool {
		small := r.get("written[0]")&(m>>16) < m>>16
		return small && (table == f.Sum.Tables.Calls || r.get("add")+r.get("subtract") == 0)
	}
	return []cheat{
		lieAbout(table, "another result", "real: step 0", "M, real: the difference is positive", product,
			func(r row) { r.add("written[0]", 1) }),
		lieAbout(table, "a lost carry", "imaginary: step 3", "imaginary: step 4", nil,
			func(r row) { r.add("imaginaryCarry[3]", -1) }),
		lieAbout(table, "a quotient's digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("realQuotient[0]", 1<<16)
			r.add("realQuotient[1]", -1)
			r.settleEquation("real", f.Shapes[0])
		}),
		lieAbout(table, "a part at least the prime", "bus R16", "M", nil, func(r row) {
			part := new(big.Int).Add(r.whole("written", limbs), f.Prime)
			r.write("written", "real", limbs, part)
			r.add("realQuotient[0]", -1)
			for i := range f.Size.Digits() {
				if cell := fmt.Sprintf("realQuotient[%d]", i); r.get(cell) > goldilocks.Modulus/2 {
					r.add(cell, 1<<16)
					r.add(fmt.Sprintf("realQuotient[%d]", i+1), -1)
				}
			}
			r.settleEquation("real", f.Shapes[0])
			r.settleLess("real", limbs, part, f.Prime)
			r.set("realDifference[1]", 0)
			r.solve("realDifference[0]", "real: the difference is positive")
		}),
		lieAbout(table, "another number than memory's", "bus M", "R16, "+stepsOf("real", 0, limbs)+", "+
			stepsOf("imaginary", 0, limbs), product, func(r row) { r.add("read[0]", 1) }),
	}
}

// wideCheats are about products without a modulus.
func wideCheats() []cheat {
	return []cheat{
		lieAbout("WIDE256", "another sum", "sum: step 0", "M",
			func(r row) bool { return r.get("written[0]")&(m>>16) < m>>16 }, func(r row) { r.add("written[0]", 1) }),
		lieAbout("WIDE256", "a lost carry", "sum: step 3", "sum: step 4", nil, func(r row) { r.add("sumCarry[3]", -1) }),
		lieAbout("WIDE256", "a digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("x[0]", -1) // the low half becomes 2^16 more
			r.settleEquation("sum", wide256.Shape)
		}),
		lieAbout("WIDE256", "an overflow that is hidden", "overflows are counted", "sum: step 15",
			func(r row) bool { return r.get("overflow") == 1 }, func(r row) { r.set("overflow", 0) }),
		lieAbout("WIDE256", "a limb of the sum aliased", "bus R16", "M", func(r row) bool {
			return r.get("written[15]") > 0 && r.get("overflow") == 0
		}, func(r row) { // the overflow is counted, and the limb is 2^32 less
			r.add("written[15]", -1<<32)
			r.add("written[16]", 1)
			r.set("overflow", 1)
			r.settleEquation("sum", wide256.Shape)
		}),
		lieAbout("WIDE256", "another number than memory's", "bus M", "R16, "+stepsOf("sum", 0, 8), nil,
			func(r row) { r.add("read[0]", 1) }),
	}
}

// numbersOf are the words of the number that is read from a given limb on.
func numbersOf(r row, limb, count int) (words []uint64) {
	for i := range count {
		words = append(words, r.get(fmt.Sprintf("read[%d]", limb+2*i))|r.get(fmt.Sprintf("read[%d]", limb+2*i+1))<<32)
	}
	return words
}

// whole is the number whose limbs are the first of a family of columns.
func (r row) whole(family string, limbs int) *big.Int {
	n := new(big.Int)
	for i := limbs - 1; i >= 0; i-- {
		n.Lsh(n, 32).Add(n, new(big.Int).SetUint64(r.get(fmt.Sprintf("%s[%d]", family, i))))
	}
	return n
}

// write writes a number into count limbs, and the columns of their high halves.
func (r row) write(limbs, halves string, count int, n *big.Int) {
	for i, v := range digits(n, 32, count) {
		r.set(fmt.Sprintf("%s[%d]", limbs, i), int64(v))
		r.set(fmt.Sprintf("%s[%d]", halves, i), int64(v>>16))
	}
}

// addTo adds to a number of count digits.
func (r row) addTo(name string, count int, v int64) {
	r.add(name+"[0]", v)
	r.borrow(name, count)
}

// borrow makes negative digits nonnegative, and subtracts from the top digit's column.
func (r row) borrow(name string, count int) {
	for i := range count {
		cell, next := fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%s[%d]", name, i+1)
		if i == count-1 {
			next = name + "Top"
		}
		if r.get(cell) > goldilocks.Modulus/2 {
			r.add(cell, 1<<16)
			r.add(next, -1)
		}
	}
}

// settleEquation sets the carries of an equation to what its steps need, within their columns if possible.
func (r row) settleEquation(name string, shape *relation.Shape) {
	top := 0
	for k, c := range shape.Carries {
		carry := fmt.Sprintf("%sCarry[%d]", name, k)
		for i := range c.Tops {
			r.set(fmt.Sprintf("%sTop[%d]", name, top+i), 0)
		}
		r.solve(carry, fmt.Sprintf("%s: step %d", name, k))
		if v := r.get(carry); v <= uint64(c.Most()-c.Offset) {
			r.set(carry, int64(v%(1<<20)))
			v >>= 20
			for i := range c.Tops {
				r.set(fmt.Sprintf("%sTop[%d]", name, top+i), int64(v%3))
				v /= 3
			}
		}
		top += c.Tops
	}
}

// settleLess sets the first limb at which two numbers differ, and their difference there, which is out of range if
// negative.
func (r row) settleLess(name string, limbs int, lower, upper *big.Int) {
	a, b := digits(upper, 32, limbs), digits(lower, 32, limbs)
	for i := range limbs - 1 {
		r.set(fmt.Sprintf("%sDiffers[%d]", name, i), 0)
	}
	for i := limbs - 1; i >= 0; i-- {
		if a[i] != b[i] {
			if i < limbs-1 {
				r.set(fmt.Sprintf("%sDiffers[%d]", name, i), 1)
			}
			difference := a[i] - b[i] - 1
			r.set(name+"Difference[0]", int64(difference%(1<<16)))
			r.set(name+"Difference[1]", int64(difference>>16%(1<<16)))
			return
		}
	}
}

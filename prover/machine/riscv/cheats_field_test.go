package riscv_test

import (
	"fmt"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// fieldCheats are of arithmetic modulo 256 bits and of points of curves. False solutions of their equations, and a lie
// for each constraint, are in the tests of their own packages.
func fieldCheats() (list []cheat) {
	lies := func(table, name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
		return cheat{
			name: name, of: instruction.ECALL, table: table, reason: reason, with: with, where: where, lie: lie,
		}
	}
	multiply := func(r row) bool { return r.get("read[8]") == field256.Multiply && r.get("written[0]")&m>>16 < m>>16 }
	root := func(r row) bool { return r.get("read[8]") == field256.Root && r.get("minus") == 0 }
	steps := func(name string, from, to int) (text string) {
		for k := from; k <= to; k++ {
			text += fmt.Sprintf(", %s: step %d", name, k)
		}
		return text[2:]
	}
	list = []cheat{
		lies("FIELD256", "another result", "result: step 0", "M", multiply, func(r row) { r.add("written[0]", 1) }),
		lies("FIELD256", "a lost carry", "result: step 3", "result: step 4", nil,
			func(r row) { r.add("resultCarry[3]", -1) }),
		lies("FIELD256", "a quotient's digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("q[0]", 1<<16)
			r.add("q[1]", -1)
			r.settleEquation("result", field256.Shape)
		}),
		lies("FIELD256", "a result at least the modulus", "bus R16", "M", func(r row) bool {
			return r.get("read[8]") == field256.Multiply && r.get("q[0]") > 0 &&
				new(big.Int).Add(r.number("written"), r.number("read")).BitLen() <= 256
		}, func(r row) {
			r.add("q[0]", -1)
			r.write("written", "result", 0, new(big.Int).Add(r.number("written"), r.number("read")))
			r.settleEquation("result", field256.Shape)
			for i := range 7 {
				r.set(fmt.Sprintf("resultDiffers[%d]", i), 0)
			}
			r.set("resultDifference[1]", 0)
			r.solve("resultDifference[0]", "result: the difference is positive")
		}),
		lies("FIELD256", "the root that is odd", "bus R16", "M", root, func(r row) {
			n := r.number("read")
			odd := new(big.Int).Sub(n, r.number("written"))
			r.write("written", "result", 0, odd)
			for i, d := range digits(odd, 16, 16) {
				r.set(fmt.Sprintf("a[%d]", i), int64(d))
				r.set(fmt.Sprintf("b[%d]", i), int64(d))
			}
			x := wholeNumber(numbersOf(r, 26))
			q := new(big.Int).Mul(odd, odd)
			q.Add(q, new(big.Int).Lsh(n, 3)).Sub(q, x).Div(q, n)
			for i, d := range digits(q, 16, 32) {
				r.set(fmt.Sprintf("q[%d]", i), int64(d))
			}
			r.settleEquation("result", field256.Shape)
			r.settleLess("result", odd, n)
		}),
		lies("FIELD256", "the root of another sign", "result: step 0", steps("result", 1, 7), root,
			func(r row) { r.set("minus", 1) }),
		lies("FIELD256", "another operation than memory's", "the operation", "M", nil, func(r row) { r.add("read[8]", 1) }),
		lies("FIELD256", "another number than memory's", "bus M", "result: step 0", multiply,
			func(r row) { r.add("read[18]", 1) }),
	}
	for _, table := range []string{"ECADD", "ECDOUBLE"} {
		shapes := ec256.AddShapes
		if table == "ECDOUBLE" {
			shapes = ec256.DoubleShapes
		}
		list = append(list,
			lies(table, "another result", "y3: step 0", "M, y3: the difference is positive", func(r row) bool {
				return r.get("written[8]")&(m>>16) < m>>16
			}, func(r row) { r.add("written[8]", 1) }),
			lies(table, "a lost carry", "x3: step 3", "x3: step 4", nil, func(r row) { r.add("x3Carry[3]", -1) }),
			lies(table, "a quotient's digit aliased", "bus R16", "", nil, func(r row) {
				r.add("x3Quotient[0]", 1<<16)
				r.add("x3Quotient[1]", -1)
				r.settleEquation("x3", shapes.X)
			}),
			lies(table, "an x at least the prime", "bus R16", "M", func(r row) bool { return r.get("bn254") == 1 },
				func(r row) {
					p := ec256.Curves[2].Prime
					x := new(big.Int).Add(r.number("written"), p)
					r.write("written", "x3", 0, x)
					r.addTo("x3Quotient", -1)
					r.settleEquation("x3", shapes.X)
					slope := int64(0)
					for i := range 16 { // slope p less: the quotient of y3 is the slope less
						slope = int64(r.get(fmt.Sprintf("slope[%d]", i)))
						r.add(fmt.Sprintf("y3Quotient[%d]", i), -slope)
					}
					r.borrow("y3Quotient")
					r.settleEquation("y3", shapes.Y)
					r.settleLess("x3", x, p)
					r.set("x3Difference[1]", 0)
					r.solve("x3Difference[0]", "x3: the difference is positive")
				}),
			lies(table, "another slope", "x3: step 0", steps("slope", 0, 7)+", "+steps("x3", 0, 7)+", "+steps("y3", 0, 7), nil,
				func(r row) { r.add("slope[0]", 1) }),
			lies(table, "another curve than the argument's", "the curve's number", "CALL", nil,
				func(r row) { r.add(map[string]string{"ECADD": "word[2]", "ECDOUBLE": "word[1]"}[table], 1) }),
			lies(table, "another coordinate than memory's", "bus M", "R16, x3: step 0, y3: step 0, "+
				"x1: the difference is positive, x1 and x2 differ, "+steps("slope", 0, 7)+", "+steps("y3", 1, 7), nil,
				func(r row) { r.add(map[string]string{"ECADD": "read[16]", "ECDOUBLE": "read[0]"}[table], 1) }),
		)
	}
	product := func(r row) bool { return r.get("add")+r.get("subtract") == 0 && r.get("written[0]")&(m>>16) < m>>16 }
	return append(list,
		lies("FP2", "another result", "real: step 0", "M, real: the difference is positive", product,
			func(r row) { r.add("written[0]", 1) }),
		lies("FP2", "a lost carry", "imaginary: step 3", "imaginary: step 4", nil,
			func(r row) { r.add("imaginaryCarry[3]", -1) }),
		lies("FP2", "a quotient's digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("realQuotient[0]", 1<<16)
			r.add("realQuotient[1]", -1)
			r.settleEquation("real", fp2.Shapes[0])
		}),
		lies("FP2", "a part at least the prime", "bus R16", "M", nil, func(r row) {
			part := new(big.Int).Add(r.number("written"), fp2.Prime)
			r.write("written", "real", 0, part)
			r.add("realQuotient[0]", -1)
			for i := range 16 {
				if cell := fmt.Sprintf("realQuotient[%d]", i); r.get(cell) > goldilocks.Modulus/2 {
					r.add(cell, 1<<16)
					r.add(fmt.Sprintf("realQuotient[%d]", i+1), -1)
				}
			}
			r.settleEquation("real", fp2.Shapes[0])
			r.settleLess("real", part, fp2.Prime)
			r.set("realDifference[1]", 0)
			r.solve("realDifference[0]", "real: the difference is positive")
		}),
		lies("FP2", "another operation than the argument's", "the operation", "CALL", nil,
			func(r row) { r.add("word[2]", 1) }),
		lies("FP2", "another number than memory's", "bus M", "R16, "+steps("real", 0, 8)+", "+steps("imaginary", 0, 8),
			product, func(r row) { r.add("read[0]", 1) }),
		lies("WIDE256", "another sum", "sum: step 0", "M", func(r row) bool { return r.get("written[0]")&(m>>16) < m>>16 },
			func(r row) { r.add("written[0]", 1) }),
		lies("WIDE256", "a lost carry", "sum: step 3", "sum: step 4", nil, func(r row) { r.add("sumCarry[3]", -1) }),
		lies("WIDE256", "a digit aliased", "bus R16", "R20", nil, func(r row) {
			r.add("x[0]", -1) // the low half becomes 2^16 more
			r.settleEquation("sum", wide256.Shape)
		}),
		lies("WIDE256", "an overflow that is hidden", "overflows are counted", "sum: step 15",
			func(r row) bool { return r.get("overflow") == 1 }, func(r row) { r.set("overflow", 0) }),
		lies("WIDE256", "a limb of the sum aliased", "bus R16", "M", func(r row) bool {
			return r.get("written[15]") > 0 && r.get("overflow") == 0
		}, func(r row) { // the overflow is counted, and the limb is 2^32 less
			r.add("written[15]", -1<<32)
			r.add("written[16]", 1)
			r.set("overflow", 1)
			r.settleEquation("sum", wide256.Shape)
		}),
		lies("WIDE256", "another number than memory's", "bus M", "R16, "+steps("sum", 0, 8), nil,
			func(r row) { r.add("read[0]", 1) }),
		lies("ECADD", "points of the same x", "x1 and x2 differ", "", nil, func(r row) { r.add("inverse", 1) }),
		lies("ECDOUBLE", "a point with y = 0", "y1 is not 0", "", nil, func(r row) { r.add("inverse", 1) }),
	)
}

// numbersOf are the four words of the number that is read from some limb on.
func numbersOf(r row, limb int) (words []uint64) {
	for i := range 4 {
		words = append(words, r.get(fmt.Sprintf("read[%d]", limb+2*i))|r.get(fmt.Sprintf("read[%d]", limb+2*i+1))<<32)
	}
	return words
}

// write puts a number of 256 bits into limbs and the columns of their high halves.
func (r row) write(limbs, halves string, from int, n *big.Int) {
	for i, v := range digits(n, 32, 8) {
		r.set(fmt.Sprintf("%s[%d]", limbs, from+i), int64(v))
		r.set(fmt.Sprintf("%s[%d]", halves, i), int64(v>>16))
	}
}

// addTo adds to a number in digits.
func (r row) addTo(name string, v int64) {
	r.add(name+"[0]", v)
	r.borrow(name)
}

// borrow brings digits that are negative back into their range, and takes from the top digit's column.
func (r row) borrow(name string) {
	for i := range 16 {
		cell, next := fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%s[%d]", name, i+1)
		if i == 15 {
			next = name + "Top"
		}
		if r.get(cell) > goldilocks.Modulus/2 {
			r.add(cell, 1<<16)
			r.add(next, -1)
		}
	}
}

// settleEquation gives the carries of an equation what its steps need, within their columns if they can.
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

// settleLess says at which limb two numbers differ first, and by how much: nonsense if that is negative.
func (r row) settleLess(name string, lower, upper *big.Int) {
	a, b := digits(upper, 32, 8), digits(lower, 32, 8)
	for i := range 7 {
		r.set(fmt.Sprintf("%sDiffers[%d]", name, i), 0)
	}
	for i := 7; i >= 0; i-- {
		if a[i] != b[i] {
			if i < 7 {
				r.set(fmt.Sprintf("%sDiffers[%d]", name, i), 1)
			}
			difference := a[i] - b[i] - 1
			r.set(name+"Difference[0]", int64(difference%(1<<16)))
			r.set(name+"Difference[1]", int64(difference>>16%(1<<16)))
			return
		}
	}
}

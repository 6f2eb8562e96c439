package riscv_test

import (
	"fmt"
	"math/big"
)

// The model of calls on points of elliptic curves, in affine coordinates.

// points calls both accelerators on each curve, also with coordinates above the prime and with a slope of 0.
func (m *callModel) points(n sizeModel) {
	largest, zero, one := n.largest(), new(big.Int), big.NewInt(1)
	for i, curve := range n.curves {
		p := curve.prime
		first := m.place(n.join(new(big.Int).Div(p, big.NewInt(3)), largest)...)
		second := m.place(n.join(new(big.Int).Sub(p, one), one)...)
		m.addPoints(n, m.place(n.join(zero, one)...), second, i) // a slope of 0
		m.addPoints(n, first, second, i)
		m.addPoints(n, first, second, i)
		m.addPoints(n, second, first, i)
		m.doublePoint(n, first, i)
		m.doublePoint(n, first, i)
		m.doublePoint(n, m.place(n.join(largest, one)...), i)
	}
}

// addPoints calls the accelerator with the points at these distances.
func (m *callModel) addPoints(n sizeModel, first, second int64, curve int) {
	w := 2 * uint64(n.words())
	m.call("ECADD"+n.suffix, 0x120+2*n.second, []operand{{2, 0, 0}, {1, w, 1}, {0, w, 2}},
		[]int64{first, second, int64(curve)}, func(read []uint64) ([]uint64, cells) {
			numbers := n.split(read)
			x2, y2, x1, y1 := numbers[0], numbers[1], numbers[2], numbers[3]
			p, count := n.curves[curve].prime, n.bits/16
			rise, run := new(big.Int).Sub(y2, y1), new(big.Int).Sub(x2, x1)
			slope := quotientModulo(rise, run, p)
			x3, y3, row := n.sumCells(curve, slope, x1, y1, x2)
			row.halves("x2", x2, n.bits)
			row.halves("y2", y2, n.bits)
			row.take(less("x1", x1, p, n.bits))
			row.take(less("x2", x2, p, n.bits))
			squares := new(big.Int)
			for _, d := range minusDigits(x2, x1, count) {
				squares.Add(squares, big.NewInt(d.value*d.value))
			}
			row["inverse"] = new(big.Int).ModInverse(squares, prime).Uint64()
			e := newEquation(n.bits)
			e.product(1, digitsOf(slope, count), minusDigits(x2, x1, count))
			e.allow(-1<<32, 1<<32)
			e.add(-1, y2)
			e.add(1, y1)
			left := new(big.Int).Mul(slope, run)
			row.take(n.quotient("slope", e, left.Sub(left, rise), p, -1, 0))
			return n.join(x3, y3), row
		})
}

// doublePoint calls the accelerator with the point at this distance.
func (m *callModel) doublePoint(n sizeModel, point int64, curve int) {
	w := 2 * uint64(n.words())
	m.call("ECDOUBLE"+n.suffix, 0x121+2*n.second, []operand{{1, 0, 0}, {0, w, 2}}, []int64{point, int64(curve)},
		func(read []uint64) ([]uint64, cells) {
			x1, y1 := n.split(read)[0], n.split(read)[1]
			p, a, count := n.curves[curve].prime, big.NewInt(n.curves[curve].a), n.bits/16
			rise := new(big.Int).Mul(big.NewInt(3), new(big.Int).Mul(x1, x1))
			rise.Add(rise, a)
			run := new(big.Int).Lsh(y1, 1)
			slope := quotientModulo(rise, run, p)
			x3, y3, row := n.sumCells(curve, slope, x1, y1, x1)
			row.take(less("y1", y1, p, n.bits))
			limbs := new(big.Int)
			for _, limb := range digits(y1, 32, n.bits/32) {
				limbs.Add(limbs, new(big.Int).SetUint64(limb))
			}
			row["inverse"] = new(big.Int).ModInverse(limbs, prime).Uint64()
			e := newEquation(n.bits)
			e.product(2, digitsOf(slope, count), digitsOf(y1, count))
			e.product(-3, digitsOf(x1, count), digitsOf(x1, count))
			e.allow(0, 3)
			e.add(-a.Int64(), big.NewInt(1))
			left := new(big.Int).Mul(slope, run)
			row.take(n.quotient("slope", e, left.Sub(left, rise), p, n.leastTop, n.leastTop+1<<16-1))
			return n.join(x3, y3), row
		})
}

// quotientModulo returns a/b modulo a prime.
func quotientModulo(a, b, prime *big.Int) *big.Int {
	q := new(big.Int).ModInverse(new(big.Int).Mod(b, prime), prime)
	return q.Mod(q.Mul(q, a), prime)
}

// sumCells returns the third point of a line through a point, mirrored, with the cells that both calls have.
func (n sizeModel) sumCells(curve int, slope, x1, y1, x2 *big.Int) (x3, y3 *big.Int, row cells) {
	p, count := n.curves[curve].prime, n.bits/16
	row = cells{}
	for i, c := range n.curves {
		if c.flag != "" {
			row[c.flag] = boolean(i == curve)
		}
	}
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, x1).Sub(x, x2)
	x3 = new(big.Int).Mod(x, p)
	y := new(big.Int).Sub(x1, x3)
	y.Mul(y, slope).Sub(y, y1)
	y3 = new(big.Int).Mod(y, p)
	row.halves("x1", x1, n.bits)
	row.halves("y1", y1, n.bits)
	row.halves("x3", x3, n.bits)
	row.halves("y3", y3, n.bits)
	row.list("slope", digits(slope, 16, count)...)
	e := newEquation(n.bits)
	e.product(1, digitsOf(slope, count), digitsOf(slope, count))
	e.allow(-3<<32, 0)
	for _, v := range []*big.Int{x1, x2, x3} {
		e.add(-1, v)
	}
	row.take(n.quotient("x3", e, x.Sub(x, x3), p, -1, 0))
	e = newEquation(n.bits)
	e.product(1, digitsOf(slope, count), minusDigits(x1, x3, count))
	e.allow(-2<<32, 0)
	e.add(-1, y1)
	e.add(-1, y3)
	row.take(n.quotient("y3", e, y.Sub(y, y3), p, -1, 0))
	row.take(less("x3", x3, p, n.bits))
	row.take(less("y3", y3, p, n.bits))
	return x3, y3, row
}

// quotient returns the columns of the quotient of left by a prime, whose top digit has a range, and of the equation,
// which lacks only the quotient's product.
func (n sizeModel) quotient(name string, e *equation, left, prime *big.Int, low, high int64) cells {
	list := quotientDigits(exactly(left, prime), n.bits, low, high)
	e.product(-1, list, digitsOf(prime, n.bits/16))
	row := e.carries(name)
	top := len(list) - 1
	for i, d := range list[:top] {
		row[fmt.Sprintf("%sQuotient[%d]", name, i)] = uint64(d.value)
	}
	row[name+"QuotientTop"] = uint64(list[top].value - low)
	return row
}

package riscv_test

import (
	"fmt"
	"math/big"
)

// The model of calls in Fp[u]/(u^2 + 1).

// element is a real and an imaginary part.
type element [2]*big.Int

// quadratics calls both accelerators, also with the largest numbers of each sign.
func (m *callModel) quadratics(n sizeModel) {
	largest, zero := n.largest(), new(big.Int)
	x, y := m.place(n.join(zero, largest)...), m.place(n.join(largest, largest)...)
	for operation := range 3 {
		m.quadratic(n, 576, 704, operation)
		m.quadratic(n, 576, 576, operation)
		m.quadratic(n, x, y, operation)
	}
	m.addElements(n, 640, 704, 768)
	m.addElements(n, 640, 640, 640)
	m.addElements(n, x, y, y)
	m.addElements(n, y, y, y)
}

// quadratic calls the operation on x and y: their product, sum or difference.
func (m *callModel) quadratic(n sizeModel, x, y int64, operation int) {
	w := 2 * uint64(n.words())
	m.call("FP2"+n.suffix, 0x130+n.second, []operand{{2, 0, 0}, {1, w, 1}, {0, w, 2}}, []int64{x, y, int64(operation)},
		func(read []uint64) ([]uint64, cells) {
			numbers := n.split(read)
			y, x := element(numbers[:2]), element(numbers[2:])
			u, v := y, element{new(big.Int), new(big.Int)}
			switch operation {
			case 1:
				u, v = element{big.NewInt(1), new(big.Int)}, y
			case 2:
				u, v = element{big.NewInt(1), new(big.Int)}, element{new(big.Int).Neg(y[0]), new(big.Int).Neg(y[1])}
			}
			result, row := n.elementCells(x, y, u, v)
			row["add"], row["subtract"] = boolean(operation == 1), boolean(operation == 2)
			return n.join(result[:]...), row
		})
}

// addElements calls the accelerator for z + x y.
func (m *callModel) addElements(n sizeModel, z, x, y int64) {
	w := 2 * uint64(n.words())
	m.call("FP2SUM"+n.suffix, 0x132+n.second, []operand{{1, w, 0}, {2, w, 1}, {0, w, 2}}, []int64{z, x, y},
		func(read []uint64) ([]uint64, cells) {
			numbers := n.split(read)
			x, y, z := element(numbers[:2]), element(numbers[2:4]), element(numbers[4:])
			result, row := n.elementCells(x, y, y, z)
			return n.join(result[:]...), row
		})
}

// elementCells returns x u + v with its cells, which include the cells of y.
func (n sizeModel) elementCells(x, y, u, v element) (result element, row cells) {
	row = cells{}
	product := func(i, k int) *big.Int { return new(big.Int).Mul(x[i], u[k]) }
	whole := element{new(big.Int).Sub(product(0, 0), product(1, 1)), new(big.Int).Add(product(0, 1), product(1, 0))}
	count := n.bits / 16
	for i, name := range []string{"real", "imaginary"} {
		row.halves(fmt.Sprintf("x%d", i), x[i], n.bits)
		row.halves(fmt.Sprintf("y%d", i), y[i], n.bits)
		left := whole[i].Add(whole[i], v[i])
		result[i] = new(big.Int).Mod(left, n.quadratic)
		e, sign := newEquation(n.bits), int64(1)
		if v[i].Sign() < 0 {
			sign = -1
		}
		e.product(1, digitsOf(x[0], count), digitsOf(u[i], count))
		e.product(int64(2*i-1), digitsOf(x[1], count), digitsOf(u[1-i], count))
		e.allow(-2<<32, 1<<32)
		e.add(sign, new(big.Int).Abs(v[i]))
		e.add(-1, result[i])
		for column, v := range n.quotient(name, e, left.Sub(left, result[i]), n.quadratic, -16, 1<<16-17) {
			if column == name+"QuotientTop" { // with the other digits, in a list
				column = fmt.Sprintf("%sQuotient[%d]", name, count)
			}
			row[column] = v
		}
		row.halves(name, result[i], n.bits)
		row.take(less(name, result[i], n.quadratic, n.bits))
	}
	return result, row
}

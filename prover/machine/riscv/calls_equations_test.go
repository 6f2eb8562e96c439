package riscv_test

import (
	"fmt"
	"math/big"
	"slices"
)

// The model of equations between numbers of 256 and 384 bits: docs/spec/protocol.md, "Equations".

// digit is a digit with the bounds of its range.
type digit struct{ value, low, high int64 }

// digitsOf returns the 16-bit digits of a number.
func digitsOf(n *big.Int, count int) (list []digit) {
	for _, v := range digits(n, 16, count) {
		list = append(list, digit{int64(v), 0, 1<<16 - 1})
	}
	return list
}

// minusDigits returns the differences of the digits of a and b.
func minusDigits(a, b *big.Int, count int) (list []digit) {
	y := digits(b, 16, count)
	for i, x := range digits(a, 16, count) {
		list = append(list, digit{int64(x) - int64(y[i]), 1 - 1<<16, 1<<16 - 1})
	}
	return list
}

// quotientDigits returns the digits of a quotient of a number of bits. The top digit has a range.
func quotientDigits(n *big.Int, bits int, low, high int64) []digit {
	top := new(big.Int).Rsh(n, uint(bits)).Int64() // rounds down
	return append(digitsOf(n, bits/16), digit{top, low, high})
}

// equation is the left side of an equation, for each step its value and the bounds of its range.
type equation struct{ value, low, high []int64 }

func newEquation(bits int) *equation {
	steps := bits / 16
	return &equation{make([]int64, steps), make([]int64, steps), make([]int64, steps)}
}

// product adds factor a b.
func (e *equation) product(factor int64, a, b []digit) {
	for i, x := range a {
		for j, y := range b {
			step, unit := (i+j)/2, factor<<(16*((i+j)%2))
			if step >= len(e.value) {
				continue
			}
			corners := []int64{unit * x.low * y.low, unit * x.low * y.high, unit * x.high * y.low, unit * x.high * y.high}
			e.value[step] += unit * x.value * y.value
			e.low[step] += slices.Min(corners)
			e.high[step] += slices.Max(corners)
		}
	}
}

// allow adds a range to each step of the lower half, that of the terms of add.
func (e *equation) allow(low, high int64) {
	for step := range len(e.value) / 2 {
		e.low[step] += low
		e.high[step] += high
	}
}

// add adds a multiple of a number by its limbs of 32 bits.
func (e *equation) add(factor int64, n *big.Int) {
	for step, v := range digits(n, 32, len(e.value)/2) {
		e.value[step] += factor * int64(v)
	}
}

// between returns the value of steps from to to-1 as a number, with the lowest one at its lowest bit.
func between(steps []int64, from, to int) *big.Int {
	n := new(big.Int)
	for step := to - 1; step >= from; step-- {
		n.Add(n.Lsh(n, 32), big.NewInt(steps[step]))
	}
	return n
}

// carries returns the columns of the carries of an equation that holds.
func (e *equation) carries(name string) cells {
	row, top, steps := cells{}, 0, len(e.value)
	if between(e.value, 0, steps).Sign() != 0 {
		panic("the equation of " + name + " does not hold")
	}
	for k := range steps - 1 {
		down := func(n *big.Int) int64 { return new(big.Int).Rsh(n, uint(32*(k+1))).Int64() } // rounds down
		least := -down(new(big.Int).Neg(between(e.low, 0, k+1)))
		most := down(between(e.high, 0, k+1))
		if other := new(big.Int).Neg(between(e.high, k+1, steps)); other.Cmp(big.NewInt(least)) > 0 {
			least = other.Int64()
		}
		if other := new(big.Int).Neg(between(e.low, k+1, steps)); other.Cmp(big.NewInt(most)) < 0 {
			most = other.Int64()
		}
		carry := uint64(down(between(e.value, 0, k+1)) - least)
		row[fmt.Sprintf("%sCarry[%d]", name, k)] = carry % (1 << 20)
		carry >>= 20
		for room := int64(1) << 20; room <= most-least; room *= 3 {
			row[fmt.Sprintf("%sTop[%d]", name, top)] = carry % 3
			carry /= 3
			top++
		}
	}
	return row
}

// less returns the columns that say that a number is less than another.
func less(name string, lower, upper *big.Int, bits int) cells {
	row, a, b := cells{}, digits(lower, 32, bits/32), digits(upper, 32, bits/32)
	row.list(name+"Differs", make([]uint64, bits/32-1)...)
	highest := bits/32 - 1
	for a[highest] == b[highest] {
		highest--
	}
	if highest < bits/32-1 {
		row[fmt.Sprintf("%sDiffers[%d]", name, highest)] = 1
	}
	gap := b[highest] - a[highest] - 1
	row.list(name+"Difference", gap%(1<<16), gap>>16)
	return row
}

// halves writes the high halves of a number's limbs.
func (c cells) halves(name string, n *big.Int, bits int) {
	for i, limb := range digits(n, 32, bits/32) {
		c[fmt.Sprintf("%s[%d]", name, i)] = limb >> 16
	}
}

// take writes the cells of another part of the row.
func (c cells) take(other cells) {
	for name, v := range other {
		c[name] = v
	}
}

// exactly divides and panics if there is a remainder.
func exactly(n, by *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(n, by, new(big.Int))
	if rest.Sign() != 0 {
		panic("a quotient has a remainder")
	}
	return quotient
}

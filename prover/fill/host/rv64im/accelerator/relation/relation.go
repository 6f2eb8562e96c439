// Package relation fills the columns that package circuit/rv64im/accelerator/relation declares.
package relation

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Row writes the cells of a call's own columns in the order of their declaration. Cells are those not yet written.
type Row struct{ Cells []goldilocks.Element }

// Put writes the next cells.
func (r *Row) Put(values ...uint64) {
	for i, v := range values {
		r.Cells[i] = goldilocks.Element(v)
	}
	r.Cells = r.Cells[len(values):]
}

// Flag writes 1 or 0 to the next cell.
func (r *Row) Flag(is bool) {
	if is {
		r.Put(1)
	} else {
		r.Put(0)
	}
}

// Halves writes the high halves of a number's limbs.
func (r *Row) Halves(n *big.Int) {
	for _, v := range limbs(n) {
		r.Put(v >> circuit.HalfBits)
	}
}

// Columns writes the given number of digits of n.
func (r *Row) Columns(n *big.Int, digits int) {
	for _, d := range Digits(n, digits) {
		r.Put(uint64(d))
	}
}

// Digits returns the 16-bit digits of a number that is not negative, the lowest first.
func Digits(n *big.Int, digits int) []int64 {
	words := circuit.Words(n, (digits+3)/4)
	list := make([]int64, digits)
	for i := range list {
		list[i] = int64(words[i/4] >> (circuit.HalfBits * (i % 4)) % circuit.Half)
	}
	return list
}

// Minus returns the differences of the digits of a and b.
func Minus(a, b []int64) []int64 {
	list := make([]int64, len(a))
	for i := range list {
		list[i] = a[i] - b[i]
	}
	return list
}

// Sum is what each step of an equation adds, without carries.
type Sum [circuit.Steps]int64

// Limbs adds factor n, for a 256-bit number n.
func (s *Sum) Limbs(factor int64, n *big.Int) {
	for k, v := range limbs(n) {
		s[k] += factor * int64(v)
	}
}

// Product adds factor a b. It ignores products of digits beyond the steps.
func (s *Sum) Product(factor int64, a, b []int64) {
	for i, x := range a {
		for j, y := range b {
			if k := i + j; k < 2*circuit.Steps {
				s[k/2] += factor * x * y << (k % 2 * circuit.HalfBits)
			}
		}
	}
}

// Carries writes the carries of an equation.
func (r *Row) Carries(shape *circuit.Shape, s *Sum) {
	var columns, tops []uint64
	carry := int64(0)
	for k, c := range shape.Carries {
		carry = (s[k] + carry) >> 32
		v := uint64(carry - c.Offset)
		columns = append(columns, v%(1<<circuit.TopBits))
		v >>= circuit.TopBits
		for range c.Tops {
			tops = append(tops, v%circuit.TopBase)
			v /= circuit.TopBase
		}
	}
	r.Put(columns...)
	r.Put(tops...)
}

// Less writes the flags of the highest limb in which two numbers differ, and the difference there minus 1.
func (r *Row) Less(lower, upper *big.Int) {
	var flags [circuit.Limbs]uint64
	difference, a, b := uint64(0), limbs(upper), limbs(lower)
	for i := circuit.Limbs - 1; i >= 0; i-- {
		if a[i] != b[i] {
			flags[i], difference = 1, (a[i]-b[i]-1)%(1<<32)
			break
		}
	}
	r.Put(flags[:circuit.Limbs-1]...)
	r.Put(difference%circuit.Half, difference>>circuit.HalfBits)
}

// limbs returns the 32-bit limbs of a 256-bit number, the lowest first.
func limbs(n *big.Int) (list [circuit.Limbs]uint64) {
	for i, w := range circuit.Words(n, circuit.Limbs/2) {
		list[2*i], list[2*i+1] = w%(1<<32), w>>32
	}
	return list
}

// Package relation fills the columns that package circuit/rv64im/accelerator/relation declares.
package relation

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Row writes the cells of a call's own columns in the order of their declaration. Cells holds those not yet written.
type Row struct {
	Cells []goldilocks.Element
	Size  circuit.Size // of its numbers
}

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
	for _, v := range limbs(n, r.Size) {
		r.Put(v >> circuit.HalfBits)
	}
}

// Columns writes the digits of n, a number of a size.
func (r *Row) Columns(n *big.Int, size circuit.Size) {
	for _, d := range Digits(n, size) {
		r.Put(uint64(d))
	}
}

// Digits returns the 16-bit digits of a number that is not negative, the lowest first.
func Digits(n *big.Int, size circuit.Size) []int64 {
	words := circuit.Words(n, int(size))
	list := make([]int64, size.Digits())
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

// Sum holds the sum of each step of an equation, without carries.
type Sum []int64

// NewSum returns a sum of 0 in an equation of a shape.
func NewSum(shape *circuit.Shape) Sum { return make(Sum, len(shape.Linear)) }

// Limbs adds factor n.
func (s Sum) Limbs(factor int64, n *big.Int) {
	for k, v := range limbs(n, circuit.Size(len(s)/4)) {
		s[k] += factor * int64(v)
	}
}

// Product adds factor a b. It ignores products of digits beyond the steps.
func (s Sum) Product(factor int64, a, b []int64) {
	for i, x := range a {
		for j, y := range b {
			if k := i + j; k < 2*len(s) {
				s[k/2] += factor * x * y << (k % 2 * circuit.HalfBits)
			}
		}
	}
}

// Carries writes the carries of an equation.
func (r *Row) Carries(shape *circuit.Shape, s Sum) {
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
	flags := make([]uint64, r.Size.Limbs())
	difference, a, b := uint64(0), limbs(upper, r.Size), limbs(lower, r.Size)
	for i := len(flags) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			flags[i], difference = 1, (a[i]-b[i]-1)%(1<<32)
			break
		}
	}
	r.Put(flags[:len(flags)-1]...)
	r.Put(difference%circuit.Half, difference>>circuit.HalfBits)
}

// Quotient writes a quotient and the carries of its equation, from whose sum it subtracts the quotient times p. least
// is the smallest top digit that a quotient can have.
func (r *Row) Quotient(shape *circuit.Shape, sum Sum, quotient, p *big.Int, least int64) {
	bits := uint(64 * r.Size)
	top := new(big.Int).Rsh(quotient, bits).Int64() // rounds down
	low := new(big.Int).Sub(quotient, new(big.Int).Lsh(big.NewInt(top), bits))
	sum.Product(-1, append(Digits(low, r.Size), top), Digits(p, r.Size))
	r.Columns(low, r.Size)
	r.Put(uint64(top - least))
	r.Carries(shape, sum)
}

// limbs returns the 32-bit limbs of a number, the lowest first.
func limbs(n *big.Int, size circuit.Size) (list []uint64) {
	for _, w := range circuit.Words(n, int(size)) {
		list = append(list, w%(1<<32), w>>32)
	}
	return list
}

// Package modmul fills the rows of calls of the accelerator for products modulo a 256-bit number on the host.
package modmul

import (
	"math/big"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: fill}

// First columns of the families of a call's own columns, in the order of their declaration.
const (
	columnHigh       = 0 // of n, y, x and r
	columnQuotient   = columnHigh + 4*circuit.Limbs
	columnCarry      = columnQuotient + 4*circuit.Limbs
	columnCarryTop   = columnCarry + circuit.Steps - 1
	columnDiffers    = columnCarryTop + circuit.LastWide - circuit.FirstWide + 1
	columnDifference = columnDiffers + circuit.Limbs - 1
)

// fill writes the cells of a call.
func fill(cells []goldilocks.Element, read, written []uint64) {
	quotient := circuit.Quotient(read)
	fillClaim(cells, number(read[8:]), number(read[4:8]), number(quotient[:]), number(read[:4]), number(written))
}

// fillClaim writes the cells of the claim that x y = q n + r.
func fillClaim(cells []goldilocks.Element, x, y, q, n, r *big.Int) {
	for k, v := range []*big.Int{n, y, x, r} {
		for i := range circuit.Limbs {
			cells[columnHigh+circuit.Limbs*k+i] = goldilocks.Element(limb(v, i) >> circuit.HalfBits)
		}
	}
	for i := range 2 * circuit.Limbs {
		v := limb(q, i)
		cells[columnQuotient+2*i] = goldilocks.Element(v % circuit.Half)
		cells[columnQuotient+2*i+1] = goldilocks.Element(v >> circuit.HalfBits)
	}
	fillCarries(cells, x, y, q, n, r)
	fillDifference(cells, n, r)
}

// fillDifference writes the flags of the highest limb in which n and r differ, and the difference there minus 1.
func fillDifference(cells []goldilocks.Element, n, r *big.Int) {
	clear(cells[columnDiffers:])
	for i := circuit.Limbs - 1; i >= 0; i-- {
		if limb(n, i) != limb(r, i) {
			if i < circuit.Limbs-1 {
				cells[columnDiffers+i] = 1
			}
			difference := limb(n, i) - limb(r, i) - 1
			cells[columnDifference] = goldilocks.Element(difference % circuit.Half)
			cells[columnDifference+1] = goldilocks.Element(difference >> circuit.HalfBits)
			return
		}
	}
}

// fillCarries writes the carries, adding up the coefficients of x y - q n - r from the lowest.
func fillCarries(cells []goldilocks.Element, x, y, q, n, r *big.Int) {
	var digits [5][2 * circuit.Steps]int64
	for k, v := range []*big.Int{x, y, q, n, r} {
		for i := range circuit.Steps {
			digits[k][2*i], digits[k][2*i+1] = int64(limb(v, i)%circuit.Half), int64(limb(v, i)>>circuit.HalfBits)
		}
	}
	coefficient := func(k int) int64 {
		sum := -digits[4][k]
		for i := range k + 1 {
			sum += digits[0][i]*digits[1][k-i] - digits[2][i]*digits[3][k-i]
		}
		return sum
	}
	carry := int64(0)
	for k := range circuit.Steps - 1 {
		carry = (coefficient(2*k) + coefficient(2*k+1)*circuit.Half + carry) >> 32
		v := carry + 1<<19
		if circuit.IsWide(k) {
			v = carry + 1<<20
			cells[columnCarryTop+k-circuit.FirstWide] = goldilocks.Element(v >> 20)
			v &= 1<<20 - 1
		}
		cells[columnCarry+k] = goldilocks.Element(v)
	}
}

// number returns the number with these words, the least significant first.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// limb returns 32-bit limb i of a number; limb 0 is the lowest.
func limb(n *big.Int, i int) uint32 {
	return uint32(new(big.Int).Rsh(n, uint(32*i)).Uint64())
}

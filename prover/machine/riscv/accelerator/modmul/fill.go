package modmul

import (
	"math/big"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Columns of a call by their first numbers, in the order in which they are declared.
const (
	columnHigh       = 0 // of n, y, x and r
	columnQuotient   = columnHigh + 4*limbs
	columnCarry      = columnQuotient + 4*limbs
	columnCarryTop   = columnCarry + steps - 1
	columnDiffers    = columnCarryTop + lastWide - firstWide + 1
	columnDifference = columnDiffers + limbs - 1
)

// fill writes the cells of a call.
func fill(cells []goldilocks.Element, read, written []uint64) {
	quotient, _ := divided(read)
	fillClaim(cells, number(read[8:]), number(read[4:8]), number(quotient[:]), number(read[:4]), number(written))
}

// fillClaim writes the cells of the claim that x y = q n + r.
func fillClaim(cells []goldilocks.Element, x, y, q, n, r *big.Int) {
	for k, v := range []*big.Int{n, y, x, r} {
		for i := range limbs {
			cells[columnHigh+limbs*k+i] = goldilocks.Element(limb(v, i) >> halfBits)
		}
	}
	for i := range 2 * limbs {
		v := limb(q, i)
		cells[columnQuotient+2*i] = goldilocks.Element(v % half)
		cells[columnQuotient+2*i+1] = goldilocks.Element(v >> halfBits)
	}
	fillCarries(cells, x, y, q, n, r)
	fillDifference(cells, n, r)
}

// fillDifference says at which limb n and r differ first, and by how much.
func fillDifference(cells []goldilocks.Element, n, r *big.Int) {
	clear(cells[columnDiffers:])
	for i := limbs - 1; i >= 0; i-- {
		if limb(n, i) != limb(r, i) {
			if i < limbs-1 {
				cells[columnDiffers+i] = 1
			}
			difference := limb(n, i) - limb(r, i) - 1
			cells[columnDifference] = goldilocks.Element(difference % half)
			cells[columnDifference+1] = goldilocks.Element(difference >> halfBits)
			return
		}
	}
}

// fillCarries adds up the coefficients of x y - q n - r from the lowest on.
func fillCarries(cells []goldilocks.Element, x, y, q, n, r *big.Int) {
	var digits [5][2 * steps]int64
	for k, v := range []*big.Int{x, y, q, n, r} {
		for i := range steps {
			digits[k][2*i], digits[k][2*i+1] = int64(limb(v, i)%half), int64(limb(v, i)>>halfBits)
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
	for k := range steps - 1 {
		carry = (coefficient(2*k) + coefficient(2*k+1)*half + carry) >> 32
		v := carry + 1<<19
		if isWide(k) {
			v = carry + 1<<20
			cells[columnCarryTop+k-firstWide] = goldilocks.Element(v >> 20)
			v &= 1<<20 - 1
		}
		cells[columnCarry+k] = goldilocks.Element(v)
	}
}

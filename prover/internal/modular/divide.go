package modular

import "math/bits"

// Divide divides x by n, which is not 0, and sets remainder to the remainder, and quotient to the quotient unless it is
// nil. x and quotient have twice the length of n. (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D.)
func Divide(quotient, remainder, x, n []uint64) {
	var room [2 * Most]uint64
	if quotient == nil {
		quotient = room[:len(x)]
	}
	size := len(n) // without zeros
	for n[size-1] == 0 {
		size--
	}
	if size == 1 {
		clear(remainder)
		for i := len(x) - 1; i >= 0; i-- {
			quotient[i], remainder[0] = bits.Div64(remainder[0], x[i], n[0])
		}
		return
	}
	shift := uint(bits.LeadingZeros64(n[size-1])) // makes the divisor's highest bit 1
	var divisors [Most]uint64
	var rests [2*Most + 1]uint64
	divisor, rest := divisors[:size], rests[:len(x)+1]
	shiftLeft(divisor, n[:size], shift)
	rest[len(x)] = shiftLeft(rest[:len(x)], x, shift)
	clear(quotient[len(x)-size+1:])
	for i := len(x) - size; i >= 0; i-- {
		digit := estimate(rest[i:i+size+1], divisor)
		if subtractProduct(rest[i:i+size+1], divisor, digit) {
			digit-- // it was one too large, which is rare
			rest[i+size] += add(rest[i:i+size], rest[i:i+size], divisor)
		}
		quotient[i] = digit
	}
	for i := range remainder {
		remainder[i] = 0
		if i < size {
			remainder[i] = rest[i]>>shift | rest[i+1]<<(64-shift)
		}
	}
}

// shiftLeft sets z to x shifted left by less than 64 bits, and returns the bits shifted out.
func shiftLeft(z, x []uint64, by uint) (out uint64) {
	z = z[:len(x)]
	for i, w := range x {
		z[i] = w<<by | out
		out = w >> (64 - by)
	}
	return out
}

// estimate returns the quotient of u by divisor, which has one word less, or that quotient plus 1. It uses the highest
// three words of u and the highest two of divisor.
func estimate(u, divisor []uint64) uint64 {
	top := len(divisor) - 1
	digit, rest := ^uint64(0), uint64(0)
	if u[top+1] < divisor[top] {
		digit, rest = bits.Div64(u[top+1], u[top], divisor[top])
	} else { // equal: the digit 2^64 - 1 leaves the rest u[top] + divisor[top]
		var carry uint64
		if rest, carry = bits.Add64(u[top], divisor[top], 0); carry != 0 {
			return digit
		}
	}
	for {
		high, low := bits.Mul64(digit, divisor[top-1])
		if high < rest || high == rest && low <= u[top-1] {
			return digit
		}
		digit--
		var carry uint64
		if rest, carry = bits.Add64(rest, divisor[top], 0); carry != 0 {
			return digit
		}
	}
}

// subtractProduct subtracts digit times divisor from u, and reports whether the result is negative.
func subtractProduct(u, divisor []uint64, digit uint64) bool {
	carry, borrow := uint64(0), uint64(0)
	for i, d := range divisor {
		high, low := bits.Mul64(digit, d)
		var c uint64
		low, c = bits.Add64(low, carry, 0)
		carry = high + c
		u[i], borrow = bits.Sub64(u[i], low, borrow)
	}
	u[len(divisor)], borrow = bits.Sub64(u[len(divisor)], carry, borrow)
	return borrow != 0
}

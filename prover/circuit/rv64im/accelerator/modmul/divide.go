package modmul

import "math/bits"

// Numbers in this file have 64-bit words, the least significant first.

// product returns x y.
func product(x, y []uint64) (p [8]uint64) {
	for i, a := range x[:4] {
		carry := uint64(0)
		for j, b := range y[:4] { // at most (2^64-1)^2 + 2 (2^64-1) = 2^128 - 1
			high, low := bits.Mul64(a, b)
			var c uint64
			low, c = bits.Add64(low, p[i+j], 0)
			high += c
			p[i+j], c = bits.Add64(low, carry, 0)
			carry = high + c
		}
		p[i+4] = carry
	}
	return p
}

// divide divides u by n, which is not 0, word by word (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D).
func divide(u [8]uint64, n []uint64) (quotient [8]uint64, remainder [4]uint64) {
	size := 4 // of n, in words
	for n[size-1] == 0 {
		size--
	}
	if size == 1 {
		for i := len(u) - 1; i >= 0; i-- {
			quotient[i], remainder[0] = bits.Div64(remainder[0], u[i], n[0])
		}
		return quotient, remainder
	}
	shift := uint(bits.LeadingZeros64(n[size-1])) // makes the divisor's highest bit 1
	var divisor [4]uint64
	var rest [9]uint64
	shiftLeft(divisor[:size], n[:size], shift)
	rest[8] = shiftLeft(rest[:8], u[:], shift)
	for i := 8 - size; i >= 0; i-- {
		digit := estimate(rest[i:i+size+1], divisor[:size])
		if subtractProduct(rest[i:i+size+1], divisor[:size], digit) {
			digit-- // it was one too large, which is rare
			addBack(rest[i:i+size+1], divisor[:size])
		}
		quotient[i] = digit
	}
	for i := range size {
		remainder[i] = rest[i]>>shift | rest[i+1]<<(64-shift)
	}
	return quotient, remainder
}

// shiftLeft shifts a number left by less than 64 bits, and returns the bits shifted out.
func shiftLeft(to, from []uint64, by uint) (out uint64) {
	for i, w := range from {
		to[i] = w<<by | out
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

func addBack(u, divisor []uint64) {
	carry := uint64(0)
	for i, d := range divisor {
		u[i], carry = bits.Add64(u[i], d, carry)
	}
	u[len(divisor)] += carry
}

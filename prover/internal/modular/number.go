package modular

import "math/bits"

// Most is the largest number of words of a modulus.
const Most = 6

// IsZero reports whether x is 0.
func IsZero(x []uint64) bool {
	all := uint64(0)
	for _, w := range x {
		all |= w
	}
	return all == 0
}

// less reports whether x < y.
func less(x, y []uint64) bool {
	y = y[:len(x)]
	borrow := uint64(0)
	for i, w := range x {
		_, borrow = bits.Sub64(w, y[i], borrow)
	}
	return borrow != 0
}

// add sets z to x + y modulo 2^64 for each word, and returns the carry.
func add(z, x, y []uint64) (carry uint64) {
	y, z = y[:len(x)], z[:len(x)]
	for i, w := range x {
		z[i], carry = bits.Add64(w, y[i], carry)
	}
	return carry
}

// Subtract sets z to x - y modulo 2^64 for each word, and returns the borrow.
func Subtract(z, x, y []uint64) (borrow uint64) {
	y, z = y[:len(x)], z[:len(x)]
	for i, w := range x {
		z[i], borrow = bits.Sub64(w, y[i], borrow)
	}
	return borrow
}

// MultiplyAdd sets z to x y plus the lower half of z. z has twice the length of x and y.
func MultiplyAdd(z, x, y []uint64) {
	for i, a := range x {
		z[i+len(y)] = addProduct(z[i:i+len(y)], y, a)
	}
}

// addProduct adds a x to z, and returns the carry.
func addProduct(z, x []uint64, a uint64) (carry uint64) {
	z = z[:len(x)]
	for i, w := range x { // at most (2^64-1)^2 + 2 (2^64-1) = 2^128 - 1
		high, low := bits.Mul64(a, w)
		var c uint64
		low, c = bits.Add64(low, z[i], 0)
		high, _ = bits.Add64(high, 0, c)
		z[i], c = bits.Add64(low, carry, 0)
		carry, _ = bits.Add64(high, 0, c)
	}
	return carry
}

package kernels

import "math/bits"

// multiply is the product of two field elements, for the few constants that the host computes.
func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	_, remainder := bits.Div64(high%Modulus, low, Modulus)
	return remainder
}

package goldilocks

import "math/bits"

// dotBaseGeneric is the sum of a[i] * b[i], with one reduction in all: a sum of
// fewer than 2^32 products fits 160 bits.
func dotBaseGeneric(a, b []Element) Element {
	b = b[:len(a)]
	var lo, hi, top uint64
	for i := range a {
		h, l := bits.Mul64(uint64(a[i]), uint64(b[i]))
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		hi, carry = bits.Add64(hi, h, carry)
		top += carry
	}
	return reduce192(top, hi, lo)
}

package goldilocks

import "math/bits"

// dotBlock bounds how many products a kernel sums up before their sum is
// reduced, so that its counts of overflows stay small.
const dotBlock = 1 << 20

// Dot is the sum of a[i] * b[i].
func Dot(a, b []Element) Element {
	sameLength("Dot", len(a), len(b))
	var sum Element
	for len(a) > 0 {
		n := min(len(a), dotBlock)
		sum = sum.Add(dotOfBlock(a[:n], b[:n]))
		a, b = a[n:], b[n:]
	}
	return sum
}

func dotOfBlock(a, b []Element) Element {
	var words [6 * 8]uint64
	n, lanes := dotKernel(&words, a, b)
	sum := dotGeneric(a[n:], b[n:])
	if n == 0 {
		return sum
	}
	// The sums by weight 1, 2^32 and 2^64, then the overflows of each, which
	// weigh 2^64 more.
	for weight := range uint(3) {
		for lane := range uint(lanes) {
			low := FromUint64(words[weight*uint(lanes)+lane])
			high := FromUint64(words[(3+weight)*uint(lanes)+lane])
			sum = sum.Add(low.MulPowerOfTwo(32 * weight)).Add(high.MulPowerOfTwo(32*weight + 64))
		}
	}
	return sum
}

// dotGeneric reduces once: a sum of fewer than 2^32 products fits 160 bits.
func dotGeneric(a, b []Element) Element {
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

package modular

import "math/bits"

// capacity is the number of words for products of the matrices of all batches. It suffices for 27 batches, or 1512
// steps. From delta = 1, (49 B + 57)/17 steps suffice for numbers below 2^B (theorem 11.2 of the paper): 1110 for B =
// 384. From delta = 1/2 fewer suffice: 590 for B = 256, as Wuille computed.
const capacity = 24

// Inverse sets z to 1/x mod n, and reports whether x has an inverse modulo n. n must be odd and greater than 1. x may
// be any number.
func Inverse(z, x, n []uint64) bool {
	var f, g [Most + 1]uint64
	copy(f[:], n)
	copy(g[:], x)
	theta, m := batch(0, f[0], g[0])
	size := len(n) + 1
	m.divide(f[:size], g[:size])
	var buffers [2][2][capacity + Most]uint64
	d, e, nextD, nextE := &buffers[0][0], &buffers[0][1], &buffers[1][0], &buffers[1][1]
	d[0], e[0] = uint64(m.b), uint64(m.d)
	room, batches := 1, 1
	for {
		size = trimmed(f[:size], g[:size])
		if g[0] == 0 && IsZero(g[:size]) {
			break
		}
		theta, m = batch(theta, f[0], g[0])
		m.divide(f[:size], g[:size])
		combine(nextD[:], d[:room], e[:room], m.a, m.b)
		combine(nextE[:], d[:room], e[:room], m.c, m.d)
		d, e, nextD, nextE = nextD, nextE, d, e
		room = trimmed(d[:room+1], e[:room+1])
		batches++
	}
	if size > 1 || f[0] != 1 && f[0] != 1<<64-1 {
		return false
	}
	negative := d[room-1]>>63 != f[0]>>63
	if d[room-1]>>63 != 0 {
		negate(d[:room])
	}
	clear(d[room:])
	reduce(z, d[:], n, batches*batchSteps)
	if negative {
		Subtract(z, n, z)
	}
	return true
}

// reduce sets z to d/2^k mod n. d must be at most 2^k, must not be a multiple of n, and has room for len(n) words more.
//
// It multiplies d by a power of two that makes k a multiple of 64, and then adds multiples of n until the lowest k bits
// are 0. Multiples of n are added for each word, so less than 2^k n in all, and the result is below n + 1.
func reduce(z, d, n []uint64, k int) {
	words := (k + 63) / 64
	shiftLeft(d[:words], d[:words], uint(64*words-k))
	negative := -inverseOfWord(n[0])
	for i := range words {
		carry := addProduct(d[i:i+len(n)], n, d[i]*negative)
		for at := i + len(n); carry != 0; at++ {
			d[at], carry = bits.Add64(d[at], carry, 0)
		}
	}
	copy(z, d[words:words+len(n)])
}

func negate(d []uint64) {
	carry := uint64(1)
	for i, w := range d {
		d[i], carry = bits.Add64(^w, 0, carry)
	}
}

// The following functions take numbers in two's complement.

// trimmed returns the number of words that suffice for two numbers of the same length.
func trimmed(f, g []uint64) int {
	n := len(f)
	for n > 1 && f[n-1] == signOf(f[n-2]) && g[n-1] == signOf(g[n-2]) {
		n--
	}
	return n
}

// signOf returns a word that continues a number whose last word is w.
func signOf(w uint64) uint64 { return uint64(int64(w) >> 63) }

// absolute returns the absolute value and the sign of a number.
func absolute(n int64) (value, sign uint64) {
	sign = uint64(n >> 63)
	return (uint64(n) ^ sign) - sign, sign
}

// combine sets z to a x + b y, with a word more than x and y. The absolute values of a and b add up to at most 2^56.
//
// For a negative a, it multiplies -a by -x, which is ^x + 1. It multiplies words as if numbers were not negative, and
// corrects that in the last word.
func combine(z, x, y []uint64, a, b int64) {
	a1, aSign := absolute(a)
	b1, bSign := absolute(b)
	carry := a1&aSign + b1&bSign
	y, z = y[:len(x)], z[:len(x)+1]
	var u, v uint64
	for i := range x {
		u, v = x[i]^aSign, y[i]^bSign
		high, low := bits.Mul64(a1, u)
		otherHigh, otherLow := bits.Mul64(b1, v)
		low, c := bits.Add64(low, otherLow, 0)
		high, _ = bits.Add64(high, otherHigh, c)
		z[i], c = bits.Add64(low, carry, 0)
		carry, _ = bits.Add64(high, 0, c)
	}
	z[len(x)] = carry - a1&signOf(u) - b1&signOf(v)
}

// divide replaces f and g by the matrix times the column (f, g), divided by 2^56.
func (m matrix) divide(f, g []uint64) {
	var nextF, nextG [Most + 2]uint64
	combine(nextF[:], f, g, m.a, m.b)
	combine(nextG[:], f, g, m.c, m.d)
	for i := range f {
		f[i] = nextF[i]>>batchSteps | nextF[i+1]<<(64-batchSteps)
	}
	for i := range g {
		g[i] = nextG[i]>>batchSteps | nextG[i+1]<<(64-batchSteps)
	}
}

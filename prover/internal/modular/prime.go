package modular

import "math/bits"

// A Prime is an odd prime p of B bits, 64 for each word, and what is needed for products modulo p. Let R = 2^B.
type Prime struct {
	words    []uint64
	negative uint64   // -1/p modulo 2^64
	square   []uint64 // R^2 mod p
}

// NewPrime returns the prime with these words.
func NewPrime(words []uint64) *Prime {
	p := &Prime{words: words, negative: -inverseOfWord(words[0]), square: make([]uint64, len(words))}
	all := make([]uint64, 2*len(words)) // R^2 - 1
	for i := range all {
		all[i] = 1<<64 - 1
	}
	Divide(nil, p.square, all, words)
	one := make([]uint64, len(words))
	one[0] = 1
	p.Add(p.square, p.square, one)
	return p
}

// inverseOfWord returns the inverse of an odd word modulo 2^64. Each iteration doubles the number of correct bits.
func inverseOfWord(w uint64) uint64 {
	inverse := uint64(inverses[uint8(w)])
	for range 3 {
		inverse *= 2 - w*inverse
	}
	return inverse
}

// Words returns the words of the prime, which must not be changed.
func (p *Prime) Words() []uint64 { return p.words }

// Contains reports whether x is below the prime.
func (p *Prime) Contains(x []uint64) bool { return less(x, p.words) }

// Add sets z to x + y mod p. Both must be below p.
func (p *Prime) Add(z, x, y []uint64) {
	carry := add(z, x, y)
	if carry != 0 || !less(z, p.words) {
		Subtract(z, z, p.words)
	}
}

// Subtract sets z to x - y, or if that is negative, to the number in [0, p) that is congruent to it. x and y may be any
// numbers. If x is below p, so is z.
func (p *Prime) Subtract(z, x, y []uint64) {
	for borrow := Subtract(z, x, y); borrow != 0; {
		borrow -= add(z, z, p.words)
	}
}

// Reduce sets z to x mod p. x may be any number, but time grows with x/p.
func (p *Prime) Reduce(z, x []uint64) {
	for copy(z, x); !less(z, p.words); {
		Subtract(z, z, p.words)
	}
}

// Enter sets z to x R mod p. x may be any number.
func (p *Prime) Enter(z, x []uint64) { p.Multiply(z, x, p.square) }

// Multiply sets z to x y / R mod p. x may be any number, but y must be below p.
//
// Let t_0 = 0, and t_i+1 = (t_i + x_i y + m p)/2^64 for the words x_i of x, with the word m for which the division is
// exact. Then t_i <= y + p, by induction: t_i+1 <= (y + p + (2^64-1) y + (2^64-1) p)/2^64. So the last t is below 2p.
func (p *Prime) Multiply(z, x, y []uint64) {
	if len(p.words) == 4 {
		multiply4((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(p.words), p.negative)
	} else {
		multiply6((*[6]uint64)(z), (*[6]uint64)(x), (*[6]uint64)(y), (*[6]uint64)(p.words), p.negative)
	}
}

// Power sets z to the power of x mod p. x may be any number.
func (p *Prime) Power(z, x, exponent []uint64) {
	const digitBits, digits = 4, 64 / 4
	var powers [1 << digitBits][Most]uint64 // of x, each times R
	var room [2][Most]uint64
	words := len(p.words)
	one, result := room[0][:words], room[1][:words]
	one[0] = 1
	p.Enter(powers[0][:words], one)
	p.Enter(powers[1][:words], x)
	for i := 2; i < len(powers); i++ {
		p.Multiply(powers[i][:words], powers[i-1][:words], powers[1][:words])
	}
	copy(result, powers[0][:])
	for i := words*digits - 1; i >= 0; i-- {
		for range digitBits {
			p.Multiply(result, result, result)
		}
		digit := exponent[i/digits] >> (i % digits * digitBits) % (1 << digitBits)
		p.Multiply(result, result, powers[digit][:words])
	}
	p.Multiply(z, one, result)
}

func multiply4(z, x, y, p *[4]uint64, negative uint64) {
	var t0, t1, t2, t3, t4 uint64
	for _, a := range x {
		h0, l0 := bits.Mul64(a, y[0])
		h1, l1 := bits.Mul64(a, y[1])
		h2, l2 := bits.Mul64(a, y[2])
		h3, l3 := bits.Mul64(a, y[3])
		var c, t5 uint64
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		t4, t5 = bits.Add64(t4, 0, c)
		t1, c = bits.Add64(t1, h0, 0)
		t2, c = bits.Add64(t2, h1, c)
		t3, c = bits.Add64(t3, h2, c)
		t4, c = bits.Add64(t4, h3, c)
		t5 += c

		m := t0 * negative
		h0, l0 = bits.Mul64(m, p[0])
		h1, l1 = bits.Mul64(m, p[1])
		h2, l2 = bits.Mul64(m, p[2])
		h3, l3 = bits.Mul64(m, p[3])
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3, t4 = bits.Add64(t4, 0, c)
		t4 += t5
		t0, c = bits.Add64(t0, h0, 0)
		t1, c = bits.Add64(t1, h1, c)
		t2, c = bits.Add64(t2, h2, c)
		t3, c = bits.Add64(t3, h3, c)
		t4 += c
	}
	var b uint64
	z[0], b = bits.Sub64(t0, p[0], 0)
	z[1], b = bits.Sub64(t1, p[1], b)
	z[2], b = bits.Sub64(t2, p[2], b)
	z[3], b = bits.Sub64(t3, p[3], b)
	if t4 < b {
		z[0], z[1], z[2], z[3] = t0, t1, t2, t3
	}
}

func multiply6(z, x, y, p *[6]uint64, negative uint64) {
	var t0, t1, t2, t3, t4, t5, t6 uint64
	for _, a := range x {
		h0, l0 := bits.Mul64(a, y[0])
		h1, l1 := bits.Mul64(a, y[1])
		h2, l2 := bits.Mul64(a, y[2])
		h3, l3 := bits.Mul64(a, y[3])
		h4, l4 := bits.Mul64(a, y[4])
		h5, l5 := bits.Mul64(a, y[5])
		var c, t7 uint64
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		t4, c = bits.Add64(t4, l4, c)
		t5, c = bits.Add64(t5, l5, c)
		t6, t7 = bits.Add64(t6, 0, c)
		t1, c = bits.Add64(t1, h0, 0)
		t2, c = bits.Add64(t2, h1, c)
		t3, c = bits.Add64(t3, h2, c)
		t4, c = bits.Add64(t4, h3, c)
		t5, c = bits.Add64(t5, h4, c)
		t6, c = bits.Add64(t6, h5, c)
		t7 += c

		m := t0 * negative
		h0, l0 = bits.Mul64(m, p[0])
		h1, l1 = bits.Mul64(m, p[1])
		h2, l2 = bits.Mul64(m, p[2])
		h3, l3 = bits.Mul64(m, p[3])
		h4, l4 = bits.Mul64(m, p[4])
		h5, l5 = bits.Mul64(m, p[5])
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3, c = bits.Add64(t4, l4, c)
		t4, c = bits.Add64(t5, l5, c)
		t5, t6 = bits.Add64(t6, 0, c)
		t6 += t7
		t0, c = bits.Add64(t0, h0, 0)
		t1, c = bits.Add64(t1, h1, c)
		t2, c = bits.Add64(t2, h2, c)
		t3, c = bits.Add64(t3, h3, c)
		t4, c = bits.Add64(t4, h4, c)
		t5, c = bits.Add64(t5, h5, c)
		t6 += c
	}
	var b uint64
	z[0], b = bits.Sub64(t0, p[0], 0)
	z[1], b = bits.Sub64(t1, p[1], b)
	z[2], b = bits.Sub64(t2, p[2], b)
	z[3], b = bits.Sub64(t3, p[3], b)
	z[4], b = bits.Sub64(t4, p[4], b)
	z[5], b = bits.Sub64(t5, p[5], b)
	if t6 < b {
		z[0], z[1], z[2], z[3], z[4], z[5] = t0, t1, t2, t3, t4, t5
	}
}

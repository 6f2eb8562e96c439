package goldilocks

import "math/bits"

// Element is a field element, represented by an integer in [0, Modulus).
type Element uint64

const (
	// Modulus is the field's prime, 2^64 - 2^32 + 1.
	Modulus uint64 = 0xffffffff_00000001

	// Generator generates the multiplicative group. It is the shift s of the cosets s*<g> on which the prover evaluates:
	// as it is not a square, it lies in no subgroup of two-power order.
	Generator Element = 7

	// OneHalf is 1/2 = (p+1)/2.
	OneHalf = Element((Modulus-1)/2 + 1)

	// TwoAdicity is the largest k such that 2^k divides p - 1.
	TwoAdicity = 32

	// epsilon is 2^64 mod p.
	epsilon uint64 = 0xffffffff
)

// FromUint64 returns u mod p.
func FromUint64(u uint64) Element {
	// u < 2p, so one subtraction suffices.
	reduced, borrow := bits.Sub64(u, Modulus, 0)
	return Element(reduced + Modulus&-borrow)
}

// FromCanonical converts u to an element. If u is not below the modulus, ok is false and the element is 0.
func FromCanonical(u uint64) (e Element, ok bool) {
	if u >= Modulus {
		return 0, false
	}
	return Element(u), true
}

// IsZero reports whether a is 0.
func (a Element) IsZero() bool { return a == 0 }

// Add returns a + b.
func (a Element) Add(b Element) Element {
	// a - (p - b): a borrow means that a + b is already below p.
	difference, borrow := bits.Sub64(uint64(a), Modulus-uint64(b), 0)
	return Element(difference - epsilon&-borrow)
}

// Sub returns a - b.
func (a Element) Sub(b Element) Element {
	// Adding p and subtracting e are the same modulo 2^64.
	difference, borrow := bits.Sub64(uint64(a), uint64(b), 0)
	return Element(difference - epsilon&-borrow)
}

// Neg returns -a.
func (a Element) Neg() Element { return Element(0).Sub(a) }

// Double returns 2a.
func (a Element) Double() Element { return a.Add(a) }

// Mul returns a * b.
func (a Element) Mul(b Element) Element {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return reduce128(hi, lo)
}

// Square returns a * a.
func (a Element) Square() Element {
	hi, lo := bits.Mul64(uint64(a), uint64(a))
	return reduce128(hi, lo)
}

// MulAdd returns a*b + c, with one reduction.
func (a Element) MulAdd(b, c Element) Element {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c), 0)
	// (p-1)^2 + p - 1 < 2^128: no carry out.
	return reduce128(hi+carry, lo)
}

// reduce128 returns hi*2^64 + lo mod p. With hi = h1*2^32 + h0 the value is lo - h1 + h0*e, because 2^64 = e and 2^96 =
// -1.
func reduce128(hi, lo uint64) Element {
	difference, borrow := bits.Sub64(lo, hi>>32, 0)
	// A borrow means 2^64 = e too much. It leaves a difference of at least
	// 2^64 - 2^32, so subtracting e does not borrow again.
	difference -= epsilon & -borrow
	// Adding h0*e is subtracting u = p - h0*e = (h0 + 1) - (h0 + 1)*2^32 mod 2^64,
	// which is in [2^32, p]. Without a borrow the result is at most
	// 2^64 - 1 - 2^32 < p; after one, adding p brings it into [0, p).
	next := hi&epsilon + 1
	difference, borrow = bits.Sub64(difference, next-next<<32, 0)
	return Element(difference - epsilon&-borrow)
}

// reduce192 returns top*2^128 + hi*2^64 + lo mod p, for top below 2^32.
func reduce192(top, hi, lo uint64) Element {
	// 2^128 = -2^32, and top*2^32 < p.
	return reduce128(hi, lo).Sub(FromUint64(top << 32))
}

// Exp returns a^n, with 0^0 = 1.
func (a Element) Exp(n uint64) Element {
	result := Element(1)
	for i := bits.Len64(n) - 1; i >= 0; i-- {
		result = result.Square()
		if n>>i&1 == 1 {
			result = result.Mul(a)
		}
	}
	return result
}

// expPowerOfTwo returns a^(2^k).
func (a Element) expPowerOfTwo(k int) Element {
	for range k {
		a = a.Square()
	}
	return a
}

// Inverse returns 1/a, or 0 for a = 0.
func (a Element) Inverse() Element {
	// a^(p-2) by Fermat, with p - 2 = (2^31 - 1)*2^33 + (2^32 - 1).
	// run(k) is a^(2^k - 1): run(j+k) = run(j)^(2^k) * run(k).
	run2 := a.Square().Mul(a)
	run3 := run2.Square().Mul(a)
	run6 := run3.expPowerOfTwo(3).Mul(run3)
	run12 := run6.expPowerOfTwo(6).Mul(run6)
	run24 := run12.expPowerOfTwo(12).Mul(run12)
	run30 := run24.expPowerOfTwo(6).Mul(run6)
	run31 := run30.Square().Mul(a)
	run32 := run31.Square().Mul(a)
	return run31.expPowerOfTwo(33).Mul(run32)
}

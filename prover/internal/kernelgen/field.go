package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func imm(n int) operand.Op { return operand.U8(uint8(n)) }

// The lane-wise instructions that the field needs, each into a new register.

func (b *builder) addWords(x, y operand.Op) value {
	r := b.vector()
	b.VPADDQ(y, x, r)
	return r
}

func (b *builder) subWords(x, y operand.Op) value {
	r := b.vector()
	b.VPSUBQ(y, x, r)
	return r
}

func (b *builder) shiftLeft(x value, bits int) value {
	r := b.vector()
	b.VPSLLQ(imm(bits), x, r)
	return r
}

func (b *builder) shiftRight(x value, bits int) value {
	r := b.vector()
	b.VPSRLQ(imm(bits), x, r)
	return r
}

// lowHalf is the low 32 bits of each lane.
func (b *builder) lowHalf(x value) value {
	r := b.vector()
	if b.set == avx512 {
		b.VPANDQ(b.epsilon, x, r)
	} else {
		b.VPAND(b.epsilon, x, r)
	}
	return r
}

// highHalf has the high 32 bits of each lane in its low half, and anything in its high half. That suffices for
// mulHalves, and it runs on another port than a shift.
func (b *builder) highHalf(x value) value {
	r := b.vector()
	b.VMOVSHDUP(x, r)
	return r
}

// mulHalves multiplies the low 32 bits of each lane.
func (b *builder) mulHalves(x, y operand.Op) value {
	r := b.vector()
	b.VPMULUDQ(y, x, r)
	return r
}

// mulEpsilon is e times the low 32 bits of each lane.
func (b *builder) mulEpsilon(x value) value { return b.mulHalves(x, b.epsilon) }

// modulusMinus is p - x.
func (b *builder) modulusMinus(x value) value {
	if b.set == avx512 {
		return b.subWords(b.modulus, x)
	}
	p := b.vector()
	b.VMOVDQU(b.modulus, p)
	return b.subWords(p, x)
}

// subMod is x - y, plus p after a borrow. It is x - y mod p when both are canonical, and in the cases that its
// callers prove.
func (b *builder) subMod(x, y value) value {
	r := b.subWords(x, y)
	if b.set == avx512 {
		k := b.K()
		b.VPCMPUQ(imm(1), y, x, k)
		if b.modulus == nil { // no register is free for it: p = 2^64 - e
			b.VPSUBQ(b.epsilon, r, k, r)
		} else {
			b.VPADDQ(b.modulus, r, k, r)
		}
		return r
	}
	// AVX2 has only signed comparisons: flip the sign bits first.
	xs, ys := b.vector(), b.vector()
	b.VPXOR(b.sign, x, xs)
	b.VPXOR(b.sign, y, ys)
	return b.addModulusWhereLess(r, xs, ys)
}

// addModulusWhereLess is r, plus p where xs < ys as signed words.
func (b *builder) addModulusWhereLess(r, xs, ys value) value {
	b.VPCMPGTQ(xs, ys, ys)
	b.VPAND(b.modulus, ys, ys)
	return b.addWords(r, ys)
}

// sub is x - y.
func (b *builder) sub(x, y value) value { return b.subMod(x, y) }

// add is x + y, as x - (p - y).
func (b *builder) add(x, y value) value {
	if b.set == avx512 {
		return b.subMod(x, b.modulusMinus(y))
	}
	// Subtracting y from the flipped p gives p - y with its sign bit flipped.
	ys, xs := b.vector(), b.vector()
	b.VMOVDQU(b.modulusSign, ys)
	b.VPSUBQ(y, ys, ys)
	b.VPXOR(b.sign, x, xs)
	return b.addModulusWhereLess(b.subWords(xs, ys), xs, ys)
}

// double is 2x.
func (b *builder) double(x value) value { return b.add(x, x) }

// addEpsilonMultiple is x + m mod p, canonical, for any word x and a multiple m
// of e by 32 bits: p - m lies in [2^32, p], so without a borrow the difference is
// at most 2^64 - 1 - 2^32 < p, and with one adding p brings it below p.
func (b *builder) addEpsilonMultiple(x, m value) value {
	return b.subMod(x, b.modulusMinus(m))
}

// reduce is hi*2^64 + lo mod p. With hi = h1*2^32 + h0 that is lo - h1 + h0*e.
// After a borrow lo - h1 is at least 2^64 - 2^32, and adding p, which is
// subtracting e modulo 2^64, does not borrow again.
func (b *builder) reduce(hi, lo value) value {
	return b.addEpsilonMultiple(b.subMod(lo, b.shiftRight(hi, 32)), b.mulEpsilon(hi))
}

// mulWide is x*y as two words, from the four products of halves. xh and yh are the high halves.
func (b *builder) mulWide(x, xh, y, yh value) (hi, lo value) {
	hi, second, first := b.mulParts(x, xh, y, yh)
	return hi, b.joinHalves(first, second)
}

// mulParts is x*y as its upper word and two words whose low halves are the
// lower word's high and low half.
func (b *builder) mulParts(x, xh, y, yh value) (hi, second, first value) {
	low, cross := b.mulHalves(x, y), b.mulHalves(xh, y)
	other, high := b.mulHalves(x, yh), b.mulHalves(xh, yh)
	// No sum overflows: (2^32-1)^2 + 2*(2^32-1) = 2^64 - 1.
	cross = b.addWords(cross, b.shiftRight(low, 32))
	other = b.addWords(other, b.lowHalf(cross))
	hi = b.addWords(b.addWords(high, b.shiftRight(cross, 32)), b.shiftRight(other, 32))
	return hi, other, low
}

// joinHalves has the low half of low, and above it the low half of high. It overwrites low.
func (b *builder) joinHalves(low, high value) value {
	if b.set == avx512 {
		b.VMOVSLDUP(high, b.oddHalves, low)
		return low
	}
	r := b.vector()
	b.VMOVSLDUP(high, r)
	b.VPBLENDD(imm(0xaa), r, low, r)
	return r
}

// reduceWord is hi*2^64 + lo mod p as a word that need not be canonical, one step shorter than reduce. AVX-512 only.
func (b *builder) reduceWord(hi, lo value) value {
	return b.addToWord(b.subMod(lo, b.shiftRight(hi, 32)), b.mulEpsilon(hi))
}

// addToWord is x + m mod p as a word that need not be canonical, for any word x and an m up to 2^64 - 2^32: after a
// carry, the sum is below m, and adding e for the carry does not carry again. AVX-512 only.
func (b *builder) addToWord(x, m value) value {
	r := b.addWords(x, m)
	k := b.K()
	b.VPCMPUQ(imm(1), m, r, k)
	b.VPADDQ(b.epsilon, r, k, r)
	return r
}

// mulWord is x * y mod p as a word that need not be canonical, for any words x and y. AVX-512 only.
func (b *builder) mulWord(x, y value) value {
	return b.reduceWord(b.mulWide(x, b.highHalf(x), y, b.highHalf(y)))
}

// squareParts is x*x as two words and a carry between them, for any word x, from three products of halves. AVX-512
// only.
func (b *builder) squareParts(x value) (hi, lo value, carry reg.Register) {
	xh := b.highHalf(x)
	low, cross, high := b.mulHalves(x, x), b.mulHalves(x, xh), b.mulHalves(xh, xh)
	lo, hi = b.addWords(low, b.shiftLeft(cross, 33)), b.addWords(high, b.shiftRight(cross, 31))
	carry = b.K()
	b.VPCMPUQ(imm(1), low, lo, carry)
	return hi, lo, carry
}

// square is x*x for any word x, with minusOne all ones. AVX-512 only.
func (b *builder) square(x, minusOne value) value {
	hi, lo, carry := b.squareParts(x)
	b.VPSUBQ(minusOne, hi, carry, hi)
	return b.reduce(hi, lo)
}

// squareWord is x*x mod p as a word that need not be canonical, for any word x. The carry is worth 2^64 = e: with it,
// the multiple of e that reduceWord adds is at most 2^64 - 2^32. AVX-512 only.
func (b *builder) squareWord(x value) value {
	hi, lo, carry := b.squareParts(x)
	m := b.mulEpsilon(hi)
	b.VPADDQ(b.epsilon, m, carry, m)
	return b.addToWord(b.subMod(lo, b.shiftRight(hi, 32)), m)
}

// mul is x * y.
func (b *builder) mul(x, y value) value {
	return b.mulBy(x, y, b.highHalf(y))
}

// mulBy is x * y for a y whose high half is already computed.
func (b *builder) mulBy(x, y, yh value) value {
	hi, lo := b.mulWide(x, b.highHalf(x), y, yh)
	return b.reduce(hi, lo)
}

// mulPowerOfTwo is x * 2^k for a constant k below 192.
func (b *builder) mulPowerOfTwo(x value, k int) value {
	switch {
	case k == 0:
		return x
	case k >= 96: // 2^96 = -1
		return b.negate(b.mulPowerOfTwo(x, k-96))
	case k <= 32:
		// x*2^k = low + high*e with high below 2^32.
		return b.addEpsilonMultiple(b.shiftLeft(x, k), b.mulEpsilon(b.shiftRight(x, 64-k)))
	case k < 64:
		// x*2^k = low + middle*e - high: middle has 32 bits, high k-32.
		low := b.subMod(b.shiftLeft(x, k), b.shiftRight(x, 96-k))
		return b.addEpsilonMultiple(low, b.mulEpsilon(b.shiftRight(x, 64-k)))
	case k < 96:
		// x*2^k = middle*e - high, both canonical: high has k-32 <= 63 bits.
		middle := x
		if k > 64 {
			middle = b.shiftLeft(x, k-64)
		}
		return b.subMod(b.mulEpsilon(middle), b.shiftRight(x, 96-k))
	}
	panic(fmt.Sprintf("kernelgen: multiplication by 2^%d", k))
}

// negate is -x.
func (b *builder) negate(x value) value {
	if b.set == avx512 {
		k := b.K()
		b.VPTESTMQ(x, x, k)
		r := b.vector()
		b.VPSUBQ_Z(x, b.modulus, k, r)
		return r
	}
	zero := b.vector()
	b.VPXOR(zero, zero, zero)
	r := b.modulusMinus(x)
	b.VPCMPEQQ(x, zero, zero)
	b.VPANDN(r, zero, zero)
	return zero
}

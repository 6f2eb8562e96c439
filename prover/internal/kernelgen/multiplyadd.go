package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With IFMA, a product takes six instructions, which add it to a sum without carries: an instruction multiplies the low
// 52 bits of two lanes and adds the low 52 bits of the product, or the bits above them, to a third lane. A word x is
// split into its low 52 bits and the 12 above, a word y into halves. A shifted sum is reduced once, in 24 instructions;
// the product of two words alone takes 24.

// shiftedSums holds the sums of parts of products at 2^0, 2^32, 2^52 and 2^84.
type shiftedSums [4]value

func (b *builder) newShiftedSums() (s shiftedSums) {
	for i := range s {
		s[i] = b.zero()
	}
	return s
}

// topped is a word, of which the instructions use the low 52 bits, and its top 12 bits.
type topped struct{ word, top value }

func (b *builder) topped(x value) topped { return topped{x, b.shiftRight(x, 52)} }

// halved is a word, or up to twice a word, as two halves. The halves may be in memory, shared by all lanes.
type halved [2]operand.Op

func (b *builder) halved(x value) halved { return halved{b.lowHalf(x), b.shiftRight(x, 32)} }

func (b *builder) doubleHalves(y halved) halved {
	return halved{b.addWords(y[0], y[0]), b.addWords(y[1], y[1])}
}

// multiplyAddShifted adds x*y. Each product adds less than 2^52 to the first two sums and 2^46 to the others, so the
// sums can take 2^9 products, which leave them below 2^61 and 2^55.
func (b *builder) multiplyAddShifted(s shiftedSums, x topped, y halved) {
	low, high := b.VPMADD52LUQ, b.VPMADD52HUQ
	if _, inMemory := y[0].(operand.Mem); inMemory {
		low, high = b.VPMADD52LUQ_BCST, b.VPMADD52HUQ_BCST
	}
	for i, half := range y {
		low(half, x.word, s[i])
		high(half, x.word, s[2+i])
	}
	for i, half := range y {
		low(half, x.top, s[2+i])
	}
}

// addShifted adds a word.
func (b *builder) addShifted(s shiftedSums, x value) {
	h := b.halved(x)
	b.VPADDQ(h[0], s[0], s[0])
	b.VPADDQ(h[1], s[1], s[1])
}

// shiftedTotal is the element that sums S_i represent, with S_0 and S_1 below 2^61 and S_2 and S_3 below 2^55. It
// overwrites S_1. With 2^64 = e, e = 2^32 - 1, and 2^96 = -1 that is low + 2^52 S_2 + e (S_1 >> 32 + S_2 >> 12 + 2^20
// S_3 mod 2^32) - S_3 >> 12, where the low half of low is that of S_0, its high half is the low half of S_1 plus the
// rest of S_0, and 2^52 S_2 is cut off at a word.
func (b *builder) shiftedTotal(s shiftedSums) value {
	b.VPADDQ(b.shiftRight(s[0], 32), s[1], s[1])
	low := b.joinHalves(s[0], s[1])
	upper := b.addWords(b.shiftRight(s[1], 32), b.shiftRight(s[2], 12))
	upper = b.addWords(upper, b.lowHalf(b.shiftLeft(s[3], 20)))
	// The subtracted part is below 2^44: after a borrow the word is at least 2^64 - 2^44, and adding p does not carry
	// again.
	off := b.addWords(b.shiftRight(s[3], 12), b.shiftRight(upper, 32))
	word := b.addToWord(b.subMod(low, off), b.shiftLeft(s[2], 52))
	return b.addEpsilonMultiple(word, b.mulEpsilon(upper))
}

// extensionProduct adds the products x*y in Fp[w]/(w^3 - 2) to the sums of the coordinates.
func (b *builder) extensionProduct(x [3]topped, y [3]halved, add func(c int, x topped, y halved)) {
	twice := [3]halved{1: b.doubleHalves(y[1]), 2: b.doubleHalves(y[2])}
	for c := range 3 {
		for i := range 3 {
			if j := c - i; j >= 0 {
				add(c, x[i], y[j])
			} else {
				add(c, x[i], twice[j+3])
			}
		}
	}
}

// multiplyAddKernels generates products in the extension, and products added to a third operand.
func (b *builder) multiplyAddKernels() {
	if b.set != avx512 {
		return
	}
	names := []string{"dst0", "dst1", "dst2", "a0", "a1", "a2", "b0", "b1", "b2"}
	// sums returns the sums of the coordinates of a * b, starting from the sums that begin returns.
	sums := func(i reg.Register, p []reg.GPVirtual, begin func(c int) shiftedSums) (s [3]shiftedSums) {
		var x [3]topped
		var y [3]halved
		for c := range x {
			x[c], y[c] = b.topped(b.load(atIndex(p[3+c], i, 0))), b.halved(b.load(atIndex(p[6+c], i, 0)))
		}
		b.extensionProduct(x, y, func(c int, x topped, y halved) {
			if s[c][0] == nil {
				s[c] = begin(c)
			}
			b.multiplyAddShifted(s[c], x, y)
		})
		return s
	}
	storeTotals := func(i reg.Register, p []reg.GPVirtual, s [3]shiftedSums) {
		for c := range s {
			b.store(b.shiftedTotal(s[c]), atIndex(p[c], i, 0))
		}
	}

	b.kernel("mulExtension52", "(dst0, dst1, dst2, a0, a1, a2, b0, b1, b2 *uint64, n int)",
		"sets dst = a * b for extension elements by coordinates.")
	b.overVectors(names, func(i reg.Register, p []reg.GPVirtual) {
		storeTotals(i, p, sums(i, p, func(int) shiftedSums { return b.newShiftedSums() }))
	})

	b.kernel("mulScaleAddExtension52", "(dst0, dst1, dst2, a0, a1, a2, b0, b1, b2, m *uint64, n int, s *uint64)",
		"sets dst = a * b + s * m for base elements m and an extension element, of which s has the halves.")
	s := b.argument("s")
	b.overVectors(append(names, "m"), func(i reg.Register, p []reg.GPVirtual) {
		m := b.topped(b.load(atIndex(p[9], i, 0)))
		storeTotals(i, p, sums(i, p, func(c int) shiftedSums {
			begun := b.newShiftedSums()
			b.multiplyAddShifted(begun, m, halved{at(s, 16*c), at(s, 16*c+8)})
			return begun
		}))
	})

	b.kernel("addProductsExtension52", "(dst0, dst1, dst2, a0, a1, a2, b0, b1, b2, c0, c1, c2, m *uint64, n int)",
		"sets dst += a * b + c * m for base elements m.")
	b.overVectors(names, func(i reg.Register, p []reg.GPVirtual) {
		// No registers are left for these pointers.
		argument := func(name string) value { return b.load(atIndex(b.argument(name), i, 0)) }
		m := b.topped(argument("m"))
		storeTotals(i, p, sums(i, p, func(c int) shiftedSums {
			begun := b.newShiftedSums()
			b.addShifted(begun, b.load(atIndex(p[c], i, 0)))
			b.multiplyAddShifted(begun, m, b.halved(argument(fmt.Sprint("c", c))))
			return begun
		}))
	})
	b.shiftedDotKernel()
	b.shiftedCombineKernel()
}

// shiftedDotKernel sums the products of three columns with one.
func (b *builder) shiftedDotKernel() {
	b.kernel("dotExtension52", "(sums, a0, a1, a2, b *uint64, n int)",
		"writes to sums a register for each column a: the sum of a * b, lane by lane. n is at most 512.")
	var sums [3]shiftedSums
	for c := range sums {
		sums[c] = b.newShiftedSums()
	}
	b.loopVectors([]string{"a0", "a1", "a2", "b"}, func(i reg.Register, p []reg.GPVirtual) {
		x := b.topped(b.load(atIndex(p[3], i, 0)))
		for c := range sums {
			b.multiplyAddShifted(sums[c], x, b.halved(b.load(atIndex(p[c], i, 0))))
		}
	})
	out := b.argument("sums")
	for c := range sums {
		b.store(b.shiftedTotal(sums[c]), at(out, c*b.width()))
	}
	b.end()
}

// shiftedCombineKernel adds columns times extension scalars to three columns.
func (b *builder) shiftedCombineKernel() {
	b.kernel("combine52", "(dst0, dst1, dst2 *uint64, n int, columns **uint64, scalars *uint64, k int)",
		"sets dst += the sum of k columns times scalars. A scalar is the halves of each of its coordinates, the low one "+
			"first. k is at most 256.")
	n, i := b.argument("n"), b.GP64()
	b.XORQ(i, i)
	b.countdown(n, func() {
		var sums [3]shiftedSums
		dst := func(c int) operand.Mem { return atIndex(b.argument(fmt.Sprint("dst", c)), i, 0) }
		for c := range sums {
			sums[c] = b.newShiftedSums()
			b.addShifted(sums[c], b.load(dst(c)))
		}
		columns, scalars, k := b.argument("columns"), b.argument("scalars"), b.argument("k")
		b.countdown(k, func() {
			column := b.GP64()
			b.MOVQ(at(columns, 0), column)
			b.PREFETCHT0(atIndex(column, i, 8*8)) // more columns than the hardware prefetcher follows
			x := b.topped(b.load(atIndex(column, i, 0)))
			for c := range sums {
				b.multiplyAddShifted(sums[c], x, halved{at(scalars, 16*c), at(scalars, 16*c+8)})
			}
			b.ADDQ(operand.U32(8), columns)
			b.ADDQ(operand.U32(3*16), scalars)
		})
		for c := range sums {
			b.store(b.shiftedTotal(sums[c]), dst(c))
		}
		b.ADDQ(operand.U32(uint32(b.width())), i)
	})
	b.end()
}

// fingerprintKernel sums terms for each register, starting from an element.
func (b *builder) fingerprintKernel() {
	b.kernel("fingerprint52",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, count int, weights *uint64, n int, start *uint64)",
		"sets dst to the extension element at start + sum w*x over the terms x, at most 512. "+
			"The weights and start are the halves of each coordinate, the low one first.")
	vectors, index, n, start := b.argument("vectors"), b.GP64(), b.argument("n"), b.argument("start")
	b.XORQ(index, index)
	b.countdown(n, func() {
		var sums [3]shiftedSums
		for c := range sums {
			sums[c] = shiftedSums{b.broadcast(at(start, 16*c)), b.broadcast(at(start, 16*c+8)), b.zero(), b.zero()}
		}
		terms, weights, left := b.argument("terms"), b.argument("weights"), b.argument("count")
		b.countdown(left, func() {
			x := b.topped(b.vectorAt(vectors, at(terms, 0), index))
			for c := range sums {
				b.multiplyAddShifted(sums[c], x, halved{at(weights, 16*c), at(weights, 16*c+8)})
			}
			b.ADDQ(operand.U32(4), terms)
			b.ADDQ(operand.U32(3*16), weights)
		})
		for c := range sums {
			b.store(b.shiftedTotal(sums[c]), atIndex(b.argument(fmt.Sprint("dst", c)), index, 0))
		}
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

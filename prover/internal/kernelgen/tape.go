package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tapeKernels generates the steps of package tape. They address vectors by number: vectors is an array of their
// addresses, terms an array of 32-bit numbers. n counts registers. They need AVX-512's number of registers for the
// sums, so there is no AVX2 form.
func tapeKernels(set instructionSet) ([]file, error) {
	if set != avx512 {
		return nil, nil
	}
	b := newBuilder(set)
	b.gatherKernel()
	b.stepsKernel()
	b.foldKernels()
	b.foldBytesKernels()
	b.fingerprintKernel()
	b.packKernel("packXor",
		"sets dst to 2^count*dst + sum 2^i (x_i xor y_i), the terms from the highest i down being (x, y).", 2,
		func() packTerm {
			return func(v []value) (x, y value) { return v[0], v[1] }
		})
	b.packKernel("packChi",
		"sets dst to 2^count*dst + sum 2^i (x_i xor (not y_i and z_i)), the terms from the highest i down being (x, y, z).",
		3,
		func() packTerm {
			above := b.broadcastWord(modulus + 1) // above - y is a word that represents 1 - y
			return func(v []value) (x, y value) { return v[0], b.mulWord(b.subWords(above, v[1]), v[2]) }
		})
	return b.files("prover/internal/tape", "tape", "tape")
}

// gatherAhead is the prefetch distance in columns. Each column is on a page of its own, which the hardware prefetcher
// does not follow.
const gatherAhead = 8

// gatherKernel copies the rows of a block from columns far apart.
func (b *builder) gatherKernel() {
	b.kernelOf("gather", "(dst, src **uint64, count int, n int)",
		fmt.Sprintf("copies n registers from each of count columns. src has %d further addresses, which are prefetched "+
			"and not read.", gatherAhead))
	dst, src, count := b.argument("dst"), b.argument("src"), b.argument("count")
	b.countdown(count, func() {
		from, to, ahead, index, n := b.GP64(), b.GP64(), b.GP64(), b.GP64(), b.argument("n")
		b.MOVQ(at(src, 0), from)
		b.MOVQ(at(src, 8*gatherAhead), ahead)
		b.MOVQ(at(dst, 0), to)
		b.XORQ(index, index)
		b.countdown(n, func() {
			b.PREFETCHT0(atIndex(ahead, index, 0))
			b.store(b.load(atIndex(from, index, 0)), atIndex(to, index, 0))
			b.ADDQ(operand.U32(uint32(b.width())), index)
		})
		b.ADDQ(operand.U32(8), src)
		b.ADDQ(operand.U32(8), dst)
	})
	b.end()
}

// Words of a step: its operation and the vectors dst, a, b and c, or a scalar instead of b. The operations have the
// numbers of package tape.
const stepWords = 5

// stepsKernel runs one block operation after another.
func (b *builder) stepsKernel() {
	b.kernel("steps", "(vectors **uint64, scalars *uint64, terms, steps *int32, count int, n int)",
		"runs count steps of five words: operation, dst, a, b, c. Operations are a+b, a-b, a*b, a*b+c, a+s, s-a and s*a, "+
			"with s scalar b, "+
			"(a-b)^2, a*(1-2b)+b, and the sum of b terms minus the sum of c terms, from number a on.")
	vectors, scalars, steps, count := b.argument("vectors"), b.argument("scalars"),
		b.argument("steps"), b.argument("count")
	minusOne, above := b.broadcastWord(1<<64-1), b.broadcastWord(modulus+1)
	address := func(word int) reg.GPVirtual {
		r := b.GP64()
		b.MOVLQSX(at(steps, 4*word), r)
		b.MOVQ(operand.Mem{Base: vectors, Index: r, Scale: 8}, r)
		return r
	}
	type operation struct {
		operands int // words after dst that are vectors
		scalar   bool
		run      func(v []value, s, sh value) value
	}
	operations := []operation{
		{2, false, func(v []value, _, _ value) value { return b.add(v[0], v[1]) }},
		{2, false, func(v []value, _, _ value) value { return b.sub(v[0], v[1]) }},
		{2, false, func(v []value, _, _ value) value { return b.mul(v[0], v[1]) }},
		{3, false, func(v []value, _, _ value) value { return b.add(b.mul(v[0], v[1]), v[2]) }},
		{1, true, func(v []value, s, _ value) value { return b.add(s, v[0]) }},
		{1, true, func(v []value, s, _ value) value { return b.sub(s, v[0]) }},
		{1, true, func(v []value, s, sh value) value { return b.mulBy(v[0], s, sh) }},
		{2, false, func(v []value, _, _ value) value { return b.square(b.sub(v[0], v[1]), minusOne) }},
		{2, false, func(v []value, _, _ value) value {
			sign := b.subMod(b.subWords(above, v[1]), v[1])
			return b.add(b.mul(v[0], sign), v[1])
		}},
	}
	next, op := b.label("next"), b.GP64()
	labels := make([]string, len(operations)+1) // the operations and sums
	for i := range labels {
		labels[i] = b.label("operation")
	}
	loop := b.label("step")
	b.Label(loop)
	b.MOVLQSX(at(steps, 0), op)
	for i := 1; i < len(labels); i++ {
		b.CMPQ(op, imm(i))
		b.JEQ(operand.LabelRef(labels[i]))
	}
	for i, o := range operations {
		b.Label(labels[i])
		dst := address(1)
		sources := make([]reg.GPVirtual, o.operands)
		for k := range sources {
			sources[k] = address(2 + k)
		}
		var s, sh value
		if o.scalar {
			number := b.GP64()
			b.MOVLQSX(at(steps, 4*3), number)
			s = b.broadcast(operand.Mem{Base: scalars, Index: number, Scale: 8})
			sh = b.highHalf(s)
		}
		n, index := b.argument("n"), b.GP64()
		b.XORQ(index, index)
		b.countdown(n, func() {
			v := make([]value, len(sources))
			for k := range v {
				v[k] = b.load(atIndex(sources[k], index, 0))
			}
			b.store(o.run(v, s, sh), atIndex(dst, index, 0))
			b.ADDQ(operand.U32(uint32(b.width())), index)
		})
		b.JMP(operand.LabelRef(next))
	}
	b.Label(labels[len(operations)])
	b.sumStep(vectors, steps, address(1))
	b.Label(next)
	b.ADDQ(operand.U32(4*stepWords), steps)
	b.DECQ(count)
	b.JNZ(operand.LabelRef(loop))
	b.end()
}

// sumStep sums listed vectors, of which at least one is added. Intermediate sums may be any words. An addition waits
// for the previous one, so several registers are summed at a time.
func (b *builder) sumStep(vectors, steps, dst reg.GPVirtual) {
	const together = 4
	first, n, index := b.GP64(), b.argument("n"), b.GP64()
	b.MOVLQSX(at(steps, 4*2), first)
	list := b.argument("terms")
	b.LEAQ(operand.Mem{Base: list, Index: first, Scale: 4}, list)
	b.XORQ(index, index)
	some := func(registers int) {
		var sums [together]value
		start, term, left := b.vectorAddress(vectors, at(list, 0)), b.GP64(), b.GP64()
		for r := range registers {
			sums[r] = b.load(atIndex(start, index, r*b.width()))
		}
		b.LEAQ(at(list, 4), term)
		b.MOVLQSX(at(steps, 4*3), left)
		b.DECQ(left)
		for _, add := range []func(sum, x value) value{b.addToWord, b.subMod} {
			done := b.label("done")
			b.TESTQ(left, left)
			b.JZ(operand.LabelRef(done))
			b.countdown(left, func() {
				vector := b.vectorAddress(vectors, at(term, 0))
				for r := range registers {
					b.VMOVDQA64(add(sums[r], b.load(atIndex(vector, index, r*b.width()))), sums[r])
				}
				b.ADDQ(operand.U32(4), term)
			})
			b.Label(done)
			b.MOVLQSX(at(steps, 4*4), left)
		}
		for r := range registers {
			b.store(b.wordTimes(sums[r], 0), atIndex(dst, index, r*b.width()))
		}
		b.ADDQ(operand.U32(uint32(registers*b.width())), index)
	}
	for _, registers := range []int{together, 1} {
		loop, done := b.label("registers"), b.label("done")
		b.Label(loop)
		b.CMPQ(n, imm(registers))
		b.JLT(operand.LabelRef(done))
		some(registers)
		b.SUBQ(imm(registers), n)
		b.JMP(operand.LabelRef(loop))
		b.Label(done)
	}
}

// vectorAddress is the address of the vector whose number is at term.
func (b *builder) vectorAddress(vectors reg.GPVirtual, term operand.Mem) reg.GPVirtual {
	number := b.GP64()
	b.MOVLQSX(term, number)
	b.MOVQ(operand.Mem{Base: vectors, Index: number, Scale: 8}, number)
	return number
}

// vectorAt loads a register of that vector.
func (b *builder) vectorAt(vectors reg.GPVirtual, term operand.Mem, index reg.GPVirtual) value {
	return b.load(atIndex(b.vectorAddress(vectors, term), index, 0))
}

// packChunk is the number of terms that a packing sums before it reduces. The sums double with every term, and a term
// adds less than 3 * 2^33 in absolute value: from below 2^32 they stay below 7 * 2^60.
const packChunk = 28

// packTerm computes a term's two operands from its vectors.
type packTerm func(v []value) (x, y value)

// packKernel sums terms x xor y = x + y - 2xy by Horner's rule. Each term is computed from arity vectors; x and y may
// be any words. The sum is lo + 2^32 hi, both signed, and a product a + 2^32 b + 2^64 (c + 2^32 d) of halves is (a - c
// - d) + 2^32 (b + c), because 2^64 = 2^32 - 1 and 2^96 = -1: only the sum of many terms is reduced. A term is computed
// while the previous one is added, so that neither waits for the other; after the last term, the kernel computes one
// more, which is not used.
func (b *builder) packKernel(name, doc string, arity int, prepare func() packTerm) {
	b.kernel(name, "(dst *uint64, vectors **uint64, terms *int32, count int, n int)", doc)
	term := prepare()
	dst, vectors, index, n := b.argument("dst"), b.argument("vectors"), b.GP64(), b.argument("n")
	makeTerm := func(terms reg.GPVirtual, number int) (x, y value) {
		v := make([]value, arity)
		for i := range v {
			v[i] = b.vectorAt(vectors, at(terms, 4*(arity*number+i)), index)
		}
		return term(v)
	}
	b.XORQ(index, index)
	b.countdown(n, func() {
		terms, count := b.argument("terms"), b.argument("count")
		sum := b.load(atIndex(dst, index, 0))
		x, y := makeTerm(terms, 0)
		chunk := b.label("chunk")
		b.Label(chunk)
		left := b.GP64()
		b.MOVQ(operand.U32(packChunk), left)
		b.CMPQ(count, left)
		b.CMOVQLT(count, left)
		b.SUBQ(left, count)
		lo, hi := b.lowHalf(sum), b.shiftRight(sum, 32)
		b.countdown(left, func() {
			nextX, nextY := makeTerm(terms, 1)
			xh, yh := b.shiftRight(x, 32), b.shiftRight(y, 32)
			upper, second, first := b.mulParts(x, xh, y, yh)
			low := b.lowHalf(upper)
			b.VPADDQ(low, lo, lo)
			b.VPADDQ(b.shiftRight(upper, 32), lo, lo)
			b.VPSUBQ(b.lowHalf(first), lo, lo)
			b.VPSUBQ(low, hi, hi)
			b.VPSUBQ(b.lowHalf(second), hi, hi)
			for _, half := range []struct{ sum, x, y value }{{lo, b.lowHalf(x), b.lowHalf(y)}, {hi, xh, yh}} {
				b.VPADDQ(half.sum, half.sum, half.sum)
				b.VPADDQ(half.x, half.sum, half.sum)
				b.VPADDQ(half.y, half.sum, half.sum)
			}
			b.VMOVDQA64(nextX, x)
			b.VMOVDQA64(nextY, y)
			b.ADDQ(operand.U32(uint32(4*arity)), terms)
		})
		b.VMOVDQA64(b.signedSum(lo, hi), sum)
		b.TESTQ(count, count)
		b.JNZ(operand.LabelRef(chunk))
		b.store(sum, atIndex(dst, index, 0))
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

// signedSum is lo + 2^32 hi for signed words: adding 2^63 makes each unsigned, and 2^63 + 2^95 is subtracted again.
func (b *builder) signedSum(lo, hi value) value {
	const bias = 1<<63 + 1<<63 - 1<<31 // 2^63 + 2^95 mod p, as 2^95 = 2^63 - 2^31
	offset := b.broadcastWord(sign)
	lo, hi = b.addWords(lo, offset), b.addWords(hi, offset)
	return b.sub(b.add(b.wordTimes(lo, 0), b.wordTimes(hi, 32)), b.broadcastWord(bias-modulus))
}

// foldKernels generates the sums of constraints times their weights, and of message values times theirs.
func (b *builder) foldKernels() {
	cut := fmt.Sprintf("weights has %d words a term: the coordinates' limbs of %d bits.", 3*limbs, limbBits)
	b.kernel("fold",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, plain, booleans int, weights *uint64, n int)",
		"adds sum w*x over the plain terms x and then sum w*(x*x-x) over the booleans, at most 1024 in all. "+cut)
	b.fold([]string{"plain", "booleans"}, b.oldSum)
	b.kernel("fingerprint",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, plain int, weights *uint64, n int, start *uint64)",
		"sets dst to the extension element at start + sum w*x over the terms x, at most 1024. "+cut)
	b.fold([]string{"plain"}, b.startSum)
}

// fold sums the terms of all counts for each register and adds the sum to another.
func (b *builder) fold(counts []string, other func(c int, dst, index reg.GPVirtual) value) {
	minusOne := b.broadcastWord(1<<64 - 1)
	vectors, index, n := b.argument("vectors"), b.GP64(), b.argument("n")
	b.XORQ(index, index)
	b.countdown(n, func() {
		var sums [3]partialSums
		for j := range sums {
			sums[j] = b.newPartialSums()
		}
		terms, weights := b.argument("terms"), b.argument("weights")
		for i, count := range counts {
			left, done := b.argument(count), b.label("done")
			b.TESTQ(left, left)
			b.JZ(operand.LabelRef(done))
			b.countdown(left, func() {
				x := b.vectorAt(vectors, at(terms, 0), index)
				if i > 0 { // x(x-1), where x-1 may be any word for x = 0
					x = b.mulWord(x, b.addWords(x, minusOne))
				}
				for h, half := range [2]value{x, b.highHalf(x)} {
					for j := range sums {
						for l := range limbs {
							b.multiplyBroadcastAdd(sums[j][h][l], half, at(weights, 8*(limbs*j+l)))
						}
					}
				}
				b.ADDQ(operand.U32(4), terms)
				b.ADDQ(operand.U32(8*3*limbs), weights)
			})
			b.Label(done)
		}
		for c := range sums {
			dst := b.argument(fmt.Sprint("dst", c))
			b.store(b.add(other(c, dst, index), b.total(sums[c])), atIndex(dst, index, 0))
		}
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

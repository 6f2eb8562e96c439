package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With VNNI a sum of products w*x with weights w that serve all lanes takes 8
// instructions a term, and no preparation of x, where halves times limbs take 12 and
// one. Write v = (w*2^8k mod p) = sum 2^8j d_jk with signed digits d_jk for k = 0 to 3.
// One instruction multiplies the four bytes of each 32-bit half of x by d_j0 to d_j3 and
// adds the four products to a 32-bit sum; so the sum j of a lane's low half is the
// coefficient of 2^8j in w times the low half of x, and the sum of its high half likewise.
// A term adds at most 4*255*128 < 2^17 either way: 2^14 terms do not overflow.
const (
	digits       = 8 // of a weight
	weightBytes  = 4 * digits
	maxByteTerms = 1 << 14
)

// byteSums are the sums j of one weight's products.
type byteSums [digits]value

func (b *builder) newByteSums() (s byteSums) {
	for j := range s {
		s[j] = b.zero()
	}
	return s
}

// multiplyBytesAdd adds to each half of the lanes of sum the products of its four
// bytes of x with the four signed bytes at digits. avo does not know the instruction.
func (b *builder) multiplyBytesAdd(sum, x value, digits operand.Mem) {
	b.Instruction(&ir.Instruction{
		Opcode:   "VPDPBUSD",
		Suffixes: []string{"BCST"},
		Operands: []operand.Op{digits, x, sum},
		Inputs:   []operand.Op{digits, x, sum},
		Outputs:  []operand.Op{sum},
		ISA:      []string{"AVX512VNNI"},
	})
}

// byteTotal is the sum that byte sums stand for. With the halves l_j and h_j of sum j it is
// sum 2^8j (l_j + 2^32 h_j), so a coefficient of 2^8j is l_j for j = 0 to 3, l_j + h_(j-4)
// for 4 to 7 and h_(j-4) above. Four of them together are a signed word, at 1, at 2^32 and at
// 2^64 = 2^32 - 1.
func (b *builder) byteTotal(s byteSums) value {
	signExtend := func(x value, high bool) value {
		if !high {
			x = b.shiftLeft(x, 32)
		}
		r := b.vector()
		b.VPSRAQ(imm(32), x, r)
		return r
	}
	join := func(first int, high bool) value {
		var sum value
		for j := first + 3; j >= first; j-- {
			half := signExtend(s[j], high)
			if j == first+3 {
				sum = half
			} else {
				sum = b.addWords(b.shiftLeft(sum, 8), half)
			}
		}
		return sum
	}
	low, middle, upper := join(0, false), b.addWords(join(4, false), join(0, true)), join(4, true)
	return b.signedSum(b.subWords(low, upper), b.addWords(middle, upper))
}

// foldBytesKernels are foldKernels with products of bytes.
func (b *builder) foldBytesKernels() {
	digits := fmt.Sprintf("weights has %d bytes a term, the coordinates' signed digits: digit j of w*2^8k at 4*j+k. "+
		"It needs VNNI.", 3*weightBytes)
	b.kernel("foldBytes",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, plain, booleans int, weights *int8, n int)",
		fmt.Sprintf("adds sum w*x over the plain terms x and then sum w*(x*x-x) over the booleans, at most %d in all. ",
			maxByteTerms)+digits)
	b.foldBytes([]string{"plain", "booleans"}, b.newByteSums, b.byteTotal, b.oldSum)
	b.kernel("fingerprintBytes",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, plain int, weights *int8, n int, start *uint64)",
		fmt.Sprintf("sets dst to the extension element at start + %#x * (1 + 2^32) * (1 + 2^8 + ... + 2^56) + sum w*x over "+
			"the terms x, at most %d. ", printBias, maxPrintTerms)+digits)
	bias := b.broadcastWord(printBias | printBias<<32)
	biased := func() (s byteSums) {
		for j := range s {
			s[j] = b.vector()
			b.VMOVDQA64(bias, s[j])
		}
		return s
	}
	b.foldBytes([]string{"plain"}, biased, b.printTotal, b.startSum)
}

// oldSum is what coordinate c of a sum is added to: what is there.
func (b *builder) oldSum(c int, dst, index reg.GPVirtual) value {
	return b.load(atIndex(dst, index, 0))
}

// startSum is what coordinate c of a sum is added to: that of the element at start.
func (b *builder) startSum(c int, dst, index reg.GPVirtual) value {
	return b.broadcast(at(b.argument("start"), 8*c))
}

// A fingerprint has few terms, and what its sums cost does not matter as much as what is made of them. They begin at a
// bias above what the terms can take off, so that sum j is a word S_j = l_j + 2^32 h_j of two halves below 2^22, and
// the whole is sum 2^8j S_j, with the bias in each half.
const (
	maxPrintTerms = 16 // 16 * 4*255*128 < 2^21
	printBias     = 1 << 21
)

// printTotal is the sum that byte sums with a bias stand for. Two neighbours make a word P below 2^63, and of
// P_0 + 2^16 P_1 + 2^32 P_2 + 2^48 P_3 there are parts at 1, at 2^32 and at 2^64 = 2^32 - 1.
func (b *builder) printTotal(s byteSums) value {
	var pairs [digits / 2]value
	for j := range pairs {
		pairs[j] = b.addWords(s[2*j], b.shiftLeft(s[2*j+1], 8))
	}
	low16At16 := func(x value) value { return b.shiftRight(b.shiftLeft(x, 48), 32) }
	upper := b.shiftRight(pairs[3], 16)
	low := b.subWords(b.addWords(pairs[0], low16At16(pairs[1])), upper) // P_0 is at least 2^53, upper below 2^47
	middle := b.addWords(b.addWords(pairs[2], b.shiftRight(pairs[1], 16)), b.addWords(low16At16(pairs[3]), upper))
	return b.add(b.wordTimes(middle, 32), low)
}

// foldBytes sums up the counts' terms for each register and adds the sum to another.
func (b *builder) foldBytes(counts []string, begin func() byteSums, total func(byteSums) value,
	other func(c int, dst, index reg.GPVirtual) value) {
	vectors, index, n := b.argument("vectors"), b.GP64(), b.argument("n")
	b.XORQ(index, index)
	b.countdown(n, func() {
		b.modulus = nil // the sums leave no register for it
		var sums [3]byteSums
		for j := range sums {
			sums[j] = begin()
		}
		terms, weights := b.argument("terms"), b.argument("weights")
		for i, count := range counts {
			left, done := b.argument(count), b.label("done")
			term := func(x value) value { return x }
			if i > 0 {
				term = func(x value) value { return b.subMod(b.squareWord(x), x) }
			}
			b.TESTQ(left, left)
			b.JZ(operand.LabelRef(done))
			x := term(b.vectorAt(vectors, at(terms, 0), index))
			b.countdown(left, func() {
				next := term(b.vectorAt(vectors, at(terms, 4), index))
				for c := range sums {
					for j := range sums[c] {
						b.multiplyBytesAdd(sums[c][j], x, at(weights, weightBytes*c+4*j))
					}
				}
				b.VMOVDQA64(next, x)
				b.ADDQ(operand.U32(4), terms)
				b.ADDQ(operand.U32(3*weightBytes), weights)
			})
			b.Label(done)
		}
		b.modulus = b.broadcastWord(modulus)
		for c := range sums {
			dst := b.argument(fmt.Sprint("dst", c))
			b.store(b.add(other(c, dst, index), total(sums[c])), atIndex(dst, index, 0))
		}
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

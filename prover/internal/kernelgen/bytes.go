package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With VNNI, a sum of products w*x with weights w shared by all lanes takes 8 instructions a term and no preparation
// of x, where products of halves and limbs take 12 and one. Write v = (w*2^8k mod p) = sum 2^8j d_jk with signed
// digits d_jk for k = 0 to 3. One instruction multiplies the four bytes of each 32-bit half of x by d_j0 to d_j3 and
// adds the four products to a 32-bit sum; so the sum j of a lane's low half is the coefficient of 2^8j in w times the
// low half of x, and the sum of its high half likewise. A term adds at most 4*255*128 < 2^17 either way: 2^14 terms
// do not overflow.
const (
	digits       = 8 // of a weight
	weightBytes  = 4 * digits
	maxByteTerms = 1 << 14
)

// byteSums holds the sums j of one weight's products.
type byteSums [digits]value

func (b *builder) newByteSums() (s byteSums) {
	for j := range s {
		s[j] = b.zero()
	}
	return s
}

// multiplyBytesAdd adds to each half of sum's lanes the products of the half's four bytes of x with the four signed
// bytes at digits. avo does not support the instruction.
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

// byteTotal is the field element that byte sums represent. With the halves l_j and h_j of sum j it is sum 2^8j (l_j +
// 2^32 h_j), so a coefficient of 2^8j is l_j for j = 0 to 3, l_j + h_(j-4) for 4 to 7 and h_(j-4) above. Four of them
// together are a signed word, at 1, at 2^32 and at 2^64 = 2^32 - 1.
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

// foldBytesKernels generates the fold kernel with products of bytes.
func (b *builder) foldBytesKernels() {
	digits := fmt.Sprintf("weights has %d bytes a term, the coordinates' signed digits: digit j of w*2^8k at 4*j+k. "+
		"It needs VNNI.", 3*weightBytes)
	b.kernel("foldBytes",
		"(dst0, dst1, dst2 *uint64, vectors **uint64, terms *int32, plain, booleans int, weights *int8, n int)",
		fmt.Sprintf("adds sum w*x over the plain terms x and then sum w*(x*x-x) over the booleans, at most %d in all. ",
			maxByteTerms)+digits)
	b.foldBytes([]string{"plain", "booleans"})
}

// oldSum is the initial value of a sum's coordinate c: the value at dst.
func (b *builder) oldSum(c int, dst, index reg.GPVirtual) value {
	return b.load(atIndex(dst, index, 0))
}

// startSum is the initial value of a sum's coordinate c: the coordinate of the element at start.
func (b *builder) startSum(c int, dst, index reg.GPVirtual) value {
	return b.broadcast(at(b.argument("start"), 8*c))
}

// foldBytes sums the terms of all counts for each register and adds the sum to another.
func (b *builder) foldBytes(counts []string) {
	vectors, index, n := b.argument("vectors"), b.GP64(), b.argument("n")
	b.XORQ(index, index)
	b.countdown(n, func() {
		b.modulus = nil // the sums leave no register for the modulus
		var sums [3]byteSums
		for j := range sums {
			sums[j] = b.newByteSums()
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
			b.store(b.add(b.oldSum(c, dst, index), b.byteTotal(sums[c])), atIndex(dst, index, 0))
		}
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

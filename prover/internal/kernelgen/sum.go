package kernelgen

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sums of products are reduced once for many terms. One factor is split into halves of 32 bits and the other into
// limbs of 22, so a product is below 2^54 and 1,024 of them can be added without a carry. A term takes 6
// multiplications and 6 additions; a reduced product alone takes some 24 instructions.
const (
	limbBits = 22
	limbs    = 3
)

// partialSums holds the sums of the products of half h and limb l, at [h][l].
type partialSums [2][limbs]value

func (b *builder) newPartialSums() (s partialSums) {
	for h := range s {
		for l := range s[h] {
			s[h][l] = b.zero()
		}
	}
	return s
}

// multiplyAdd adds the product of half h and limb l, which may be in memory.
func (b *builder) multiplyAdd(sum value, half value, limb operand.Op) {
	product := b.mulHalves(half, limb)
	b.VPADDQ(product, sum, sum)
}

// total is the element that the partial sums represent; the sums may be any words.
func (b *builder) total(s partialSums) (sum value) {
	for h := range s {
		for l := range s[h] {
			part := b.wordTimes(s[h][l], 32*h+limbBits*l)
			if h+l == 0 {
				sum = part
			} else {
				sum = b.add(sum, part)
			}
		}
	}
	return sum
}

// wordTimes is x * 2^k for any word x. mulPowerOfTwo accepts any word for the shifts that limbs and halves need: what
// it adds or subtracts is a multiple of e by 32 bits or shorter than a word.
func (b *builder) wordTimes(x value, k int) value {
	if k > 0 {
		return b.mulPowerOfTwo(x, k)
	}
	p := b.vector()
	if b.set == avx512 {
		b.VMOVDQA64(b.modulus, p)
	} else {
		b.VMOVDQU(b.modulus, p)
	}
	return b.subMod(x, p)
}

func (b *builder) zero() value {
	v := b.vector()
	if b.set == avx512 {
		// avo assumes that the instruction reads its sources, which would keep a register alive from the loop's previous
		// iteration.
		b.Instruction(&ir.Instruction{
			Opcode: "VPXORQ", Operands: []operand.Op{v, v, v}, Outputs: []operand.Op{v}, ISA: []string{"AVX512F"},
		})
	} else {
		b.VPXOR(v, v, v)
	}
	return v
}

func (b *builder) sumKernels() {
	b.dotKernel("dot", []string{"a"})
	if b.set == avx512 { // AVX2 has too few registers for three sums
		b.dotKernel("dotExtension", []string{"a0", "a1", "a2"})
	}
	b.combineKernel()
}

// dotKernel sums the products of the given columns with one.
func (b *builder) dotKernel(name string, columns []string) {
	signature := "(sums"
	for _, c := range columns {
		signature += ", " + c
	}
	b.kernel(name, signature+", b *uint64, n int)",
		"writes to sums a register for each column a: the sum of a * b, lane by lane. n is at most 512.")
	mask := b.broadcastWord(1<<limbBits - 1)
	sums := make([]partialSums, len(columns))
	for j := range sums {
		sums[j] = b.newPartialSums()
	}
	loop := func(i reg.Register, p []reg.GPVirtual) {
		x := b.load(atIndex(p[len(columns)], i, 0))
		var parts [limbs]value
		for l := range parts {
			part := x
			if l > 0 {
				part = b.shiftRight(x, l*limbBits)
			}
			if l < limbs-1 {
				masked := b.vector()
				if b.set == avx512 {
					b.VPANDQ(mask, part, masked)
				} else {
					b.VPAND(mask, part, masked)
				}
				part = masked
			}
			parts[l] = part
		}
		for j := range columns {
			low := b.load(atIndex(p[j], i, 0))
			for h, half := range [2]value{low, b.highHalf(low)} {
				for l, part := range parts {
					b.multiplyAdd(sums[j][h][l], half, part)
				}
			}
		}
	}
	b.loopVectors(append(columns, "b"), loop)
	out := b.argument("sums")
	for j := range sums {
		b.store(b.total(sums[j]), at(out, j*b.width()))
	}
	b.end()
}

// combineKernel adds columns times extension scalars to three columns. AVX-512
// has the registers for all three coordinates at a time.
func (b *builder) combineKernel() {
	b.kernel("combine", "(dst0, dst1, dst2 *uint64, n int, columns **uint64, scalars *uint64, k int)",
		"sets dst += the sum of k columns times scalars. A scalar is the three limbs of each of its coordinates. k is at "+
			"most 512.")
	together := 1
	if b.set == avx512 {
		together = 3
	}
	n, i := b.argument("n"), b.GP64()
	b.XORQ(i, i)
	b.countdown(n, func() {
		for first := 0; first < 3; first += together {
			sums := make([]partialSums, together)
			for j := range sums {
				sums[j] = b.newPartialSums()
			}
			columns, scalars, k := b.argument("columns"), b.argument("scalars"), b.argument("k")
			b.countdown(k, func() {
				column := b.GP64()
				b.MOVQ(at(columns, 0), column)
				if first == 0 {
					b.PREFETCHT0(atIndex(column, i, 8*8)) // more columns than the hardware prefetcher follows
				}
				low := b.load(atIndex(column, i, 0))
				for h, half := range [2]value{low, b.highHalf(low)} {
					for j := range sums {
						for l := range limbs {
							b.multiplyBroadcastAdd(sums[j][h][l], half, at(scalars, 8*(limbs*(first+j)+l)))
						}
					}
				}
				b.ADDQ(operand.U32(8), columns)
				b.ADDQ(operand.U32(3*limbs*8), scalars)
			})
			for j := range sums {
				dst := b.argument([]string{"dst0", "dst1", "dst2"}[first+j])
				sum := b.add(b.total(sums[j]), b.load(atIndex(dst, i, 0)))
				b.store(sum, atIndex(dst, i, 0))
			}
		}
		b.ADDQ(operand.U32(uint32(b.width())), i)
	})
	b.end()
}

// multiplyBroadcastAdd is multiplyAdd with a limb in memory that all lanes share.
func (b *builder) multiplyBroadcastAdd(sum, half value, limb operand.Mem) {
	if b.set == avx512 {
		product := b.vector()
		b.VPMULUDQ_BCST(limb, half, product)
		b.VPADDQ(product, sum, sum)
		return
	}
	b.multiplyAdd(sum, half, b.broadcast(limb))
}

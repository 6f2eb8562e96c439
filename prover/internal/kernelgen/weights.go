package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Weights of long sums come cut into limbs of 22, 22 and 20 bits and values into
// halves, so that each product is below 2^54 and 1,024 of them add up in a word
// without a carry. Only the sums are reduced.

// limbSums are the sums for three coordinates, two halves and three limbs.
type limbSums [3][2][limbs]value

// weightKernels are sums of base elements times extension elements. There is
// only an AVX-512 form: the sums need its number of registers.
func weightKernels(set instructionSet) ([]file, error) {
	if set != avx512 {
		return nil, nil
	}
	b := newBuilder(set)
	b.weighColumnsKernel()
	b.weighRowsKernel()
	return b.files("prover/goldilocks", "weights", "goldilocks")
}

func (b *builder) zeroSums() (sums limbSums) {
	b.eachSum(&sums, func(_ int, _ int, sum *value) { *sum = b.zero() })
	return sums
}

// eachSum visits the sums by coordinate, with the power of two that each
// weighs.
func (b *builder) eachSum(sums *limbSums, visit func(coordinate, power int, sum *value)) {
	for j := range sums {
		for h := range sums[j] {
			for l := range sums[j][h] {
				visit(j, 32*h+limbBits*l, &sums[j][h][l])
			}
		}
	}
}

// addProducts adds x times the limbs that limb gives for a coordinate.
func (b *builder) addProducts(sums *limbSums, x value, limb func(coordinate, l int) value) {
	halves := [2]value{x, b.highHalf(x)}
	for j := range sums {
		for l := range limbs {
			w := limb(j, l)
			for h := range halves {
				b.VPADDQ(b.mulHalves(halves[h], w), sums[j][h][l], sums[j][h][l])
			}
		}
	}
}

// weighColumnsKernel goes through the columns register by register and fetches
// the next register of each ahead: a row of many columns is on as many pages.
func (b *builder) weighColumnsKernel() {
	b.kernel("weighColumns", "(dst0, dst1, dst2 *uint64, columns **uint64, count int, weights *uint64, n int)",
		fmt.Sprintf("adds the sum of columns times weights, for 1 to 1024 columns. weights has %d words a column: the coordinates' limbs of %d bits.", 3*limbs, limbBits))
	var dst [3]reg.GPVirtual
	for j := range dst {
		dst[j] = b.argument(fmt.Sprint("dst", j))
	}
	index, n := b.GP64(), b.argument("n")
	b.XORQ(index, index)
	b.countdown(n, func() {
		sums := b.zeroSums()
		columns, count, weights := b.argument("columns"), b.argument("count"), b.argument("weights")
		b.countdown(count, func() {
			column := b.GP64()
			b.MOVQ(at(columns, 0), column)
			b.PREFETCHT0(atIndex(column, index, b.width()))
			b.addProducts(&sums, b.load(atIndex(column, index, 0)), func(j, l int) value {
				return b.broadcast(at(weights, 8*(limbs*j+l)))
			})
			b.ADDQ(operand.U32(8), columns)
			b.ADDQ(operand.U32(8*3*limbs), weights)
		})
		var total [3]value
		for j := range total {
			total[j] = b.load(atIndex(dst[j], index, 0))
		}
		b.eachSum(&sums, func(j, power int, sum *value) {
			total[j] = b.add(total[j], b.wordTimes(*sum, power))
		})
		for j := range total {
			b.store(total[j], atIndex(dst[j], index, 0))
		}
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
	b.end()
}

// wordTimes is x * 2^k for any word x. mulPowerOfTwo takes any word for the
// shifts that limbs and halves need: what it adds or subtracts is a multiple of
// e by 32 bits or shorter than a word.
func (b *builder) wordTimes(x value, k int) value {
	if k > 0 {
		return b.mulPowerOfTwo(x, k)
	}
	p := b.vector()
	b.VMOVDQA64(b.modulus, p)
	return b.subMod(x, p)
}

// weighRowsKernel sums up over the rows of one column.
func (b *builder) weighRowsKernel() {
	b.kernel("weighRows", "(sums *uint64, column, weights *uint64, n int)",
		fmt.Sprintf("writes %d registers to sums: over 1 to 1024 registers of the column, the sums of its halves times the weights' limbs of %d bits, "+
			"by coordinate, half and limb. weights has %d registers for each of the column's.", 6*limbs, limbBits, 3*limbs))
	sums := b.zeroSums()
	column, weights, n := b.argument("column"), b.argument("weights"), b.argument("n")
	b.countdown(n, func() {
		b.addProducts(&sums, b.load(at(column, 0)), func(j, l int) value {
			return b.load(at(weights, b.width()*(limbs*j+l)))
		})
		b.ADDQ(operand.U32(uint32(b.width())), column)
		b.ADDQ(operand.U32(uint32(3*limbs*b.width())), weights)
	})
	out, place := b.argument("sums"), 0
	b.eachSum(&sums, func(_, _ int, sum *value) {
		b.store(*sum, at(out, place))
		place += b.width()
	})
	b.end()
}

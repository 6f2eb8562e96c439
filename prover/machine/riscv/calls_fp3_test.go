package riscv_test

import (
	"fmt"
	"math/big"
)

// The model of calls in the extension of the machine's field, in integers.

// prime is that of the machine's field.
var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), big.NewInt(1<<32-1))

// extensions calls both accelerators, with operands that overlap, words around the prime, and an invalid word that
// stays.
func (m *callModel) extensions() {
	m.addRow(832, 0, 256)
	m.addRow(832, 64, 264)
	m.addRow(832, 1024, 264) // 2^64 - 1 is invalid
	m.addRow(832, 64, 272)
	m.addRow(512, 512, 512)
	m.addRow(1152, 1184, 1120)
	m.multiplyAdd(832, 0, 256)
	m.multiplyAdd(0, 0, 0)
	m.multiplyAdd(1056, 1064, 1072)
	m.multiplyAdd(1184, 832, 1184)
}

// addRow calls the accelerator with the sum, the cells and the coefficients at these distances.
func (m *callModel) addRow(sum, row, coefficients int64) {
	m.call("FP3ROW", 0x160, []operand{{1, 8, 0}, {2, 24, 1}, {0, 4, 2}}, []int64{sum, row, coefficients},
		func(read []uint64) ([]uint64, cells) {
			total, own, excess := read[32:35], cells{}, new(big.Int)
			for i, x := range read[:8] {
				total = sumWithProduct(total, []uint64{x, 0, 0}, read[8+3*i:])
				own[fmt.Sprintf("inverse[%d]", i)] = inverseBelowTop(x)
				if new(big.Int).SetUint64(x).Cmp(prime) >= 0 {
					excess.Add(excess, new(big.Int).SetUint64(x&0xffffffff))
				}
			}
			refused := read[35]
			own["excess"], own["refused"], own["excessInverse"] = excess.Uint64(), 0, 0
			if excess.Sign() > 0 {
				refused, own["refused"] = 1, 1
				own["excessInverse"] = new(big.Int).ModInverse(excess, prime).Uint64()
			}
			return append(total, refused), resultCells(own, total)
		})
}

// multiplyAdd calls the accelerator with the sum and the factors at these distances.
func (m *callModel) multiplyAdd(sum, a, b int64) {
	m.call("FP3MUL", 0x161, []operand{{1, 3, 0}, {2, 3, 1}, {0, 3, 2}}, []int64{sum, a, b},
		func(read []uint64) ([]uint64, cells) {
			total := sumWithProduct(read[6:9], read, read[3:])
			return total, resultCells(cells{}, total)
		})
}

// sumWithProduct is sum + a b modulo w^3 - 2 and the prime.
func sumWithProduct(sum, a, b []uint64) (result []uint64) {
	for power := range 3 {
		n := new(big.Int).SetUint64(sum[power])
		for i := range 3 {
			for _, k := range []int{power - i, power + 3 - i} {
				if k < 0 || k > 2 {
					continue
				}
				product := new(big.Int).Mul(new(big.Int).SetUint64(a[i]), new(big.Int).SetUint64(b[k]))
				n.Add(n, product.Lsh(product, uint((i+k)/3)))
			}
		}
		result = append(result, n.Mod(n, prime).Uint64())
	}
	return result
}

// inverseBelowTop is the inverse of the difference of the largest limb and a word's high limb, or 0.
func inverseBelowTop(word uint64) uint64 {
	gap := new(big.Int).SetUint64(0xffffffff - word>>32)
	if gap.Sign() == 0 {
		return 0
	}
	return gap.ModInverse(gap, prime).Uint64()
}

func resultCells(own cells, words []uint64) cells {
	for i, w := range words {
		own[fmt.Sprintf("result[%d]", 2*i)] = w >> 16 & 0xffff
		own[fmt.Sprintf("result[%d]", 2*i+1)] = w >> 48
		own[fmt.Sprintf("resultInverse[%d]", i)] = inverseBelowTop(w)
	}
	return own
}

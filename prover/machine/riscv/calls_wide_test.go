package riscv_test

import (
	"fmt"
	"math/big"
)

// wide calls the accelerator with an accumulator and two factors at these distances.
func (m *callModel) wide(accumulator, x, y int64) {
	m.call("WIDE256", 0x112, []operand{{2, 4, 0}, {1, 4, 1}, {0, 9, 2}}, []int64{accumulator, x, y},
		func(read []uint64) ([]uint64, cells) {
			y, x, old := wholeNumber(read[:4]), wholeNumber(read[4:8]), wholeNumber(read[8:])
			sum := new(big.Int).Mul(x, y)
			sum.Add(sum, old)
			return digits(sum, 64, 9), wideCells(x, y, old, sum)
		})
}

func wideCells(x, y, old, sum *big.Int) cells {
	row := cells{"overflow": digits(sum, 32, 17)[16] - digits(old, 32, 17)[16]}
	for name, of := range map[string]*big.Int{"x": x, "y": y, "sum": sum} {
		for i, limb := range digits(of, 32, map[bool]int{false: 8, true: 17}[of == sum]) {
			row[fmt.Sprintf("%s[%d]", name, i)] = limb >> 16
		}
	}
	x16, y16 := digits(x, 16, 32), digits(y, 16, 32)
	for step := range 15 {
		all := new(big.Int) // of the products of digits up to this step's, at their positions, and the limbs up to it
		for i := range 16 {
			for j := range 16 {
				if i+j <= 2*step+1 {
					product := new(big.Int).SetUint64(x16[i] * y16[j])
					all.Add(all, product.Lsh(product, uint(16*(i+j))))
				}
			}
		}
		below := new(big.Int).Lsh(big.NewInt(1), uint(32*(step+1)))
		all.Add(all, new(big.Int).Mod(old, below)).Sub(all, new(big.Int).Mod(sum, below))
		row[fmt.Sprintf("sumCarry[%d]", step)] = all.Rsh(all, uint(32*(step+1))).Uint64() // exactly: the rest is 0
	}
	return row
}

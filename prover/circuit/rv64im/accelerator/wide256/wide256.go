package wide256

import (
	"errors"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Words of a number and of the accumulator.
const (
	NumberWords      = 4
	AccumulatorWords = 9
)

// Kind adds x y to the accumulator. The least significant word of a number comes first.
var Kind = accelerator.Kind{
	Name: "wide256",
	Code: 0x112,
	Operands: []accelerator.Operand{
		{Argument: 2, Words: NumberWords, Slot: 0}, // y
		{Argument: 1, Words: NumberWords, Slot: 1}, // x
		{Argument: 0, Words: AccumulatorWords, Slot: 2, Writes: true},
	},
	Compute: compute,
	Tables:  table.Accelerator{Calls: "WIDE256", Cells: 365},
	Declare: declare,
}

// ErrOverflow is returned for a sum that does not fit into 544 bits.
var ErrOverflow = errors.New("the accumulator or the sum is 2^544 or more")

func compute(sum, read []uint64) error {
	y, x, old := read[:NumberWords], read[NumberWords:2*NumberWords], read[2*NumberWords:]
	copy(sum, old)
	for i, digit := range x {
		carry := uint64(0)
		for j, other := range y {
			high, low := bits.Mul64(digit, other)
			var c uint64
			low, c = bits.Add64(low, carry, 0)
			high += c
			sum[i+j], c = bits.Add64(sum[i+j], low, 0)
			carry = high + c
		}
		for k := i + len(y); k < len(sum); k++ {
			sum[k], carry = bits.Add64(sum[k], carry, 0)
		}
	}
	const ninth = AccumulatorWords - 1
	if old[ninth]>>32 != 0 || sum[ninth]>>32 != 0 {
		return ErrOverflow
	}
	return nil
}

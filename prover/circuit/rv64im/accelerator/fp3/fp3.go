package fp3

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Sizes, in words.
const (
	Degree = 3 // of an element of Fp3
	Block  = 8 // of a row's words in a call
)

// Row adds products of base field elements and coefficients to a sum, and records whether all were below p.
var Row = accelerator.Kind{
	Name: "fp3-row",
	Code: 0x160,
	Operands: []accelerator.Operand{
		{Argument: 1, Words: Block, Slot: 0},
		{Argument: 2, Words: Degree * Block, Slot: 1},
		{Argument: 0, Words: Degree + 1, Slot: 2, Writes: true},
	},
	Compute: computeRow,
	Tables:  table.Accelerator{Calls: "FP3ROW", Cells: 414},
	Declare: declareRow,
}

// MultiplyAdd adds a product of two elements of Fp3 to a third.
var MultiplyAdd = accelerator.Kind{
	Name: "fp3-multiply-add",
	Code: 0x161,
	Operands: []accelerator.Operand{
		{Argument: 1, Words: Degree, Slot: 0},
		{Argument: 2, Words: Degree, Slot: 1},
		{Argument: 0, Words: Degree, Slot: 2, Writes: true},
	},
	Compute: computeMultiplyAdd,
	Tables:  table.Accelerator{Calls: "FP3MUL", Cells: 131},
	Declare: declareMultiplyAdd,
}

// extension returns the element of Fp3 in three words.
func extension(words []uint64) (e goldilocks.Extension) {
	for i := range e {
		e[i] = goldilocks.FromUint64(words[i])
	}
	return e
}

// set sets words to an element of Fp3.
func set(words []uint64, e goldilocks.Extension) {
	for i, x := range e {
		words[i] = uint64(x)
	}
}

func computeRow(written, read []uint64) error {
	coefficients, refused := (*[Degree * Block]uint64)(read[Block:]), read[4*Block+Degree]
	var sums [Degree]goldilocks.Sum
	for i, x := range read[:Block] {
		for k := range sums {
			sums[k].Add(coefficients[Degree*i+k], x)
		}
		if x >= goldilocks.Modulus {
			refused = 1
		}
	}
	for k := range sums {
		sums[k].Add(read[4*Block+k], 1)
		written[k] = uint64(sums[k].Reduce())
	}
	written[Degree] = refused
	return nil
}

func computeMultiplyAdd(written, read []uint64) error {
	a, b, sum := extension(read), extension(read[Degree:]), extension(read[2*Degree:])
	set(written, sum.Add(a.Mul(b)))
	return nil
}

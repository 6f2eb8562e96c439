package modmul

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Kind replaces x by x*y mod n. The least significant word of a number comes first.
var Kind = accelerator.Kind{
	Name: "modmul",
	Code: 0x102,
	Operands: []accelerator.Operand{
		{Argument: 2, Words: 4, Slot: 0},
		{Argument: 1, Words: 4, Slot: 1},
		{Argument: 0, Words: 4, Slot: 2, Writes: true},
	},
	Compute: multiply,
	Tables:  table.Accelerator{Calls: "MODMUL", Cells: 400},
	Declare: declare,
}

// ErrZeroModulus is returned for a product modulo 0.
var ErrZeroModulus = errors.New("the modulus is 0")

func multiply(read []uint64) ([]uint64, error) {
	if read[0]|read[1]|read[2]|read[3] == 0 {
		return nil, ErrZeroModulus
	}
	_, remainder := Divided(read)
	return remainder[:], nil
}

// Divided returns the quotient and remainder of x y by n, given the words n, y and x that a call reads.
func Divided(read []uint64) (quotient [8]uint64, remainder [4]uint64) {
	return divide(product(read[8:12], read[4:8]), read[:4])
}

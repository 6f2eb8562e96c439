package modmul

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/internal/modular"
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

func multiply(written, read []uint64) error {
	n, y, x := read[:4], read[4:8], read[8:12]
	if modular.IsZero(n) {
		return ErrZeroModulus
	}
	var product [8]uint64
	modular.MultiplyAdd(product[:], x, y)
	modular.Divide(nil, written, product[:], n)
	return nil
}

// Quotient returns the quotient of x y by n, given the words n, y and x that a call reads.
func Quotient(read []uint64) (quotient [8]uint64) {
	var product [8]uint64
	var remainder [4]uint64
	modular.MultiplyAdd(product[:], read[8:12], read[4:8])
	modular.Divide(quotient[:], remainder[:], product[:], read[:4])
	return quotient
}

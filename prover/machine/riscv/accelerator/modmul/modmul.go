package modmul

import (
	_ "embed" // what devices compute
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
)

// Kind replaces x by x*y mod n; the least significant word of a number comes first.
var Kind = accelerator.Kind{
	Name: "modmul",
	Code: 0x102,
	Operands: []accelerator.Operand{
		{Argument: 2, Words: 4, Slot: 0},
		{Argument: 1, Words: 4, Slot: 1},
		{Argument: 0, Words: 4, Slot: 2, Writes: true},
	},
	Compute:  multiply,
	Tables:   table.Accelerator{Calls: "MODMUL", Cells: 400},
	Declare:  declare,
	FillCall: fill,
	Device:   accelerator.Device{Call: callHeader()},
}

//go:embed call.cuh
var callSource string

// callHeader is what devices compute.
func callHeader() string {
	return header.New().Scoped("CARRIES", steps-1).Scoped("FIRST_WIDE", firstWide).Scoped("LAST_WIDE", lastWide).
		Text() + callSource
}

// ErrZeroModulus is why a product is none.
var ErrZeroModulus = errors.New("the modulus is 0")

func multiply(read []uint64) ([]uint64, error) {
	if read[0]|read[1]|read[2]|read[3] == 0 {
		return nil, ErrZeroModulus
	}
	_, remainder := divided(read)
	return remainder[:], nil
}

// divided is the product of what a call reads, divided by the modulus.
func divided(read []uint64) (quotient [8]uint64, remainder [4]uint64) {
	return divide(product(read[8:12], read[4:8]), read[:4])
}

// number is a number of which the least significant word comes first.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// limb is a limb of 32 bits of a number, the lowest first.
func limb(n *big.Int, i int) uint32 {
	return uint32(new(big.Int).Rsh(n, uint(32*i)).Uint64())
}

// Package modmul is the accelerator for products modulo a number of 256 bits.
package modmul

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Kind replaces x by x*y mod m; the least significant word of a number comes first.
var Kind = accelerator.Kind{
	Name: "modmul",
	Code: 0x102,
	Operands: []accelerator.Operand{
		{Argument: 2, Words: 4, Slot: 0}, {Argument: 1, Words: 4, Slot: 1}, {Argument: 0, Words: 4, Slot: 2, Writes: true},
	},
	Compute: multiply,
	Table:   table.ModMul,
}

// Reasons why a product cannot be proven.
var (
	ErrZeroModulus = errors.New("the modulus is 0")
	ErrQuotient    = errors.New("the quotient of x*y by the modulus has more than 256 bits: one of the operands must be below the modulus")
)

func multiply(read []uint64) ([]uint64, error) {
	m, y, x := number(read[:4]), number(read[4:8]), number(read[8:])
	if m.Sign() == 0 {
		return nil, ErrZeroModulus
	}
	quotient, remainder := new(big.Int).QuoRem(x.Mul(x, y), m, new(big.Int))
	if quotient.BitLen() > 256 {
		return nil, ErrQuotient
	}
	var bytes [32]byte
	remainder.FillBytes(bytes[:])
	written := make([]uint64, 4)
	for i, b := range bytes {
		written[3-i/8] = written[3-i/8]<<8 | uint64(b)
	}
	return written, nil
}

// number is a number of which the least significant word comes first.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

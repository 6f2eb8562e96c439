// Package keccakf is the accelerator for the permutation Keccak-f[1600].
package keccakf

import (
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Kind permutes 25 words in place; lane (x, y) is word x + 5y.
var Kind = accelerator.Kind{
	Name:     "keccak-f",
	Code:     0x100,
	Operands: []accelerator.Operand{{Argument: 0, Words: 25, Slot: 2, Writes: true}},
	Compute:  permute,
	Table:    table.Keccak,
	Work:     table.KeccakF,
}

func permute(read []uint64) ([]uint64, error) {
	state := [25]uint64(read)
	keccak.Permute(&state)
	return state[:], nil
}

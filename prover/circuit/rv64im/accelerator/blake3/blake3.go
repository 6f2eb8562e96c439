// Package blake3 is the accelerator for BLAKE3's compression function.
//
// The call has the chaining value at a0 (4 words of memory: eight 32-bit numbers, the low half first), which the first
// eight 32-bit words of the output replace. The block is at a1 (8 words). At a2 are two words: the counter, and the
// length of the block with the flags in its high half.
//
// A call takes 4,545 cells: 303 in its own row, and 7 rows of 606. Package blake describes the circuit.
package blake3

import (
	"github.com/chiasmus/chiasmus/prover/blake3"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
)

// Kind compresses a block of 16 32-bit numbers into a chaining value of 8.
var Kind = kind()

func kind() accelerator.Kind {
	k := Function.Kind()
	k.Compute = compute
	return k
}

// compute executes a call on the host, several times as fast as the steps of [blake.Function].
func compute(written, read []uint64) error {
	var block blake3.Block
	for i, word := range read[2:10] {
		block[2*i], block[2*i+1] = uint32(word), uint32(word>>32)
	}
	var chaining blake3.Chaining
	for i, word := range read[10:14] {
		chaining[2*i], chaining[2*i+1] = uint32(word), uint32(word>>32)
	}
	blake3.Compress(&chaining, &block, read[0], uint32(read[1]), uint32(read[1]>>32))
	for i := range written {
		written[i] = uint64(chaining[2*i]) | uint64(chaining[2*i+1])<<32
	}
	return nil
}

// Function is BLAKE3's compression function.
var Function = blake.Function{
	Name: "blake3", Table: "BLAKE3", Code: 0x141,
	Limbs:     1,
	Rotations: [4]int{16, 12, 8, 7},
	IV:        [4]uint64{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a},
	Schedule:  schedule(),
	Cells:     blake.Cells{Call: 303, Round: 606},
	Instances: 8,
}

// permutation is the order of the block's words for the next round.
var permutation = [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}

func schedule() (rounds [][16]int) {
	order := [16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	for range 7 {
		rounds = append(rounds, order)
		var next [16]int
		for i, k := range permutation {
			next[i] = order[k]
		}
		order = next
	}
	return rounds
}

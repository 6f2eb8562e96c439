// Package blake2b is the accelerator for BLAKE2b's compression function (RFC 7693), which has twelve rounds.
//
// The call has the chaining value at a0 (8 words), which the result replaces, and the block at a1 (16 words). At a2 are
// the last four words of the first state: the last four of the IV, combined with the counter and the flag for the last
// block.
//
// A call takes 13,953 cells: 825 in its own row, and 12 rows of 1,094. Package blake describes the circuit.
package blake2b

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"

// Kind compresses a block of 16 words into a chaining value of 8.
var Kind = Function.Kind()

// Function is BLAKE2b's compression function.
var Function = blake.Function{
	Name: "blake2b", Table: "BLAKE2B", Code: 0x140,
	Limbs:     2,
	Rotations: [4]int{32, 24, 16, 63},
	IV:        [4]uint64{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1},
	Schedule:  append(sigma[:], sigma[:2]...),
	Feed:      true,
	Cells:     blake.Cells{Call: 825, Round: 1094},
	Instances: 8,
}

// sigma is the order of the block's words, by round. Rounds 10 and 11 repeat rounds 0 and 1.
var sigma = [10][16]int{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

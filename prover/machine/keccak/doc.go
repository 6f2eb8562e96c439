// Package keccak runs the machine of package circuit/keccak, which proves knowledge of a file with a Keccak-256 digest
// and a length.
//
// # Record sets
//
// Set 0 has the 25 input lanes of each permutation that the sponge uses, for both tables. Set 1 has the file's length,
// the 17 lanes of each block of the padded file, and the 25 lanes of the last permutation's output. A permutation's
// output is the next one's input without the block absorbed there. Rows without a record are padding: permutations of
// the zero state that are not exported, and inert rows of the sponge.
package keccak

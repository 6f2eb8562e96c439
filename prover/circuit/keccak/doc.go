// Package keccak declares the machine that proves knowledge of a file with a given
// Keccak-256 digest and length.
//
// Keccak-256 has the original padding 0x01 ... 0x80, as in Ethereum. The public values are the digest as 16 limbs of 16
// bits, little endian in the order of the digest's bytes, and the length in bytes.
//
// # Tables
//
//   - sponge: a row absorbs a block of 136 bytes. It holds state and block as
//     4-bit nibbles, so that their exclusive or is a lookup, and sends the
//     permutation's input and output to the keccak-f bus.
//   - keccak-f: 24 rows are a permutation, the last round first. It receives the inputs and outputs of its permutations
//     from the keccak-f bus.
//   - xor4: the 256 rows (a, b, a xor b) of 4-bit numbers.
//
// # The state as words
//
// A state of 1,600 bits is a sequence of 29 words of at most 60 bits, each one
// field element. Every word in the machine is a packing of bits or nibbles
// that are constrained to be bits or nibbles, so a word stands for one bit
// string only: a 64-bit lane in one element would stand for two where it
// exceeds the field's order. The first six words are made of whole 16-bit
// limbs, so that the digest can be compared with the public values; digest,
// rest of the rate and capacity begin new words, so that the sponge can treat
// them differently. See [Words].
//
// # Sizes
//
// A size is a number of permutations: a file of L bytes takes L/136 + 1, because
// a file of full blocks ends with a block of padding only.
package keccak

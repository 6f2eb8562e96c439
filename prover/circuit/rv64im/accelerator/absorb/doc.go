// Package absorb is the accelerator for a step of Keccak's sponge with a rate of 136 bytes, as in Keccak-256 and
// SHA3-256: a call adds a block of the message to a state, and permutes the state.
//
// A call reads a number, the shift k from 0 to 7, then 18 words, then the state, 25 words. The block is 136 bytes of
// the 18 words, from byte k on. So a guest absorbs a block from any address, by the address of the word that the block
// begins in. The new state is Keccak-f[1600] of the old state with its first 17 words combined with the block by
// exclusive or.
//
// # Tables
//
// A call takes one row of table ABSORB, and 24 rows of table ABSORBF, which is package keccakf's table of permutations
// under another name. The row of a call has these columns:
//
//	shift    8 flags, of which the one with the shift's number is 1
//	outside  the 8 bytes of the 18 words that do not belong to the block: first the k bytes before it, then the others
//	state    the lower three bytes of each of the state's first 34 limbs
//	block    the bytes of the block
//	mixed    the bytes of the state with the block
//
// The row has no bytes of the 18 words in their own order: with flags s_k for the shifts, a limb of these words is the
// sum over k of s_k times a packing of four bytes, of the columns outside and block, that shift k puts there. This
// saves a hundred columns for bytes of words, and eight products for each byte of the block.
//
// # Soundness
//
// Shift. The flags are boolean and add up to m, so in the row of a call one of them is 1, and in other rows none. The
// sum of their numbers, from 0 to 7, is the shift that the call reads. So a call with a shift of 8 or more has no
// row.
//
// Bytes. Each byte of the block, the state and the mixed state is in a lookup of B8, which says that x, y and z are
// bytes and z = x ^ y. Two lookups of pairs do so for bytes outside of the block: four lookups for eight bytes. The
// highest byte of a limb of the state is the expression (limb - b_0 - 2^8 b_1 - 2^16 b_2) / 2^24. As the lookup says
// that the expression is a byte, the limb is the packing of the four bytes modulo p. Both are below 2^32, so they are
// equal, and the bytes are the limb's.
//
// Block. In the row of a call, each limb of the 18 words equals one packing of four bytes, because one flag is 1. Limb
// and packing are below 2^32, so the four are the limb's bytes. With shift k, the bytes outside and the block are each
// used once, in the order outside[0..k-1], block, outside[k..7]: block[i] is byte k + i of the words.
//
// Permutation. The row sends the permutation's input, whose first 34 limbs are packed from the mixed bytes and whose
// other 16 are the state's, and its output, the limbs that are written. Table ABSORBF receives inputs and outputs of
// its permutations, and packs each limb from 32 bits. So the written limbs are in range, and are the result for these
// inputs.
//
// If m is 0, nothing is looked up or sent, all flags are 0, and zeros satisfy every constraint.
package absorb

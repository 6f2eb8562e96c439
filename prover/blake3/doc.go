// Package blake3 is BLAKE3's compression function as protocol 3 uses it: for the leaves and nodes of Merkle trees, and
// for the transcript. The compression is BLAKE3's, with all 7 rounds; the modes around it are protocol 3's own.
//
//	row of n elements                      node, and a node that rows join
//
//	cv0 = IV                               IV
//	 |   8 elements, start                  |   left, right; parent
//	cv1                                    node
//	 |   8 elements                         |   digest of the rows, zeros; parent, root
//	cv2                                    joined node
//	 |   last ones and zeros, end, root
//	digest
//
// A row of at most 128 elements has the BLAKE3 digest of its bytes, elements in 8 bytes, little endian, padded with
// zeros to whole blocks. A longer row is one chain, where BLAKE3 has a tree of chunks of 1,024 bytes: the chain saves
// the parents, and a circuit that verifies it needs no stack. Its security is that of a Merkle-Damgard chain whose
// first and last blocks are marked.
//
// # Vocabulary
//
//   - A chaining value is 8 words of 32 bits: what a compression takes and gives.
//   - A block is the 16 words of message that it takes besides, with a counter of 64 bits, a length and flags.
//   - A digest is a chaining value as 32 bytes, each word little endian.
//
// The number of compressions side by side is what prover/cpufeature selects: one in pure Go, eight with AVX2, sixteen
// with AVX-512. The digests do not depend on it.
//
// The package knows nothing of tags and messages of transcripts, and it does not hash byte strings: for BLAKE3 itself
// use a library.
package blake3

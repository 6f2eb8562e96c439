// Package blake3 implements BLAKE3's compression function for protocol 3: for leaves and nodes of Merkle trees, and for
// the transcript. The compression is BLAKE3's, with all 7 rounds; the modes of use are specific to protocol 3.
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
// The digest of a row of at most 128 elements is the BLAKE3 digest of its bytes: each element as 8 bytes,
// little-endian, padded with zeros to whole blocks. A longer row is a single chain, where BLAKE3 has a tree of chunks
// of 1,024 bytes: the chain saves the parents, and a circuit that verifies it needs no stack. Its security is that of a
// Merkle-Damgård chain with marked first and last blocks.
//
// # Vocabulary
//
//   - A chaining value is 8 words of 32 bits: input and output of a compression.
//   - A block is the 16 message words of a compression. Further inputs are a 64-bit counter, a length and flags.
//   - A digest is a chaining value as 32 bytes, each word little-endian.
//
// prover/internal/cpufeature selects the number of parallel compressions: one in pure Go, eight with AVX2, sixteen with
// AVX-512. The digests do not depend on it.
//
// The package does not know the tags and messages of transcripts, and does not hash byte strings: for BLAKE3 itself use
// a library.
package blake3

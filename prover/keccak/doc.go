// Package keccak is Keccak-256 as the prover uses it: the original padding with
// the byte 0x01, a rate of 136 bytes, digests of 32 bytes.
//
// [Sum256] hashes bytes. [HashRows] and [HashNodes] hash what Merkle trees are
// made of, many inputs of one shape at a time: several permutations run side by
// side in the lanes of vector registers, and rows are absorbed straight from
// columns, since the same element of neighbouring rows lies side by side in
// memory. A field element is hashed as its canonical word, 8 bytes, little
// endian.
//
// The number of lanes is what prover/cpufeature selects: one in pure Go, four
// by circl's AVX2 permutation, eight by this package's AVX-512 permutation. The
// digests do not depend on it. One state alone, as [Permute], [Chain] and
// [Sum256] have it, lies in five vector registers where there is AVX-512.
package keccak

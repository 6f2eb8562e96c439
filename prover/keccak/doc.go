// Package keccak implements Keccak-256 as the prover uses it: the original padding with
// the byte 0x01, a rate of 136 bytes, digests of 32 bytes.
//
// [Sum256] hashes bytes. [HashRows] and [HashNodes] hash rows and nodes of Merkle
// trees, many inputs of one shape at a time: several permutations run in the lanes
// of vector registers. Rows are absorbed directly from columns, because the same
// element of adjacent rows is adjacent in memory. A field element is hashed as its
// canonical word, 8 bytes, little endian.
//
// prover/internal/cpufeature selects the number of lanes: one in pure Go, four by circl's
// AVX2 permutation, eight by this package's AVX-512 permutation. The digests do
// not depend on it. With AVX-512, a single state ([Permute], [Chain] and [Sum256])
// is in five vector registers.
package keccak

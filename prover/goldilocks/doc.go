// Package goldilocks implements the prime field of p = 2^64 - 2^32 + 1 elements and its cubic extension.
//
// An [Element] is a 64-bit word below p. Every operation takes and returns this canonical form, so elements can be
// compared with == and encoded directly. [FromCanonical] converts a word and rejects values that are not below p;
// [FromUint64] reduces it. An [Extension] is an element of Fp[w]/(w^3 - 2): three base elements, constant first. The
// polynomial w^3 - 2 is irreducible because 2 is not a cube in the field.
//
// Two properties of p make it fast. With e = 2^32 - 1, 2^64 = e and 2^96 = -1, so reducing a 128-bit product takes one
// subtraction, one 32-bit multiplication and one addition. And 2 has order 192, so the roots of unity of order up to 64
// are powers of two, and multiplying by one is a shift. [RootOfUnity] is chosen so that its root of order 64 is 8.
//
// The arithmetic has three forms:
//
//   - methods of [Element] and [Extension], for single values;
//   - block functions over slices ([AddVector], [MulVector], ...), which use the vector kernels selected by
//     prover/internal/cpufeature and give the same words with each;
//   - [ExtensionVector], a column of extension elements stored as three base columns, with the same operations.
//
// Arithmetic on one element has no data-dependent branches. This is for speed, not secrecy: the package makes no claim
// about side channels. Block functions panic if the lengths of their arguments differ, which is a bug in the program
// and never caused by its input.
package goldilocks

// Package goldilocks is the prime field of p = 2^64 - 2^32 + 1 elements and its
// cubic extension.
//
// An [Element] is a 64-bit word below p, always: every operation takes and
// returns this canonical form, so elements compare with == and are written out
// as they are. A word from outside enters by [FromCanonical], which refuses
// what is not below p, or by [FromUint64], which reduces. An [Extension] is an
// element of Fp[w]/(w^3 - 2), three base elements with the constant first;
// w^3 - 2 is irreducible because 2 is no cube in the field.
//
// Two facts of p make it fast. With e = 2^32 - 1, 2^64 = e and 2^96 = -1, so a
// 128-bit product is reduced by one subtraction, one 32-bit multiplication and
// one addition. And 2 has order 192, so the roots of unity of order up to 64
// are powers of two and a multiplication by one is a shift. [RootOfUnity] is
// chosen so that its root of order 64 is 8.
//
// Three shapes of the same arithmetic:
//
//   - methods of [Element] and [Extension], one value at a time;
//   - block functions over slices ([AddVector], [MulVector], ...), which run on
//     the vector kernels that prover/cpufeature has selected and give the same
//     words in every form;
//   - [ExtensionVector], a column of extension elements held as three base
//     columns, with the same operations.
//
// Arithmetic on one element is without branches that depend on the data. This
// is for speed, not secrecy: the package makes no claim about side channels.
// Block functions panic when the lengths of their arguments differ, which is a
// mistake of the program and never of its input.
package goldilocks

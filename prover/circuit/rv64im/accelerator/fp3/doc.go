// Package fp3 is the accelerators for the cubic extension of the machine's own field: Fp3 = Fp[w]/(w^3 - 2) with p =
// 2^64 - 2^32 + 1. A verifier of proofs spends most of its time there. This page specifies the calls and proves the
// circuit.
//
// An element of Fp3 is three words, c0, c1 and c2 of c0 + c1 w + c2 w^2. Words that are read may be any 64 bits and
// count modulo p. Words that are written are below p.
//
//	row           s := s + the sum of x_i c_i over 8 words x_i of Fp and 8 elements c_i of Fp3
//	multiply-add  s := s + a b in Fp3
//
// # The row call
//
// A verifier sums up the cells of opened rows, times coefficients, and has to refuse cells that are not below p. So the
// call also answers that question: after s comes a fourth word, which becomes 1 if some x_i is p or more, and else
// stays as it is. A verifier begins with 0 and reads the word once, after all rows.
//
// The block of eight words is the block of 64 bytes that BLAKE3's call hashes. A call that did both at once would
// save the second instruction and the second reading of eight words, about 300 cells of 5,300 a block. But it would
// need rounds of its own, since a table of rounds answers the calls of one accelerator: 606 more columns in every
// proof that uses both calls. Proofs of verifiers are verified again, and that costs in proportion to their
// columns, so two calls are cheaper than one.
//
// # Rows
//
// Each call is one row: 414 cells for row, of which its 36 words take 368, and 131 for multiply-add. A word has
// limbs lo and hi below 2^32. Its value as an element is lo + 2^32 hi. The products are sums of degree 2, so the
// result's coordinate k is one constraint: lo + 2^32 hi of the word that is written equals the sum.
//
// # Soundness
//
// With M = 2^32 - 1, a word is p or more exactly if hi = M and lo is not 0, because p = 2^32 M + 1.
//
// Results. Each limb is cut into two 16-bit halves, which are looked up, so it is below 2^32. With a column t, the
// constraint lo (1 - (M - hi) t) = 0 says that lo is 0 where hi = M. So the word is below p, and there is only one
// such word for each element.
//
// Refusal. For each x_i there is a column t_i, and z_i = m - (M - hi_i) t_i with (M - hi_i) z_i = 0. If hi_i = M,
// then z_i = m; else z_i is 0. The column excess is the sum of the products lo_i z_i. It is below 8 2^32, so in an
// active row it is 0 modulo p exactly if all x_i are below p. With refused = excess g for a column g, and excess (m
// - refused) = 0, refused is 1 if excess is not 0, and else it is 0. The fourth word's limbs become lo + refused (1
// - lo) and hi (1 - refused). Both are limbs that were read, or 0 or 1, so they are in range.
//
// The order of operands is that of memory's words, which package rv64im proves. There is no state between calls: the
// program selects the row, the coefficients and the sum of a call by their addresses.
//
// If m is 0, all cells are 0 and every constraint holds.
package fp3

// Package wide256 is the accelerator for products of 256-bit numbers without a modulus. This page specifies the call
// and proves the circuit.
//
// The call adds the product of two 256-bit numbers x and y to an accumulator a of nine words, in place:
//
//	a := a + x y       traps if the sum is 2^544 or more
//
// The ninth word therefore counts sums that overflow 512 bits, and may count up to 2^32 - 1. It is the step of long
// multiplication by columns: the products of digits i and j with the same i + j are added at word 4(i + j) of the
// result, and no instruction moves anything between two calls, because the upper words of one column are the lower
// words of the next. A call that returned x y + z + w would cost as many cells, and the words that it returns would
// have to be copied.
//
// # The row
//
// A call is one row. x and y have 16 digits each, the halves of their limbs. With a' for the low 512 bits of the
// accumulator, r' for those of the sum, and the overflow o, which is boolean, one equation (package relation) says
//
//	x y + a' - r' - 2^512 o = 0
//
// Its linear terms are limbs: a_k - r_k in step k, and -W o too in the last step. The limbs of the ninth word satisfy
// r_16 = a_16 + o and r_17 = a_17 = 0.
//
// Soundness. All limbs of r are in range: limbs 0 to 16 are cut into halves that are looked up, and limb 17 is 0. x y
// has at most 32 digits, so no digits are beyond the equation's steps, and it holds over the integers. Therefore r is
// the sum. Since a_17 is 0 and r_16 is below 2^32, no row exists for a call that traps.
//
// Completeness. x y + a' is below (2^256 - 1)^2 + 2^512 < 2^513, so the overflow is 0 or 1. Carries are not negative,
// and below 2^20, because a coefficient of x y has at most 16 products below 2^32.
package wide256

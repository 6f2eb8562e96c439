// Package field is the accelerators for arithmetic modulo a number n of 256 or 384 bits, one for each size. This page
// specifies the calls and proves the circuit. B is the number of bits.
//
// The call replaces x by x y + z mod n, by 1/x mod n, or by a square root modulo one of [Field.Primes]. The word
// after n in memory selects the operation. Operands may be any numbers of B bits.
//
//	0  x := x y + z mod n   traps if n = 0
//	1  x := 1/x mod n       traps if n < 2 or x and n have a common divisor
//	2  x := sqrt(±x) mod n  traps unless n is one of the primes, which are 3 mod 4, so that x or -x is a square
//
// Of the two roots, the result is the even one. It is a root of -x only if x is not a square. The caller squares the
// result to find out.
//
// # The row
//
// A call is one row. Flags select the operation: inverse, and a root for each prime; multiply is m minus those. All
// are boolean, so in an active row exactly one is 1. The operation's word is inverse + 2 (sum of roots); its high
// limb is 0. In a root's row the modulus equals the prime, limb by limb. The flag minus is boolean, and 0 unless
// the row is a root's.
//
// The result r is below n (package relation). One equation covers all operations, with e for [Field.Enough]:
//
//	a b + c + e plus n = d + q n       plus = sum of roots - minus
//
//	            a  b  c  d
//	multiply    x  y  z  r
//	inverse     r  x  0  1
//	root, plus  r  r  0  x
//	root, minus r  r  x  0
//
// a and b have digits in columns of their own, which equal the numbers in the table limb by limb. c, d and n are
// linear in every step.
//
// Soundness. The equation holds over the integers (package relation), because products of digits of q and n beyond
// 2B bits are 0: they are not negative, and a constraint says that their sum, below 2^48, is 0. This gives, by
// operation:
//
//   - x y + z = q n + r with r < n, which has one solution;
//   - r x = 1 mod n, which has one solution below n if x and n have no common divisor, else none;
//   - r^2 = ±x mod n. Modulo a prime that is 3 mod 4, -1 is not a square. So unless x is 0, only one of the signs has
//     roots, r and n - r, exactly one of which is even, as n is odd. r is even: half of its lowest digit is looked up
//     in R16, and half of an odd digit is above p/2.
//
// Completeness. x y + z < 2^2B. An inverse is at least 1, so r x - 1 is not negative. In a root's row x < e n: the
// primes of 256 bits are above 2^253 and e is 8, BLS12-381's is above 2^384/10 and e is 10. So r^2 + e n - x is
// positive. Therefore q n is below 2^2B in all cases, and all products beyond it are 0.
package field

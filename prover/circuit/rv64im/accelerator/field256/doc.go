// Package field256 is the accelerator for arithmetic modulo a number n of 256 bits: what it computes, and how that is
// proven.
//
// x becomes x y + z mod n, 1/x mod n, or a square root modulo one of the primes of [Primes], by the operation that is
// in memory behind n. Operands may be any numbers of 256 bits.
//
//	0  x := x y + z mod n   traps if n = 0
//	1  x := 1/x mod n       traps if n < 2 or x and n have a common divisor
//	2  x := sqrt(±x) mod n  traps if n is none of the primes, which are 3 mod 4, so that x or -x is a square
//
// A root is the even one of the two; that of -x only if x is no square. Whoever calls squares it to know.
//
// # The row
//
// A call is one row. Flags say which operation it is: inverse, and a root for each prime; multiply is m less those. All
// are boolean, so in an active row one is 1. The operation's word is inverse + 2 (sum of roots), its high limb 0. A
// root's prime is the modulus, limb by limb. The flag minus is boolean and 0 unless the row is a root's.
//
// With r the result, below n (package relation), one equation has a role for each number:
//
//	a b + c + 8 plus n = d + q n       plus = sum of roots - minus
//
//	            a  b  c  d
//	multiply    x  y  z  r
//	inverse     r  x  0  1
//	root, plus  r  r  0  x
//	root, minus r  r  x  0
//
// a and b have digits of their own, equal to those roles limb by limb; c, d and n are linear in every step.
//
// Soundness. The equation holds for integers (package relation), where products of digits of q and n beyond place 31
// are 0: they are not negative, and a constraint says that their sum, below 2^48, is 0. So x y + z = q n + r with r <
// n, which has one solution; r x = 1 mod n, which has one solution below n if x and n have no common divisor, else
// none; or r^2 = ±x mod n. Modulo a prime that is 3 mod 4, -1 is no square: unless x is 0 only one of the signs has
// roots, two of which r and n - r one is even, as n is odd. r is even: half of its lowest digit is looked up in R16,
// and half of an odd digit is above p/2.
//
// Completeness. x y + z < 2^512. An inverse is at least 1, so r x - 1 is not negative. The primes are above 2^253, so x
// < 8 n, and r^2 + 8 n - x is positive. So q n is below 2^512 in all cases, and all products beyond it are 0.
package field256

// Package ec is the accelerators for points of elliptic curves over primes of 256 or 384 bits: a [Family] for each
// size. This page specifies the calls and proves the circuit. B is the number of bits.
//
// A family lists its curves y^2 = x^3 + a x + b by number: secp256k1, P-256 and BN254's G1 for 256 bits,
// BLS12-381's G1 for 384. A point is given by its affine coordinates; no call takes or returns the point at
// infinity. With s the slope,
//
//	add     s = (y2 - y1)/(x2 - x1)   x3 = s^2 - x1 - x2   y3 = s (x1 - x3) - y1
//	double  s = (3 x1^2 + a)/(2 y1)   x3 = s^2 - 2 x1      y3 = s (x1 - x3) - y1      modulo the curve's prime p
//
// Add traps unless x1 and x2 are below p and different. Double traps unless y1 is below p and not 0. The other
// coordinates may be any numbers of B bits; x3 and y3 are below p. Neither call checks that points are on the curve.
//
// # The row
//
// A call is one row. Each curve but the first has a flag; the first curve's flag is m minus those. All are boolean,
// so in an active row exactly one is 1, and the curve's number is the sum of the flags times their curves' numbers.
// Therefore p's digits are linear in the flags and take no columns. Coordinates are cut into 16-bit digits, and so
// is the slope s. Each of three equations (package relation) has a quotient of B/16 digits and a top digit that may
// be negative.
//
//	add     s (x2 - x1) - y2 + y1 = q p        double  2 s y1 - 3 x1^2 - a = q p
//	both    s^2 - x1 - x2 - x3 = q p           s (x1 - x3) - y1 - y3 = q p           (double: x2 is x1)
//
// Products have at most B/8 digits, so no digits are beyond the equations' steps.
//
// Soundness. The equations hold over the integers. Add: x1 and x2 are below p (relation.Row.Less). They are
// different, because the sum of the squares of their digits' differences, below 2^37, has an inverse. So x2 - x1 is
// invertible modulo the prime p, which determines s modulo p, and hence x3 and y3, which are below p. Double: y1 is
// below p, and the sum of its limbs has an inverse, so 2 y1 is invertible, which determines s, x3 and y3 likewise.
//
// Completeness, for a slope below p. Let R = 2^B/p: below 5.3 for 256 bits, as p > 2^253.5, and below 10 for
// BLS12-381. Add's first quotient: |s (x2 - x1)|/p < p - 1 and |y2 - y1|/p < R, whose sum is below 2^B for each p.
// The second quotient is at least -3R. The third is below x1 and at least -p - R. All are in [-2^B, 2^B), so the
// top digit is -1 or 0. Double's first quotient is below 2p, and at least -3R 2^B - 1, which is above
// [Family.LeastTop] 2^B. Its top digit is a 16-bit number plus LeastTop.
package ec

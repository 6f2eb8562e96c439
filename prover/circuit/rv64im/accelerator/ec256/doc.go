// Package ec256 has the accelerators for points of elliptic curves over 256 bits: what they compute, and how that is
// proven.
//
// The curves y^2 = x^3 + a x + b are those of [Curves]: secp256k1, P-256 and BN254's G1, by their numbers. A point is
// its affine coordinates; no call has the point at infinity. With s the slope,
//
//	add     s = (y2 - y1)/(x2 - x1)   x3 = s^2 - x1 - x2   y3 = s (x1 - x3) - y1
//	double  s = (3 x1^2 + a)/(2 y1)   x3 = s^2 - 2 x1      y3 = s (x1 - x3) - y1      modulo the curve's prime p
//
// Add traps unless x1 and x2 are below p and different, double unless y1 is below p and not 0. The other coordinates
// may be any numbers of 256 bits; x3 and y3 are below p. Neither asks whether points are on the curve.
//
// # The row
//
// A call is one row. Flags say which curve it is: p256 and bn254, and secp256k1 is m less those. All are boolean, so in
// an active row one is 1; the curve's number is p256 + 2 bn254. So p's digits are linear in the flags and take no
// columns. Coordinates are cut into digits of 16 bits, the slope s has 16, and each of three equations (package
// relation) has a quotient: 16 digits, and a top digit that may be negative.
//
//	add     s (x2 - x1) - y2 + y1 = q p        double  2 s y1 - 3 x1^2 - a = q p
//	both    s^2 - x1 - x2 - x3 = q p           s (x1 - x3) - y1 - y3 = q p           (double: x2 is x1)
//
// Products have at most 32 digits, so nothing is beyond the equations' steps.
//
// Soundness. The equations hold for integers. Add: x1 and x2 are below p (relation.Row.Less) and different: the sum of
// the squares of their digits' differences, below 2^36, has an inverse. So x2 - x1 is invertible modulo the prime p,
// and s is determined modulo p; then x3 and y3, both below p, are. Double: y1 is below p, and the sum of its limbs has
// an inverse, so 2 y1 is invertible.
//
// Completeness, for a slope below p. Of add's first quotient |s (x2 - x1)|/p < p - 1, and |y2 - y1|/p < 2^256/p, which
// together are below 2^256 for each p. The second is at least -3 2^256/p. The third is below x1 and at least -p -
// 2^256/p. All are in [-2^256, 2^256): the top digit is -1 or 0. Double's first is below 2p, and at least -3 2^512/p -
// 1 > -16 2^256, as p > 2^253.5: the top digit is one of 16 bits less 16.
package ec256

// Package modular computes modulo numbers of 4 or 6 words, fast and without allocating memory. The emulator computes
// points of elliptic curves and elements of fields with it.
//
// A number is a slice of 64-bit words, the least significant first. All numbers of a call have the length of its
// modulus, at most [Most] words, unless the function says otherwise. A result may be stored in an operand.
//
// [Prime] holds what depends on a fixed modulus. Its products are Montgomery products. [Divide] and [Inverse] take any
// modulus.
//
// Time depends on the numbers, so the package must not be used with secrets.
//
// # Inverses
//
// [Inverse] takes division steps (Daniel J. Bernstein and Bo-Yin Yang, Fast constant-time gcd computation and modular
// inversion, TCHES 2019, issue 3). A step maps a number delta, an odd f and any g to
//
//	1 - delta, g, (g - f)/2    if delta > 0 and g is odd
//	1 + delta, f, (g + f)/2    if delta <= 0 and g is odd
//	1 + delta, f, g/2          if g is even
//
// All divisions are exact. Each pair has the greatest common divisor of the pair before, up to its sign. From f = n,
// g = x and delta = 1/2, a number of steps that is linear in the length of n leads to g = 0, and so to f = ±gcd(n, x).
// This start, which needs fewer steps than the paper's delta = 1, is due to Pieter Wuille (libsecp256k1). The code uses
// the integer theta = delta - 1/2: then delta > 0 says theta >= 0, and 1 - delta becomes -theta.
//
// Steps are linear: k of them replace the column (f, g) by T (f, g)/2^k, with a matrix T of four integers. The absolute
// values in a row of T add up to at most 2^k. T depends only on theta and on f and g modulo 2^k. If f and g are both
// multiplied by an odd number, so are all later f and g, and T stays the same, because even numbers stay even. So T
// depends only on theta and h = g/f modulo 2^k. A table gives T for each h of k = 8 bits, and a second one gives 1/f
// modulo 2^8. Eight steps thus take two lookups, and no branch that the processor could predict wrongly.
//
// If theta is 7 or more, the first step with an odd g makes it -7 or less, and the rest of the eight steps count up to
// -1 at most. If theta is -8 or less, it counts up to -1 at most too. So these values need no tables of their own, and
// the table distinguishes 16 values of theta.
//
// A batch is 7 lookups, or 56 steps. A batch needs only the lowest words of f and g, which have 8 valid bits before the
// last lookup, and more before the others. After b batches, f = ±1 gives
//
//	T_b ... T_1 (n, x) = 2^56b (f, g)    and so    d x = ±2^56b modulo n
//
// where d is the upper right entry of the product T_b ... T_1, which is found by multiplying the column (0, 1) by T_1,
// T_2 and so on. The integers in the column grow by half a bit a step on average, as f and g shrink at this rate and T
// has the determinant 2^56. Finally, Montgomery reductions divide d by 2^56b modulo n.
package modular

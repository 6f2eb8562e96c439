// Package fp2 is the accelerators for quadratic fields Fp[u]/(u^2 + 1), those of BN254 and BLS12-381: a [Field] for
// each. This page specifies the calls and proves the circuit. B is the number of bits of a part, 256 or 384.
//
// With x = a + b u, y = c + d u and p the prime, a call of the first kind replaces x by x y, x + y or x - y, for
// operation 0, 1 or 2. A call of the second kind replaces z by z + x y. Parts of x, y and z may be any numbers of B
// bits; results are below p.
//
// # The row
//
// A call is one row. For the first kind the flags add and subtract select the operation; multiply is m minus those.
// All three are boolean, so in an active row exactly one is 1, and the operation is add + 2 subtract. All
// operations are x U + V, with digits
//
//	U = multiply y + (add + subtract)      V = (add - subtract) y
//
// that are linear in y's digits, so they take no columns. For the second kind U is y and V is z. The result r + s u
// satisfies two equations (package relation):
//
//	a U_0 - b U_1 + V_0 - r = q p      a U_1 + b U_0 + V_1 - s = q' p
//
// with U = U_0 + U_1 u and V = V_0 + V_1 u. A quotient has B/16 digits and a top digit that may be negative. Products
// have at most B/8 digits, so no digits are beyond the equations' steps.
//
// Soundness. The equations hold over the integers, and r and s are below p (relation.Row.Less), so they are the only
// solution.
//
// Completeness. Let R = 2^B/p, which is 5.3 for BN254 and 9.9 for BLS12-381. Products are below R 2^B p, and parts
// of V and the result below R p, so q is above -R 2^B - R - 1 and q' below 2R 2^B + R. The top digit is a 16-bit
// number minus 16.
package fp2

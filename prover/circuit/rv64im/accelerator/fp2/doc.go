// Package fp2 is the accelerator for BN254's quadratic field Fp[u]/(u^2 + 1): what it computes, and how that is proven.
//
// With x = a + b u, y = c + d u and p the prime, x becomes x y, x + y or x - y, by the call's operation: 0, 1 or 2. a
// to d may be any numbers of 256 bits; results are below p.
//
// # The row
//
// A call is one row. Flags add and subtract say which operation it is; multiply is m less those. All are boolean, so in
// an active row one is 1, and the operation is add + 2 subtract. All three are x U + V, with digits
//
//	U = multiply y + (add + subtract)      V = (add - subtract) y
//
// that are linear in y's, so they take no columns. The result r + s u follows from two equations (package relation):
//
//	a U_0 - b U_1 + V_0 - r = q p      a U_1 + b U_0 + V_1 - s = q' p
//
// with U = U_0 + U_1 u, V alike. A quotient has 16 digits, and a top digit that may be negative. Products have at most
// 32 digits, so nothing is beyond the equations' steps.
//
// Soundness. The equations hold for integers, and r and s are below p (relation.Row.Less): they are the only solution.
//
// Completeness. Products are below 2^512, which is 5.3 2^256 p, so q is above -7 2^256 - 6 and q' below 12 2^256: the
// top digit is one of 16 bits less 16.
package fp2

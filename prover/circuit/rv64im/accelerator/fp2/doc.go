// Package fp2 is the accelerator for BN254's quadratic field Fp[u]/(u^2 + 1). This page says what it computes and how
// that is proven.
//
// With x = a + b u, y = c + d u and p the prime, the call replaces x by x y, x + y or x - y, for operation 0, 1 or 2.
// a, b, c and d may be any 256-bit numbers; results are below p.
//
// # The row
//
// A call is one row. The flags add and subtract select the operation; multiply is m minus those. All three are boolean,
// so in an active row exactly one is 1, and the operation is add + 2 subtract. All operations are x U + V, with digits
//
//	U = multiply y + (add + subtract)      V = (add - subtract) y
//
// that are linear in y's digits, so they take no columns. The result r + s u satisfies two equations (package
// relation):
//
//	a U_0 - b U_1 + V_0 - r = q p      a U_1 + b U_0 + V_1 - s = q' p
//
// with U = U_0 + U_1 u and V = V_0 + V_1 u. A quotient has 16 digits and a top digit that may be negative. Products
// have at most 32 digits, so no digits are beyond the equations' steps.
//
// Soundness. The equations hold over the integers, and r and s are below p (relation.Row.Less), so they are the only
// solution.
//
// Completeness. Products are below 2^512, which is 5.3 2^256 p, so q is above -7 2^256 - 6 and q' below 12 2^256. The
// top digit is a 16-bit number minus 16.
package fp2

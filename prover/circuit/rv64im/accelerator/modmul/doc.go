// Package modmul is the accelerator for products modulo a number of 256 bits: what it computes, and how that is proven.
//
// x becomes x y mod n, for any x and y of 256 bits and any n but 0. (The modulus, which guests call m, is n here: m is
// what says that a row is active.)
//
// # The row
//
// A call is one row, of the table of calls: 157 columns and 162 messages, 400 cells. Numbers are cut into limbs of 16
// bits: x, y, n and the remainder r have 16 limbs, which are the halves of the words' limbs (a column each has the high
// halves, the low one is the rest), the quotient q has 32. All are looked up in R16, so with H = 2^16 and W = 2^32
//
//	x = sum x_i H^i,  y = sum y_i H^i,  n = sum n_i H^i,  r = sum r_i H^i   (i < 16),   q = sum q_i H^i   (i < 32)
//
// are numbers of 256 bits, and of 512. The words' limbs are below W, so their halves are unique.
//
// # The product
//
// x y = q n + r is shown from the lowest digit up, in 16 steps of base W. Let
//
//	s_k = sum_{i+j=k} x_i y_j - sum_{i+j=k} q_i n_j - r_k          (r_k = 0 for k >= 16)
//
// Step k says s_2k + H s_2k+1 + c_{k-1} = W c_k, with c_-1 = c_15 = 0. A last equation says that the sum of all q_i n_j
// with i+j of at least 32 is 0.
//
// Soundness. A coefficient s_k has at most 16 products of each sign, all below W: |s_k| <= 16 (H-1)^2 + H - 1 < 2^36.
// Carries are in [-2^20, 2^20) (below). So both sides of a step are within 2^53, and what holds modulo p holds for the
// integers. W^k times step k, summed up, is sum_{k<32} s_k H^k = 0. The last equation's products are not negative and
// their sum is below 120 W, so it is 0 as an integer and each product is: hence sum_{k<32} sum_{i+j=k} q_i n_j H^k is
// all of q n, and x y = q n + r.
//
// Carries. c_k is v - 2^19 in steps 0 to 3 and 12 to 14, and v + 2^20 (b - 1) in steps 4 to 11, with v looked up in R20
// and b boolean.
//
// Completeness. If x y = q n + r then q n < 2^512, so products with i+j >= 32 are 0. With T_k = sum_{i<=2k+1} s_i H^i,
// c_k is T_k / W^(k+1). If at most t products of a sign meet in any coefficient up to 2k+1, the positive part of T_k is
// at most t (H-1)^2 (W^(k+1) - 1)/(H-1), so c_k < t (H-1), and c_k > -t (H-1) - 1 with r: [-2^20, 2^20) does for t =
// 16, and [-2^19, 2^19) for t <= 8, which is so up to coefficient 7. From coefficient 25 on it is the last coefficients
// that count. Coefficient i has at most 31-i products x y, and at most 32-i products q n, for where q_a n_b is the
// product of the highest limbs that are not 0, a+b <= 31. So c_k is below sum_{i<=2k+1} (32-i) (H-1)^2 H^(i-2k-2) <
// (31-2k) (H-1) + 2, by the sum of H^-i and of i H^-i, which is at most 7 (H-1) + 2 for k >= 12.
//
// # The remainder
//
// r < n is shown at the highest limb of 32 bits in which they differ. f[0] to f[6], and f[7] = m less their sum, are
// boolean, so in an active row one of them is 1, that of limb k, say. Limbs above it are equal: (sum of f below l) (n_l
// - r_l) = 0 for each l > 0. And n_k - r_k - 1 = d0 + H d1 with both looked up in R16: the difference of two limbs is
// within 2^32, so it is positive. So n is not 0, and x y = q n + r with 0 <= r < n has one solution.
//
// Where m is 0 nothing is looked up, and zeros satisfy every constraint.
package modmul

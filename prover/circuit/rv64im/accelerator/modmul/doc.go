// Package modmul is the accelerator for products modulo a 256-bit number. This page specifies the call and proves the
// circuit.
//
// The call replaces x by x y mod n, for any 256-bit x and y and any n except 0. Guests call the modulus m; it is n
// here, because m is the flag of an active row.
//
// # The row
//
// A call is one row of the table of calls: 157 columns and 162 messages, 400 cells. Numbers are cut into 16-bit limbs.
// x, y, n and the remainder r have 16 limbs: the halves of the words' 32-bit limbs. Each high half has a column; the
// low half is the rest of the limb. The quotient q has 32 limbs. All are looked up in R16, so with H = 2^16 and W =
// 2^32
//
//	x = sum x_i H^i,  y = sum y_i H^i,  n = sum n_i H^i,  r = sum r_i H^i   (i < 16),   q = sum q_i H^i   (i < 32)
//
// are 256-bit numbers, and q is a 512-bit number. The words' limbs are below W, so their halves are unique.
//
// # The product
//
// x y = q n + r is shown from the lowest digit up, in 16 steps of base W. Let
//
//	s_k = sum_{i+j=k} x_i y_j - sum_{i+j=k} q_i n_j - r_k          (r_k = 0 for k >= 16)
//
// Step k says s_2k + H s_2k+1 + c_{k-1} = W c_k, with c_-1 = c_15 = 0. A last equation says that the sum of all q_i n_j
// with i+j >= 32 is 0.
//
// Soundness. A coefficient s_k has at most 16 products of each sign, all below W: |s_k| <= 16 (H-1)^2 + H - 1 < 2^36.
// Carries are in [-2^20, 2^20), as shown below. So both sides of a step are below 2^53 in magnitude, and a step that
// holds modulo p holds over the integers. The sum of all steps, step k times W^k, is sum_{k<32} s_k H^k = 0. The last
// equation's products are not negative and their sum is below 120 W. So the sum is 0 as an integer, and each product
// is 0. Hence sum_{k<32} sum_{i+j=k} q_i n_j H^k is all of q n, and x y = q n + r.
//
// Carries. c_k is v - 2^19 in steps 0 to 3 and 12 to 14, and v + 2^20 (b - 1) in steps 4 to 11, where v is looked up in
// R20 and b is boolean.
//
// Completeness. If x y = q n + r then q n < 2^512, so products with i+j >= 32 are 0. With T_k = sum_{i<=2k+1} s_i H^i,
// c_k is T_k / W^(k+1). Suppose that each coefficient up to 2k+1 has at most t products of each sign. Then the positive
// part of T_k is at most t (H-1)^2 (W^(k+1) - 1)/(H-1), so c_k < t (H-1), and with r, c_k > -t (H-1) - 1. The range
// [-2^20, 2^20) suffices for t = 16, and [-2^19, 2^19) for t <= 8, which holds up to coefficient 7.
//
// From coefficient 25 on, the coefficients near the top give a tighter bound. Coefficient i has at most 31-i products
// x y. It has at most 32-i products q n: if q_a n_b is the product of the highest limbs that are not 0, then a+b <= 31.
// So c_k is below sum_{i<=2k+1} (32-i) (H-1)^2 H^(i-2k-2) < (31-2k) (H-1) + 2, by the sums of H^-i and of i H^-i. That
// is at most 7 (H-1) + 2 for k >= 12.
//
// # The remainder
//
// r < n is shown at the highest 32-bit limb in which they differ. The flags f[0] to f[6], and f[7] = m minus their
// sum, are boolean. So in an active row exactly one flag is 1; let k be its limb. Limbs above k are equal: (sum of f
// below l) (n_l - r_l) = 0 for each l > 0. And n_k - r_k - 1 = d0 + H d1, with d0 and d1 looked up in R16. The
// difference of two limbs is between -2^32 and 2^32, so it is positive. So n is not 0, and x y = q n + r with 0 <= r <
// n has one solution.
//
// If m is 0, nothing is looked up, and zeros satisfy every constraint.
package modmul

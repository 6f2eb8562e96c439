// Package relation declares equations between numbers of 256 or 384 bits ([Size]) in the row of a call. An equation
// says that a sum of products is 0 over the integers.
//
// With H = 2^16 and W = 2^32, a number is a list of digits d_i that stands for sum d_i H^i. Digits may be negative. A
// [Shape] bounds each digit by two integers, its [Span]. An equation says that
//
//	sum F A B + sum l_k W^k = 0
//
// where the first sum is over products of two numbers A and B with a factor F, and the integers l_k have spans too.
//
// # Steps
//
// Let s_i be the sum of all F a_u b_v with u + v = i, and n the number of steps. For each k < n, step k says that
//
//	s_2k + H s_2k+1 + l_k + c_{k-1} = W c_k          c_-1 = c_{n-1} = 0
//
// Soundness. [New] derives bounds of both sides from the spans, and panics unless both are below p/2 in magnitude.
// Therefore a step that holds modulo p holds over the integers. The sum of all steps, step k times W^k, is the
// equation, provided that no product has digits at index 2n or higher. If a product has such digits, the package that
// declares the equation shows that their products are 0.
//
// Carries. c_k is v + 2^20 (t_0 + 3 t_1 + ...) + [Carry.Offset], where v is looked up in R20 and each t is 0, 1 or 2.
// The range of c_k determines the number of t.
//
// Completeness. If the equation holds, c_k equals the sum over i <= k of step i's terms times W^(i-k-1). It also
// equals minus the same sum over i > k. The spans bound both sums; New takes the tighter bounds.
//
// # Less
//
// [Row.Less] says that one number is less than another, by their 32-bit limbs. Flags f_i are boolean and sum to m, so
// in an active row exactly one flag is 1; let k be its limb. Limbs above k are equal: (sum of f below l) (upper_l -
// lower_l) = 0 for each l > 0. And upper_k - lower_k - 1 = d0 + H d1, with d0 and d1 looked up in R16. The difference
// of two limbs is between -2^32 and 2^32, so it is positive.
//
// If m is 0, nothing is looked up, and zeros satisfy every constraint.
package relation

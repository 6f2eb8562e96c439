// Package relation declares equations between numbers of 256 bits in the row of a call: sums of products that are 0, as
// integers.
//
// With H = 2^16 and W = 2^32, a number is a list of digits d_i, and stands for sum d_i H^i. A [Shape] says of each
// digit between which integers it is, its [Span]; digits may be negative. An equation says that
//
//	sum F A B + sum l_k W^k = 0
//
// over some products of two numbers with factors F, and numbers l_k below the middle of the field's order.
//
// # Steps
//
// Let s_i be the sum of all F a_u b_v with u + v = i. Step k says, for k < 16,
//
//	s_2k + H s_2k+1 + l_k + c_{k-1} = W c_k          c_-1 = c_15 = 0
//
// Soundness. [New] bounds both sides by the spans, and panics unless they are below p/2 in magnitude: then what holds
// modulo p holds for integers. W^k times step k, summed up, is the equation, if no product has digits beyond place 31.
// Where one has, whoever declares it shows that those digits' products are 0.
//
// Carries. c_k is v + 2^20 (t_0 + 3 t_1 + ...) + [Carry.Offset], with v looked up in R20 and each t one of 0, 1 and 2.
// There are as many t as the range of c_k takes.
//
// Completeness. If the equation holds then c_k is sum_{i<=k} of all that is in step i, times W^(i-k-1), and also minus
// the same sum over i > k. Both are between bounds that follow from the spans; New takes the narrower ones.
//
// # Less
//
// [Row.Less] says that one number is less than another, by their limbs of 32 bits. Flags f_i are boolean and sum to m,
// so in an active row one of them is 1, that of limb k, say. Limbs above k are equal: (sum of f below l) (upper_l -
// lower_l) = 0 for each l > 0. And upper_k - lower_k - 1 is d0 + H d1, both looked up in R16: the difference of two
// limbs is within 2^32, so it is positive.
//
// Where m is 0 nothing is looked up, and zeros satisfy every constraint.
package relation

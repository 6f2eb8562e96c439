// Package blake is the accelerators for the compression functions of the BLAKE family. This page specifies the calls
// and proves the circuit. The machine has two of them: packages blake3 and blake2b.
//
// A function mixes a state of sixteen words, v[0] to v[15], with a block of sixteen, m[0] to m[15]. Each round has
// eight quarter rounds: four on the columns of the state and four on its diagonals. With + modulo 2^w, w = 32 or 64,
// and >>> a rotation,
//
//	a1 = a + b + mx    x1 = d ^ a1    d1 = x1 >>> r0    c1 = c + d1    x2 = b ^ c1     b1 = x2 >>> r1
//	a2 = a1 + b1 + my  x3 = d1 ^ a2   d2 = x3 >>> r2    c2 = c1 + d2   x4 = b1 ^ c2    b2 = x4 >>> r3
//
// and a, b, c, d become a2, b2, c2, d2. The first state is the chaining value, four constants, and four words from the
// caller (the counter, the length, flags: at the call's a2). The result is v[i] ^ v[i+8], and with Feed also ^ the
// chaining value.
//
// # Tables
//
// A call takes one row in the table of calls, and one row a round in table Work. A row of Work holds:
//
//   - the state before the round, b and d as bytes, a and c as 32-bit limbs;
//   - the block, in the order of the round;
//   - for each quarter round the bytes of a1, x1, c1, x2, a2, x3, c2, x4 and b2, and of b1 if r1 does not move whole
//     bytes.
//
// So each quarter round is within one row. The recursion machine's table BLAKE differs in two ways. That machine has no
// memory, so its table has eight rows for seven rounds: the last row shows that words are in range. Here memory's words
// are in range, and the last state goes to the row of the call, which computes the result. And that table splits bytes
// by tables of its own for rotations that do not move whole bytes. Here the lookup table of bytes, which every proof
// has, suffices.
//
// # Soundness
//
// Bytes and words. Every exclusive or of bytes is one lookup in B8, which says that x, y and z are bytes and z = x ^
// y. So in active rows d, a1, x1, b, c1, x2, a2, x3, b1, c2 and x4 are bytes. b2 is b of another quarter round, in
// this row or the next, or a limb of the last state, which the row of the call has as bytes that it looks up. The
// limbs of the block and of the first state are memory's words, below 2^32, or constants. a and c are packed from
// bytes in the previous round.
//
// Sums. The carry out of a limb is the expression (the sum of limbs, plus the carry into it, minus the result's limb) /
// 2^32. A constraint says that it is 0 or 1, or with three words 0, 1 or 2. All numbers are below 2^34, so the equation
// that the carry satisfies modulo p holds over the integers: the result's limb, which is below 2^32, is the sum's.
//
// Rotations. A rotation that moves whole bytes has no columns: the same bytes are used in another order. A rotation of
// a 32-bit word x to the right by n <= 16 is shown by t = (2^n y - x) / (2^32 - 1) and a lookup of u = 2^(16-n) t in
// R16, so u < 2^16. Then 2^16 y - 2^(16-n) x = u (2^32 - 1) modulo p. Both sides are below 2^48 in magnitude, so this
// holds over the integers. 2^(16-n) divides the left side and 2^32 - 1 is odd, so t is an integer, 0 <= t < 2^n. With
// y = 2^(32-n) g + l, g < 2^n and l < 2^(32-n), x = 2^32 (g - t) + 2^n l + t, and 2^n l + t < 2^32. As x is below 2^32
// too, g = t and x = 2^n l + g, which is y rotated to the left by n.
//
// A rotation of a 64-bit word by 63 to the right is a rotation by 1 to the left. For limbs, y_0 = 2 x_0 - 2^32 t_0 +
// t_1 and y_1 = 2 x_1 - 2^32 t_1 + t_0, where t_k is the highest bit of x_k. These equations are linear in t, with the
// solution t_k = (2^32 e_k + e_{1-k}) / (2^64 - 1) for e_k = 2 x_k - y_k. (2^64 - 1 is 2^32 - 2 modulo p, not 0.)
// Constraints say that both t_k are 0 or 1. All numbers are below 2^34, so the equations hold over the integers. As
// y_k is below 2^32 and t_{1-k} at most 1, t_k is the bit shifted out of limb k.
//
// Places. As in package sha256, place[0] is boolean, place[i+1] equals place[i] of the previous row, and the sum of all
// places is boolean. So the places follow each other from a row with place[0], and a row has at most one place. All
// constraints also hold across the table's end. From each row of a call except the last to the next row, the time stays
// the same, the state is passed on, and the block is reordered for the next round.
//
// Calls. The row of a call has a unique time. It sends parts on the function's bus: (time, number, 16 limbs), of the
// first state, the block and the last state, with consecutive numbers. Messages are counted as integers, and all
// bounds are 1. Only rows with place[0] receive the numbers of the first state and the block, and only rows with the
// last place receive the others. So exactly one row with place[0] has this time, and exactly one with the last place,
// in the last row of the same call. Hence what the call's row sends as the last state is the result of the rounds for
// the first state. The four constants are part of the first state that it sends.
//
// Result. The row of a call has the last state as bytes. It shows exclusive ors by lookups, whose results are bytes.
// The limbs that are written are packed from four bytes each.
//
// If no place is 1, nothing is looked up, and zeros satisfy every constraint.
package blake

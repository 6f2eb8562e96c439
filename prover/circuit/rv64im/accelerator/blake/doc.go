// Package blake is accelerators for the compression functions of the family BLAKE: what they compute, and how that
// is proven. Packages blake3 and blake2b are the two that the machine has.
//
// A function mixes a state of sixteen words, v[0] to v[15], with a block of sixteen, m[0] to m[15], in rounds of
// eight quarter rounds: four on the columns of the state and four on its diagonals. With + modulo 2^w, w = 32 or 64,
// and >>> a rotation,
//
//	a1 = a + b + mx    x1 = d ^ a1    d1 = x1 >>> r0    c1 = c + d1    x2 = b ^ c1     b1 = x2 >>> r1
//	a2 = a1 + b1 + my  x3 = d1 ^ a2   d2 = x3 >>> r2    c2 = c1 + d2   x4 = b1 ^ c2    b2 = x4 >>> r3
//
// and a, b, c, d become a2, b2, c2, d2. The first state is the chaining value, four constants, and four words that
// the caller makes (the counter, the length, flags: a2 of the call). The result is v[i] ^ v[i+8], with Feed also ^
// the chaining value.
//
// # Tables
//
// A call takes one row in the table of calls, and a row a round in table Work. A row of Work has the state before
// the round (b and d as bytes, a and c as limbs of 32 bits), the block in the order in which the round takes it, and
// the bytes of a1, x1, c1, x2, a2, x3, c2, x4 and b2 of every quarter round; b1 too where r1 is no move of bytes.
// All that a quarter round says is in one row. Table BLAKE of a machine for recursion, which has no memory, has
// eight rows for seven rounds, since its last one shows that words are words; here memory's words are, and the last
// state goes to the row of the call, which makes the result. And it splits bytes by tables of their own where a
// rotation is no move of bytes; here the lookup table of bytes that every proof has is enough.
//
// # Who guarantees what
//
// Bytes and words. Every exclusive or of bytes is one lookup in B8, which says that x, y and z are bytes and z = x ^
// y. So in active rows d, a1, x1, b, c1, x2, a2, x3, b1, c2 and x4 are bytes; b2 is b of another quarter round, in
// this row or the next, or a limb of the last state, which the row of the call has as bytes that it looks up. The
// block's limbs and those of the first state are memory's, below 2^32, or constants; a and c are packed of bytes in
// the round before.
//
// Sums. The carry out of a limb is (the sum of limbs, and of the carry into it, less the result's limb) / 2^32, an
// expression. A constraint says that it is 0, 1, or of three words 2. All numbers are below 2^34, so the equation
// that the carry satisfies modulo p holds for integers: the result's limb, which is below 2^32, is the sum's.
//
// Rotations. What moves bytes has no columns: bytes are named in another order. A word x of 32 bits turned to the
// right by n <= 16 is shown by t = (2^n y - x) / (2^32 - 1) and a lookup of 2^(16-n) t in R16. Let that be u, below
// 2^16. Then 2^16 y - 2^(16-n) x = u (2^32 - 1) modulo p, and as both sides are below 2^48 in absolute value, for
// integers. 2^(16-n) divides the left side and 2^32 - 1 is odd, so t is an integer, 0 <= t < 2^n. With y = 2^(32-n)
// g + l, g < 2^n and l < 2^(32-n), x = 2^32 (g - t) + 2^n l + t, and 2^n l + t < 2^32. As x is below 2^32 too, g = t
// and x = 2^n l + g, which is y turned to the left by n. A word of 64 bits turned by 63 to the right is one turned
// by 1 to the left: y_0 = 2 x_0 - 2^32 t_0 + t_1 and y_1 = 2 x_1 - 2^32 t_1 + t_0 for limbs, where t_k is the
// highest bit of x_k. The two equations, as linear ones in t, have the solution t_k = (2^32 e_k + e_{1-k}) / (2^64 -
// 1) with e_k = 2 x_k - y_k (2^64 - 1 is 2^32 - 2 modulo p, not 0). Constraints say that both are 0 or 1. All is
// below 2^34, so the equations hold for integers, and as y_k is below 2^32 and t_{1-k} at most 1, t_k is what leaves
// limb k.
//
// Places. As in package sha256: place[0] is boolean, place[i+1] is in a row what place[i] was in the row before, and
// their sum is boolean; so from a row with place[0] the places follow each other, and a row has one at most. All
// constraints hold around the table's end too. Between the places of a call its time stays, the state goes on, and
// the block in the order of the next round.
//
// Calls. The row of a call has a time of its own, and sends parts on a bus of the function's: (time, number, 16
// limbs), of the first state, the block and the last state, each with a number. Messages are counted as integers,
// and all bounds are 1. Just the rows with place[0] receive the first numbers, and those with the last place the
// others. So one row with place[0] has this time, and one with the last place, which comes the rounds behind it:
// what the row sends as the last state is what the rounds make of the first. The four constants are part of what it
// sends.
//
// Result. The row of a call has the last state as bytes and shows exclusive ors by lookups, whose results are bytes;
// the limbs that are written are packed of four of them.
//
// Where no place is 1 nothing is looked up, and zeros satisfy every constraint.
package blake

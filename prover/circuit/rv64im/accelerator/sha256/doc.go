// Package sha256 is the accelerator for the compression function of SHA-256 (FIPS 180-4, 6.2.2): what it computes, and
// how that is proven.
//
// # Tables
//
// A call takes one row in the table of calls and 17 ([Rows]) in table Work, the rounds. Rows of Work have 438 columns
// and one sum of two messages, 441 cells; the call's own row 184. That is 7,681 cells a call, 120 a byte.
//
// What the standard calls a to h before round i are A_{i-1} to A_{i-4} and E_{i-1} to E_{i-4} of two sequences, of
// which the first four are the state backwards. With the message schedule W,
//
//	E_i = A_{i-4} + T,  A_i = T + Sigma0(A_{i-1}) + Maj(A_{i-1}, A_{i-2}, A_{i-3})                       mod 2^32
//	T   = E_{i-4} + Sigma1(E_{i-1}) + Ch(E_{i-1}, E_{i-2}, E_{i-3}) + K_i + W_i
//	W_i = W_{i-16} + sigma0(W_{i-15}) + W_{i-7} + sigma1(W_{i-2})                                for i of 16 and more
//
// A row of Work holds four words of each sequence as bits, so that whatever a round needs of A and E is in its own row
// or the one before, and nothing is copied. The first row of a call has the state; row r the words 4(r-1) to 4(r-1)+3.
// Of the schedule, three columns a word pass W_{i-16} + sigma0(W_{i-15}) + W_{i-7} down, as a sum.
//
// # Who guarantees what
//
// Places. place[0] is boolean, place[i+1] is in a row what place[i] was in the row before (the first row follows the
// last), so all places are boolean; and as their sum is, a row has one place at most. So where place[0] is 1, places 1
// to 16 follow, and no other place is 1 there. All constraints hold around the table's end too, and nothing depends on
// where it is. Between the places of a call its time stays the same.
//
// Rounds. A, E and W are bits by constraint, in every row. Every equation is between integers below 2^36, so it holds
// for them if it does modulo p. In the rows behind places 0 to 15 it says that a word and a multiple of 2^32 are the
// sum above; the word is below 2^32, so it is the sum modulo 2^32. The multiple has to be small, no more: E's is eLow +
// 3 eHigh, of which low is 0, 1 or 2 and high 0 or 1, for a sum of six words; A's and W's are low + 2 high for sums
// below 2^34. A's sum is E_i + Sigma0 + Maj - A_{i-4}, and 2^32 lest it be negative. K_i is chosen by the place.
//
// Exclusive ors, Ch and Maj of bits are expressions of degree 2 or 3, so no constraint is left a degree for a selector.
// Where an equation must say nothing (a word of the block, a row of the state or of no call) its high carry is any
// field element: the constraint that makes it 0 or 1 is multiplied by the places where it must. The sums of the
// schedule on their way down hold in all rows, also from one call to the next, where nothing uses them.
//
// Calls. The row of a call has a time that no other row of the table of calls has: a cycle asks for one accelerator,
// once, and the state chain has every cycle once. It sends (time, 0, old state), four times (time, q, quarter q of the
// block), and (time, 1, result of the rounds). Messages are counted as integers, and all bounds are 1. The rows that
// receive a state are those with places 0 and 16; what is received at place 0 says 0, at place 16 it says 1. So just
// one row of place 0 has this time, and just one of place 16, which is 16 rows behind it; its quarters are received in
// places 1 to 4 with their numbers. Hence the result is that of the rounds for the old state and the block.
//
// Sum. New word, old word and result are below 2^32: the old one because every word of memory is, the result because it
// is packed of bits, the new one because its halves are looked up. result = new - old + 2^32 carry, carry boolean, so
// new is old + result modulo 2^32.
//
// # Filling
//
// Rows of no call have neither place nor time, and their bits are 0. What is free (the high carries above) is what the
// equation needs, the low carry 0.
package sha256

// Package sha256 is the accelerator for the compression function of SHA-256 (FIPS 180-4, 6.2.2). This page specifies
// the call and proves the circuit.
//
// # Tables
//
// A call takes one row in the table of calls and 17 rows ([Rows]) in table Work. A row of Work has 438 columns and one
// sum of two messages, 441 cells; the call's own row has 184 cells. That is 7,681 cells a call, 120 a byte.
//
// The standard's variables a to h before round i are A_{i-1} to A_{i-4} and E_{i-1} to E_{i-4} of two sequences. The
// first four words of each sequence are the state in reverse order. With the message schedule W,
//
//	E_i = A_{i-4} + T,  A_i = T + Sigma0(A_{i-1}) + Maj(A_{i-1}, A_{i-2}, A_{i-3})                       mod 2^32
//	T   = E_{i-4} + Sigma1(E_{i-1}) + Ch(E_{i-1}, E_{i-2}, E_{i-3}) + K_i + W_i
//	W_i = W_{i-16} + sigma0(W_{i-15}) + W_{i-7} + sigma1(W_{i-2})                                        for i >= 16
//
// A row of Work holds four words of each sequence as bits. So all words of A and E that a round needs are in its own
// row or the previous one, and nothing is copied. The first row of a call has the state; row r has the words 4(r-1) to
// 4(r-1)+3. For the schedule, three columns a word pass W_{i-16} + sigma0(W_{i-15}) + W_{i-7} down, as a sum.
//
// # Soundness
//
// Places. place[0] is boolean, and place[i+1] equals place[i] of the previous row (the first row follows the last), so
// all places are boolean. Their sum is boolean too, so a row has at most one place. So if place[0] is 1, places 1 to 16
// follow in the next rows, and no other place is 1 there. All constraints also hold across the table's end, and nothing
// depends on where the end is. From each row of a call except the last to the next row, the time stays the same.
//
// Rounds. A, E and W are bits by constraint, in every row. Every equation is between integers below 2^36, so if it
// holds modulo p, it holds over the integers. In rows that follow places 0 to 15, it says that a word plus a multiple
// of 2^32 is the sum above. The word is below 2^32, so it is the sum modulo 2^32. The multiple only has to be small.
// E's is eLow + 3 eHigh, where eLow is 0, 1 or 2 and eHigh is 0 or 1, for a sum of six words. A's and W's are low + 2
// high, for sums below 2^34. A's sum is E_i + Sigma0 + Maj - A_{i-4}, plus 2^32 so that it is not negative. The place
// selects K_i.
//
// Exclusive ors, Ch and Maj of bits are expressions of degree 2 or 3, which leaves no degree for a selector. Instead,
// an equation that must constrain nothing (for a word of the block, or in a row of the state or outside of calls) has a
// high carry that may be any field element: the constraint that makes the carry 0 or 1 is multiplied by the places
// where it must hold. The sums of the schedule that are passed down hold in all rows, also from one call to the next,
// where nothing uses them.
//
// Calls. The row of a call has a time that no other row of the table of calls has: a cycle asks for at most one
// accelerator, once, and the state chain has every cycle once. The row sends (time, 0, old state), four times (time,
// q, quarter q of the block), and (time, 1, result of the rounds). Messages are counted as integers, and all bounds
// are 1. Rows with places 0 and 16 receive a state: messages with 0 at place 0, and messages with 1 at place 16. So
// exactly one row of place 0 has this time, and exactly one of place 16, which is 16 rows later. Places 1 to 4 receive
// the quarters with their numbers. Hence the result is that of the rounds for the old state and the block.
//
// Sum. New word, old word and result are below 2^32: the old word because every word of memory is, the result because
// it is packed from bits, the new word because its halves are looked up. result = new - old + 2^32 carry with a
// boolean carry, so new is old + result modulo 2^32.
//
// # Filling
//
// In rows outside of calls, places, time and bits are 0. A free carry (the high carries above) is set so that its
// equation holds, with a low carry of 0.
package sha256

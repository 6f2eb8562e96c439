// Package schedule derives from a seed the order in which the arms of a comparison prove.
//
// A is base and B is head. The unit is the block of four proofs, ABBA or BAAB, sampled per block. Each half is a pair;
// the second pair has the opposite order, so a linear drift and an effect of the order cancel within a block. The
// alternating design (ABAB throughout) has neither property.
//
// A proof affects the next one through caches, clocks and heat (carry-over). Inside ABBA, each arm follows A and B
// equally often, provided that a proof of A precedes the block. So a block that opens with another arm than the last
// block closed with is preceded by an unmeasured proof of its opening arm: see [Schedule.Bridge]. Without it the
// carry-over biases the mean.
//
// With k heads ([Schedule.Among]) a block runs base and all heads in a uniformly random order, and then in the reverse
// order: A, C, B, B, C, A. The halves are again called pairs. A linear drift cancels in the block's mean of every arm,
// and each head has one pair of each order with base. Carry-over is not balanced within a block, but over the random
// orders: an arm opens or closes a half with probability 2/(k+1), and then follows itself once and another arm once;
// otherwise it follows two other arms. On average it follows each of the k+1 arms, including itself, equally often.
//
// Each build has an equal share of the processes of its arm, and each process an equal share of the blocks:
// [Schedule.WithReplicates] sets their numbers, and [Schedule.LayoutSeed] derives the layout of a build.
//
// Everything is a pure function of seed and position, by SHA-256 with a label. So a run can be resumed at any pair,
// with any version of Go, and others can recompute a schedule.
package schedule

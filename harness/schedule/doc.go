// Package schedule decides, from a seed alone, in which order the two arms of a comparison prove.
//
// A is base and B is head. The unit is the block of four proofs, ABBA or BAAB, drawn per block: the first half is one
// pair and the second half another, in the opposite order, so that a linear drift and an effect of the order cancel
// within a block. The alternating design (ABAB throughout) has neither property.
//
// What a proof leaves behind in caches, clocks and heat carries over to the next one. Inside ABBA the two arms inherit
// from the same number of proofs of either arm, provided that A also came before the block's first A. A block that
// opens with the other arm than the last one closed with is therefore preceded by one unmeasured proof of its opening
// arm; [Bridge] says when. Without it a carry-over biases the mean.
//
// With several heads ([Schedule.Among]) a block runs base and all heads in an order drawn uniformly from all, and then
// all of them backwards: A, C, B, B, C, A. Its halves are again called pairs. A linear drift cancels in the block's
// mean of every arm, and each head has one pair of either order with base. Within one block
// the carry-over is not balanced between arms, but over the randomized orders it is: an arm opens and closes a half
// with probability 2/(k+1), and then follows itself once and another arm once; otherwise it follows two other arms. On
// average it follows each of the k+1 arms, including itself, equally often.
//
// Blocks are measured by processes of either arm, and these are of builds, in equal shares: [Schedule.Drawing] says
// which process and which build measures a pair, and [Schedule.LayoutSeed] draws the layout of a build.
//
// Everything is a pure function of seed and position, by SHA-256 with a label, so that a run can be resumed anywhere,
// in any version of Go, and a schedule can be recomputed by others. Nothing here knows a clock or a process.
package schedule

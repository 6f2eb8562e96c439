// Package emulator runs a guest: a program (package program), its private and its public input.
//
// [Run] returns the exit code, the public output and the number of cycles, or why there is none: a [Trap]
// names the instruction, its address and symbol; a run that reaches its limit of cycles says so. Who
// wants to know more observes the run by chunks of 512 cycles ([Options].Observe): the state before the chunk and
// the words that it read from memory. [Record] keeps these, which is all that a proof needs.
//
// The interpreter is one loop over predecoded instructions. It always logs what it reads from memory, into a
// buffer that no chunk can fill, so that there is one loop and it never allocates. Where the processor and the system
// allow, blocks that are come to often run as the processor's own code (package native), and the loop does the rest.
// A run whose length is known is recorded in parts at once ([Emulator.RecordParts]), each on a core of its own.
// [Seen] is what a run did in numbers, from which package replay counts the rows of its proof.
//
// What a program may do, and this package does: every instruction of RV64IM, loads and stores of any alignment,
// calls of accelerators. Stores to code succeed and change nothing of what is executed. The package
// counts misaligned accesses and never emulates what a proof cannot show.
package emulator

// Package emulator runs a guest: a program (package program) with its private and its public input.
//
// [Run] returns the exit code, the public output and the number of cycles. If the run has no result, Run returns an
// error: a [Trap] with the instruction, its address and its symbol, or a [LimitError] if the run reached its limit of
// cycles. To learn more, observe the run in chunks of up to 512 cycles ([Options].Observe). Each [Chunk] has the state
// before it and the words that it read from memory. [Record] keeps both, which is all that a proof needs.
//
// The interpreter is a single loop over predecoded instructions. It always logs the words that it reads from memory,
// into a buffer that no chunk can overflow, so that one loop suffices and it never allocates. If the processor and the
// system support it, frequently executed blocks run as native code (package native), and the loop runs the rest. A run
// whose length is known can be recorded in concurrent parts ([Emulator.RecordParts]), each on its own core. [Seen]
// holds the statistics from which package replay counts the rows of a proof.
//
// The package supports everything that a program may do: all instructions of RV64IM, loads and stores of any alignment,
// and calls of accelerators. Stores to code succeed, but do not change the instructions that are executed. The package
// counts misaligned accesses and never emulates anything that a proof cannot show.
package emulator

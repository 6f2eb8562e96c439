// Package native translates a guest's code into the processor's own and runs that: several times as fast as a loop
// that looks at one instruction after the other.
//
// A translation is of a block: the instructions from where one jumped to up to the next that may go elsewhere.
// [Code.Ready] translates a block when it has been come to often enough. A block runs whole, or up to an instruction
// that is not its own: whatever is rare (a misaligned access, one to memory that is not there yet or whose accesses
// are timed, a division by zero, an ECALL, a jump out of the code) is left to who interprets, who goes on at that
// instruction. So there is nothing here that can fail.
//
// What is said of a run comes from blocks, too: how often each was entered, and which registers it accesses
// ([State]). A block has its instructions twice: once for when the cycles that are left are enough for all of them, and once
// to be left in the middle, when they have passed.
//
// Translations are made for Linux on x86-64. Elsewhere, and where the system gives no memory for code, [New] returns
// nil; where memory is not flat, [Entered] does.
//
// # Registers
//
// Nine of a guest's registers are the processor's (rbp and r8 to r15): those that the last run accessed most
// often, at first those that most instructions name. [Code.Fitted] decides it anew behind every run, and translates the blocks that were come to together,
// so that they jump to each other. The others stay in the
// state, where the processor forwards what was just written. Instructions compute in rax, rcx and rdx where they cannot in a
// guest's own register. What all blocks use:
//
//	rbx  the state, and at distances from it memory and how often each block was entered
//	rdi  cycles left
//	rsi  end of the log before the block
package native

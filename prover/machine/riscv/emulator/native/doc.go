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
// ([State]). A block that does not fit what is left of the cycles to run is not begun.
//
// Translations are made for Linux on x86-64. Elsewhere, and where the system gives no memory for code, [New] returns
// nil.
//
// # Registers
//
// A guest's registers stay in memory, where the processor forwards what was just written: each instruction loads,
// computes in rax, rcx and rdx, and stores. The other registers hold what all blocks use:
//
//	rbx  the state        r8   the table of pages            r11  the set of registers that were accessed
//	rdi  cycles left      r9   the table of translations     r12  how often each block was entered
//	rsi  end of the log   r10  the size of memory
package native

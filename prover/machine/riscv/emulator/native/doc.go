// Package native translates a guest's code into the processor's own and runs that: several times as fast as a loop
// that looks at one instruction after the other.
//
// A translation is of a block: the instructions from where one jumped to, through jumps that lead to one place, up
// to the next that may go elsewhere. [Code.Ready] translates a block when it has been come to often enough. A block
// runs whole, or up to an instruction that is not its own: whatever is rare (a misaligned access, one near the ends
// of memory or whose accesses are timed, a division by zero, an ECALL, a jump out of the code) is left to who
// interprets, who goes on at that instruction. So there is nothing here that can fail.
//
// A block that is entered often goes on behind branches and indirect jumps, to where the last run went, and once
// around a loop (route); where the run goes elsewhere it is left on that side, for the block there.
//
// What is said of a run comes from blocks, too: how often each was entered and left behind how many instructions,
// and which registers it accesses ([State]). A block has its instructions twice: once for when the cycles that are
// left are enough for all of them, and once, one by one, to be left in the middle, when they have passed.
//
// A run that nobody follows, because it only has to come to some cycle, takes bare translations ([Pattern.New]): they
// log no reads and count nothing, so that a load whose value nobody needs is its check alone, and one of the word that
// was stored last takes nothing. They are two to four times as fast.
//
// # Values
//
// A block is made into a graph of values (graph), each computed once: moves and constants take no instruction, and
// several instructions may become one (rotations from two shifts, sums with a multiple, the lower half alone). Of
// accesses through the same pointer only the first is checked, and the word of each looked at only once for whether
// it was touched before. What nobody needs is left out (need): a value is needed by others, by what the guest's
// registers have behind the block, and where the block may be left before that. The sign of 32 bits is extended only
// where more than those are needed.
//
// Values are in registers (allocate); where there are too few, that one is kept in the state whose next use is the
// furthest. What a guest's register has goes to its own place behind the block, or out of line where the block is
// left.
//
// Translations are made for Linux on x86-64. Elsewhere, where the processor has no BMI2 and AVX, and where the
// system gives no memory for code, [New] returns nil; where memory is not flat, [Entered] does.
//
// # Registers
//
// Between blocks nine of a guest's registers are the processor's (rbp and r8 to r15): those that the last run
// accessed most often, at first those that most instructions name. [Code.Fitted] decides it anew before every run,
// and translates the blocks that were come to together, so that they jump to each other. The others are in the
// state. In a block those registers, rcx and rdx have any values, and rax what lasts for an instruction. What all
// blocks use:
//
//	rbx  the state, and at distances from it memory and how often each block was entered
//	rdi  cycles left
//	rsi  end of the log before the block
//	xmm0 the guest's registers that were accessed
package native

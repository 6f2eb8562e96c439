// Package native translates a guest's code into native code for the host's processor and runs it, several times as fast
// as an interpreter.
//
// The unit of translation is a block: the instructions from the target of a jump, through jumps with a single target,
// up to the next instruction that may transfer control elsewhere. [Code.Ready] translates a block once it has been
// reached often enough. A block runs either completely or up to an instruction that it does not handle. Rare cases are
// left to the interpreter, which resumes at that instruction: misaligned accesses, accesses near the ends of memory or
// whose times are recorded, divisions by zero, ECALLs, and jumps out of the code. So nothing in this package can fail.
//
// A block that is entered often extends past branches and indirect jumps, along the path of the last run, and once
// around a loop (route). If the run takes another path, it leaves the block on that side, for the block there.
//
// Statistics of a run come from blocks, too: the number of times that each block was entered and was left after a given
// number of instructions, and the registers that it accesses ([State]). A block contains its instructions twice: once
// for the case that enough cycles are left for all of them, and once step by step, so that the block can be left in the
// middle when no cycles are left.
//
// A run that only has to reach some cycle uses bare translations ([Pattern.New]). They log no reads and count nothing.
// So a load whose value is not used is only checked, and a load of the word that was stored last costs nothing. Bare
// translations are two to four times as fast.
//
// # Values
//
// A block is turned into a graph of values (graph), each computed once. Moves and constants take no instruction, and
// several instructions may be fused into one: rotations from two shifts, sums with a multiple, the lower half alone. Of
// accesses through the same pointer only the first is checked, and each accessed word is tested only once for whether
// it was touched before. Values that are not needed are omitted (need). A value is needed by other values, by a guest
// register after the block, or by a guest register where the block may be left earlier. A 32-bit result is
// sign-extended only if its upper half is needed.
//
// Values are kept in registers (allocate). If there are too few registers, the value whose next use is furthest away is
// spilled to the state. Each guest register's value is moved to the register's home at the end of the block, or out of
// line where the block is left.
//
// Translations exist for Linux on x86-64. On other systems, if the processor lacks BMI2 or AVX, or if the system
// provides no memory for code, [New] returns nil. If memory is not flat, [Entered] returns nil.
//
// # Registers
//
// Between blocks nine of the guest's registers are in processor registers (rbp and r8 to r15): those that the last run
// accessed most often, or initially those that most instructions name. [Code.Fitted] reassigns them before every run,
// and translates all known blocks together, so that they jump to each other directly. The other guest registers are in
// the state. Within a block, the nine registers, rcx and rdx hold arbitrary values, and rax holds temporaries of a
// single instruction. All blocks use:
//
//	rbx  the state, and at fixed distances from it memory and the entry counts of blocks
//	rdi  cycles left
//	rsi  end of the log before the block
//	xmm0 set of the guest's registers that were accessed
package native

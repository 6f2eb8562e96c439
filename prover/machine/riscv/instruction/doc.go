// Package instruction defines RV64IM: the decoding of words ([Decode]), the text of instructions
// ([Instruction.String]), and their results ([Evaluate], [Compare]).
//
// It follows the unprivileged ISA. MISC-MEM with funct3 0 is a fence with any other bits. EBREAK, CSR instructions, and
// compressed and reserved encodings are not instructions here.
//
// Evaluate and Compare are written for clarity. The emulator implements the same operations for speed. The replay uses
// Evaluate and Compare, so every run compares the two implementations.
package instruction

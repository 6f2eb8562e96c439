// Package instruction is RV64IM: what a word means ([Decode]), how it is written
// ([Instruction.String]), and what it computes ([Evaluate], [Compare]).
//
// Meaning follows the unprivileged ISA: MISC-MEM with funct3 0 is a fence whatever its other bits, EBREAK, CSR
// instructions, compressed and reserved encodings are not instructions here.
//
// Evaluate and Compare are written to be read. The emulator implements the same operations for speed, and the replay,
// which uses these, compares the two on every run.
package instruction

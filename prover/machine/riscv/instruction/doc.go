// Package instruction is RV64IM: what a word means ([Decode]), how it is written
// ([Instruction.String]), and what it computes ([Evaluate], [Compare]).
//
// Meaning follows the unprivileged ISA: MISC-MEM with funct3 0 is a fence whatever its other bits,
// EBREAK, CSR instructions, compressed and reserved encodings are no instructions here.
//
// Evaluate and Compare are written to be read. The emulator has the same meaning written to be fast,
// and the replay, which uses these, checks one against the other on every run.
package instruction

// Package riscv is the machine that proves RISC-V programs: an ELF for riscv64im (with misaligned
// scalar accesses, zicclsm), its private input, its public input and output, and its exit code.
//
// Package circuit/rv64im declares the tables, the memory map and the accelerators: calls for hashes and arithmetic. The
// packages below this one are the steps from a file to a proof. Each can be used without the next:
//
//	elf          a file -> segments, entry and symbols, or why it is refused
//	instruction  a word -> an instruction of RV64IM, and what the instruction computes
//	program      segments -> program rows, image words, and code ready to be run
//	memory       the guest's memory
//	emulator     a program and its inputs -> output, exit code, and a trace
//	native       (of the emulator) blocks of a program -> the processor's own code
//	record       the trace (checkpoints, load log) and the records of every table
//	replay       a trace -> records, its chunks in parallel
//	instances    how many rows each instance of a table has
//	profile      where a program's cycles went, in pprof's format
//
// # Vocabulary
//
//   - A guest is the program that runs; the host is what runs it.
//   - A cycle is one instruction, counted from 1. Its four slots are the times 4*cycle (first source register),
//     +1 (second), +2 (memory) and +3 (destination register). Time 0 is before the program, time 1 the
//     initial contents.
//   - A word is eight bytes of memory at a multiple of eight; word w is at address 8w.
//   - A table is a family of instructions with the same constraints, or a part of the machine's bookkeeping. A table's
//     row is filled from a record. An instance is a part of a table's rows whose height is a power of two.
//   - A chunk is 512 cycles, from one checkpoint to the next.
//   - A trap is an instruction that is not allowed in its state. A program that traps has no proof.
package riscv

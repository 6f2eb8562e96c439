// Package kernelgen writes the prover's vector kernels as Go assembly, with
// avo. It is run by go generate and by its own test, never by the prover.
//
// A kernel is written once over a [builder], which knows one instruction set:
// AVX-512 with eight elements a register, or AVX2 with four. Its methods for
// field arithmetic take and return registers that hold canonical elements and
// pick the instructions. Most of them rest on one step: subtract words and,
// where that borrows, add the modulus (subMod).
//
// Kernels work on whole registers and on lengths that are multiples of the
// register's; the Go functions that call them do the rest of a slice in pure
// Go. They read and write at any alignment.
package kernelgen

// Package kernelgen generates the prover's vector kernels as Go assembly, with
// avo. go generate and its own test run it, never the prover.
//
// A kernel is written once over a [builder], which emits one instruction set: AVX-512 with eight elements a register,
// or AVX2 with four. Its methods for field arithmetic take and return registers of canonical elements, and select the
// instructions. Their comments name the value in the returned register. Most methods use one step: subtract words and,
// after a borrow, add the modulus (subMod).
//
// Kernels work on whole registers and on lengths that are multiples of the
// register's; their Go callers handle the rest of a slice in pure Go. Kernels
// read and write at any alignment.
package kernelgen

// Package protocol is what provers and verifiers share: everything that follows from a machine, parameters and the
// heights of a proof, and the proof itself. docs/spec/protocol.md states the same byte for byte, with test vectors.
//
//   - [Params] and their presets; [Key] and [ProgramKey], what is known of a machine and a program before any proof;
//   - [Shape], the phases, matrices, trees and folds of a proof, and [Plans], what its queries open;
//   - [Script], the transcript step by step: the only place that says what is absorbed before which challenge;
//   - [Proof] and [Set], with their binary form;
//   - [Key.Security], the proven bits of a shape, over package soundness.
//
// Package prove makes proofs, package verify checks them, and package setup derives keys by committing to preprocessed
// columns.
//
// # Vocabulary
//
//   - A machine is a set of tables; a proof has instances of them, each with a height of its own.
//     An instance of 2^h rows has columns, which are polynomials of degree below n = 2^h
//     through their values on the trace domain H, the powers of g of order n.
//   - An extension (LDE) is a column's values on the coset s*<w> of size
//     N = n*blowup, in bit-reversed order; s = 7.
//   - A [Phase] is one commitment, one Merkle tree over the extensions of all
//     instances: fixed and program (preprocessed columns; in the [Key]), main, auxiliary, quotient.
//   - A [Class] is all instances of one height. Each has one quotient and one DEEP codeword, and
//     all codewords go through one FRI folding chain.
//
// # What it never does
//
// It computes nothing over domains: no transform, no tree, no backend. It takes nothing from a proof that the verifier
// can derive: parameters, instances, the program and all public values are absorbed before the first commitment; the
// fixed cap comes from the key, and a proof's program is known by its id, which its cap is part of.
package protocol

// Package protocol is the common part of provers and verifiers: proofs, and everything that is derived from a machine,
// parameters and the heights of a proof. docs/spec/protocol.md specifies it byte for byte, with test vectors.
//
//   - [Params] and their presets; [Key] and [ProgramKey], which describe a machine and a program independently of a
//     proof;
//   - [Shape], the phases, matrices, trees and folds of a proof, and [Plans], the openings for its queries;
//   - [Script], the transcript step by step, which defines what is absorbed before each challenge;
//   - [Proof] and [Set], with their binary form;
//   - [Key.Security], the proven bits of a shape, computed by package soundness.
//
// Package prove makes proofs, package verify verifies them, and package setup derives keys by committing to
// preprocessed columns.
//
// # Vocabulary
//
//   - A machine is a set of tables. A proof has instances of tables, each with its own height. The columns of an
//     instance of n = 2^h rows are polynomials of degree below n that interpolate their values on the trace domain H,
//     the powers of g of order n.
//   - An extension (LDE) is a column's values on the coset s*<w> of size N = n*blowup, in bit-reversed order; s = 7.
//   - A [Phase] is one commitment, one Merkle tree over the extensions of all instances: fixed and program
//     (preprocessed columns; in the [Key]), main, auxiliary, quotient.
//   - A [Class] has all instances of one height. Each class has one quotient and one DEEP codeword, and all codewords
//     go through one FRI folding chain.
//
// # What it never does
//
// It performs no computation over domains: no transform, no tree, no backend. It takes no value from a proof that the
// verifier can derive: parameters, instances, the program and all public values are absorbed before the first
// commitment; the fixed cap comes from the key; and a proof's program is identified by its ID, a digest that includes
// its cap.
package protocol

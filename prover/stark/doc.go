// Package stark is the protocol: what a prover and a verifier do, one file a
// verb.
//
// Prover side, written once over [backend.Backend]: prove.go calls the stages in
// order, commit.go the phases and their caps, query.go plans what is opened,
// stages.go times them. Verifier side, with no backend: verify.go, which calls the
// checks in check_*.go and names the one that failed (reject.go). Both share key.go
// (what the verifier knows about a machine and its program before any proof), script.go
// (the transcript, step by step, in one place), security.go (the proven bits of a shape),
// params.go, and proof.go with its binary form in encode.go and decode.go.
//
// docs/spec/protocol.md states the same byte for byte, with test vectors.
//
// # Vocabulary
//
//   - A machine is a set of tables; a proof has instances of them, each with a height of its own.
//     An instance of 2^h rows has columns, which are polynomials of degree below n = 2^h
//     through their values on the trace domain H, the powers of g of order n.
//   - An extension (LDE) is a column's values on the coset s*<w> of size
//     N = n*blowup, in bit-reversed order; s = 7.
//   - A phase is one commitment, one Merkle tree over the extensions of all
//     instances: fixed and program (preprocessed columns; in the [Key]), main, auxiliary, quotient.
//   - A class is all instances of one height. Each has one quotient and one DEEP codeword, and
//     all codewords go through one FRI folding chain.
//
// # What it never does
//
// It takes nothing from a proof that the verifier can derive: parameters, instances, the program and all public values
// are absorbed before the first commitment; the fixed cap comes from the key, and a proof's program is known by its id,
// which its cap is part of. Proofs are not zero-knowledge.
package stark

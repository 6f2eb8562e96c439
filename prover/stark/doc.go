// Package stark is the protocol: what a prover and a verifier do, one file a
// verb.
//
// Prover side, written once over [backend.Backend]: commit.go (phases and
// their caps), quotient.go, open.go, deep.go, fold.go, query.go, tied together
// by prove.go. Verifier side, with no backend: verify.go, which calls the
// checks in check_*.go. Both share key.go (what the verifier knows about a machine
// before any proof), script.go (the transcript, step by step, in one place),
// params.go and proof.go with its binary form in encode.go and decode.go.
//
// docs/protocol.md states the same byte for byte, with test vectors.
//
// # Vocabulary
//
//   - A machine is a set of tables; a table of 2^h rows has columns, which are
//     polynomials of degree below n = 2^h through their values on the trace
//     domain H, the powers of g of order n.
//   - An extension (LDE) is a column's values on the coset s*<w> of size
//     N = n*blowup, in bit-reversed order; s = 7.
//   - A phase is one commitment, one Merkle tree over the extensions of all
//     tables: preprocessed (in the [Key]), main, auxiliary, quotient.
//   - A height class is all tables of one height. Each has one DEEP codeword, and
//     all codewords go through one FRI folding chain.
//
// # What it never does
//
// It takes nothing from a proof that the verifier can derive: heights,
// parameters and public values are absorbed before the first commitment, the
// preprocessed cap comes from the key. Proofs are not zero-knowledge.
package stark

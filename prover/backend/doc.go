// Package backend is the interface between the protocol and the code that computes it.
//
// Package prove implements the prover's side of the protocol once, over [Backend]: it owns the transcript, samples
// every challenge and plans every query on the host. A backend owns the data: traces, low-degree extensions, trees,
// codewords. One call covers all instances of a phase, and the data stays on the device. Only caps, claimed sums,
// openings, the final polynomial, the nonce and the opened rows cross to the host.
//
// # Vocabulary
//
//   - A [Backend] opens a [Prover] for a machine (one machine value, and so one program) and parameters. The prover
//     holds what all proofs share: kernels, twiddles, memory, the commitments to preprocessed columns. Its proofs may
//     have any heights, one after the other.
//   - A [Proof] is one proof being computed. Its method returns the next stage, whose method returns the next: a stage
//     is a type, so the compiler enforces their order, and what a stage hands on lives in the next stage's value.
//   - A [protocol.Shape] follows from a machine, parameters and a proof's instances: phases, matrices, trees, classes,
//     the schedule of folds. Prover, verifier and backends use it.
//   - A [protocol.Phase] is one commitment: fixed, program, main, auxiliary, quotient.
//   - A [protocol.Class] has the instances of one height, which share a domain, a quotient and a codeword.
//
// Package backendtest has the tests that every backend must pass.
//
// # What a backend never does
//
// It never samples randomness, never sees the transcript and never checks a proof. Given the same arguments, every
// backend returns the same values, so proofs are byte-identical on every backend and for any number of workers.
package backend

// Package backend is the seam between the protocol and whatever computes it.
//
// Package prove writes the prover's side of the protocol once, over [Backend]: it owns the
// transcript, draws every challenge and plans every query on the host. A
// backend owns the data: traces, low-degree extensions, trees, codewords. The
// calls are coarse, one for all instances of a phase, and data stays where it is,
// so that a device keeps everything resident; only caps, claimed sums,
// openings, the final polynomial, the nonce and the opened rows cross to the
// host.
//
// # Vocabulary
//
//   - A [Backend] opens a [Prover] for a machine (one machine value, and so one program) and parameters. The prover
//     holds what all proofs share: kernels, twiddles, memory, the commitments to preprocessed columns. Its proofs may
//     have any heights, one after the other.
//   - A [Proof] is one proof being computed. Its method returns the next stage, whose method returns the next: a stage
//     is a type, so the compiler enforces their order, and what a stage hands on lives in the next stage's value.
//   - A [protocol.Shape] is what follows from a machine, parameters and a proof's instances: phases, matrices, trees,
//     classes, the schedule of folds. Prover, verifier and backends all ask it.
//   - A [protocol.Phase] is one commitment: fixed, program, main, auxiliary, quotient.
//   - A [protocol.Class] is the instances of one height, which share a domain, a quotient and a codeword.
//
// Package backendtest has the tests that every backend has to pass.
//
// # What a backend never does
//
// It never draws randomness, never sees the transcript and never checks a
// proof. Given the same arguments every backend returns the same values, so
// proofs are equal byte for byte on every backend and for any worker count.
package backend

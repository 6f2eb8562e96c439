// Package evidence defines the observations of a run, as the journal and the report store them.
//
// # Vocabulary
//
//   - A Sample is one proof, measured or not, with its metrics and counters.
//   - A Pair is one counted proof of base and one of head next to each other. A Drop is a pair that was measured and
//     not counted, for a Cause outside the measured process.
//   - A Session is what a prover reports about itself when it starts.
//   - A Challenge is the answer of a verifier to proofs that it must refuse, a CrossCheck the answers of base's
//     verifier to head's proofs.
//   - A CodeProfile says in which functions the arms spend their CPU time.
//
// # What it never does
//
// It draws no conclusions: it has values and their JSON, and arithmetic within one proof.
package evidence

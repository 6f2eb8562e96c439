// Package harness compares two revisions of a prover: it builds both, runs interleaved proofs, verifies every proof,
// and says with paired statistics whether head is faster, slower, the same, or not yet known.
//
// # Vocabulary
//
// Base and head are the two revisions, also called the arms A and B. A workload is one thing to prove. A session is a
// long-lived process of one arm on one workload; in process mode each proof is a process of its own. A pair is one
// measured proof of base and one of head next to each other, in the order AB or BA; a block is two pairs, ABBA or BAAB.
// A run is one comparison with its directory: run.json says what was decided, journal.jsonl what was seen, and
// report.json what came of it. A sample is one proof, measured or not. A pair is dropped only for a cause outside the
// measured process that was logged without looking at its times, and is then measured again.
//
// # Use
//
// [Compare] does everything from the resolution of the revisions to the report. [Resume] goes on with a run that was
// interrupted, from its journal. Both return a [Report] whenever there is something to report, also when they fail, and
// [ExitCode] turns what they return into the exit code of the command. How reports are drawn is the business of the
// package reporters, which the caller hands in: this package writes report.json and the CSV files only.
//
// # What is trusted
//
// Base is the measure, and nothing that head says of itself decides. Both verifiers are told what base proves
// (bind.go), of every proof, and base's verifier tries head's proofs too (verify.go). What is verified is a copy that
// its session cannot reach. The prover's clock is believed within what the harness's own shows, and a verdict is
// withheld where a session worked while it was to wait (trust.go).
//
// # What it never does
//
// It never compares proofs that were not verified, never drops a pair for its value, never shows a p-value, an interval
// or a verdict before the measurement has ended, and knows nothing about the prover beyond the lines of its session.
package harness

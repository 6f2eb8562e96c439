// Package harness compares two revisions of a prover: it builds both, runs interleaved proofs, verifies every proof,
// and decides with paired statistics whether head is faster, slower, equivalent, or not yet known.
//
// # Vocabulary
//
// Base and head are the two revisions, also called the arms A and B. A workload is one thing to prove. A session is a
// long-lived process of one arm on one workload; in process mode each proof is made by a separate process. A pair is
// one measured proof of base and one of head next to each other, in the order AB or BA; a block is two pairs, ABBA or
// BAAB. A run is one comparison with its directory: run.json holds the decisions, journal.jsonl the observations, and
// report.json the result. A sample is one proof, measured or not. A pair is dropped only for a cause outside the
// measured process that was logged without looking at its times, and is then measured again.
//
// # Use
//
// [Compare] does everything from resolving the revisions to the report. [Resume] continues an interrupted run from its
// journal. [Join] combines the reports of several hosts. All return a [Report] whenever there is something to report,
// even if they fail, and [ExitCode] turns their result into the exit code of the command. [Predict] decides like
// Compare and predicts proofs and time without measuring.
//
// # Layers
//
// This package is the public interface. Each package imports only packages to its left:
//
//	schedule, metrics ─ failure ─ profile ─ plan ─ evidence ─ baseline ─ record ─ report ─ measure ─ harness
//
// plan decides before anything is measured; measure executes and journals; record folds the journal; report concludes.
// Packages below reporters render reports; the caller passes them in.
//
// # What it never does
//
// It never drops a pair for its value, never shows a p-value, an interval or a verdict before the measurement has
// ended, and knows only the lines of a session about the prover. A proof that no verifier checked is
// reported as not verified.
package harness

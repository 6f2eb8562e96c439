// Package measure executes a decided run: it builds both arms, opens sessions, makes and verifies proofs in the order
// of the schedule, and journals every observation.
//
// # Vocabulary
//
//   - A run is one comparison with its directory and journal. A measurement is one workload of a run.
//   - A runner starts the programs of one arm on one workload: sessions, single processes, verifiers and hooks.
//   - Controls are the options that may differ when a run is resumed: whom to notify, how to stop, where the host's
//     lock is.
//   - A Notice tells people about the progress of a run. It never contains a measured time.
//   - An Observer watches the host during a proof for disturbances outside the measured process.
//
// # Steps
//
//	Begin ─ build both arms ─ lock the host ─ record the environment
//	      └ per workload: setup ─ baseline pre-check ─ open and warm up ─ pairs ─ interim analyses ─ trust checks
//	      └ check the builds again ─ profile ─ write the report
//
// Every observation is journaled before anything acts on it, so [Resume] continues a run from its journal.
//
// # What is trusted
//
// Base sets the standard, and no report of head about itself counts. For every proof, both verifiers receive base's
// statement (bind.go), and base's verifier also tries head's proofs (verify.go). Each verifier must refuse an altered
// proof (challenge.go). Verifiers read a copy of the proof that its session cannot reach. The verdict is withheld if a
// session worked while it had to wait (trust.go).
//
// # What it never does
//
// It computes no verdict: package report does. It never drops a pair because of its times, and shows no statistic
// before the measurement has ended.
package measure

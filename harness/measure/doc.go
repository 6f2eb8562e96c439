// Package measure executes a decided run: it builds both arms, opens sessions, makes and verifies proofs in the order
// of the schedule, and journals everything that it sees.
//
// # Vocabulary
//
//   - A run is one comparison with its directory and journal. A measurement is one workload of a run.
//   - A runner starts the programs of one arm on one workload: sessions, single processes, verifiers and hooks.
//   - Controls are the parts of a run that may differ when it is resumed: whom to notify, how to stop, where the host's
//     lock is.
//   - A Notice tells people who watch what happens. It never contains a measured time.
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
// Base sets the standard, and nothing that head reports about itself decides. Both verifiers receive what base proves
// (bind.go), for every proof, and base's verifier also tries head's proofs (verify.go). Each verifier must refuse an
// altered proof (challenge.go). A verified proof is a copy that its session cannot reach. The verdict is withheld where
// a session worked while it had to wait (trust.go).
//
// # What it never does
//
// It computes no verdict: package report does. It never drops a pair because of its times, and shows no statistic
// before the measurement has ended.
package measure

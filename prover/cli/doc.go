// Package cli is the prover's command line: one file a command, each a thin layer
// over packages prover, machine and soundness.
//
// [Main] takes arguments, streams and the backends that the binary offers, and
// returns the exit code, so that tests call it as a program would. Which
// backends exist is the caller's choice: this package imports none.
//
// # Vocabulary
//
//   - A workload is a machine and an input: a file, or a synthetic input of a
//     size, drawn from a seed. A guest is a RISC-V program; its machine is made for it, and its private input is the
//     workload's.
//   - The statement is the hash of what is claimed, in its exact form (with public
//     values) or its class form (machine and size, or machine and program).
//   - A session is one long-lived process that proves a workload again and again, asked
//     in JSON Lines on stdin (schema chiasmus.session/1).
//   - Metrics carry their unit in their name; prove_seconds runs from the request to the proof complete in memory. What
//     comes before (kernels, memory, preprocessed columns) is setup_seconds.
//   - The stand-in is the CPU backend where --on-device-error cpu has it prove again what a device failed at; such
//     proofs are counted as fallbacks.
//   - The trace of a proof is when the host's parts, the stages and the device's work ran, as Chrome trace events.
//
// # Exit codes
//
// 0 is success, 1 a failure (for verify: the proof is invalid, malformed or too weak), 2 wrong
// flags or a file that cannot be read, 130 an interruption.
//
// # What it never does
//
// It writes no partial proof: a proof file appears whole or not at all. It never changes
// backend silently, and keeps of an execution nothing but pages to write over from one request to the next.
package cli

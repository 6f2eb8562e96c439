// Package cli is the prover's command line. Each command is a thin layer over packages prover, machine and soundness,
// in its own file.
//
// [Main] takes arguments, streams and the backends that the binary offers, and returns the exit code, so that tests
// call it as a program would. The caller chooses the backends: this package imports none.
//
// # Vocabulary
//
//   - A workload is a machine and an input: a file, or a synthetic input of a given size, generated from a seed. A
//     guest is a RISC-V program; its machine is built for it, and the workload's input is its private input.
//   - The statement is the hash of the claim, in its exact form (with public values) or its class form (machine and
//     size, or machine and program).
//   - A session is a long-lived process that proves a workload repeatedly, on requests in JSON Lines on stdin (schema
//     chiasmus.session/1).
//   - Names of metrics contain their unit; prove_seconds runs from the request until the proof is complete in memory.
//     Preparation before that (kernels, memory, preprocessed columns) is setup_seconds.
//   - The stand-in is the CPU backend that, with --on-device-error cpu, repeats a proof for which a device failed; such
//     proofs are counted as fallbacks.
//   - The trace of a proof records when the host's parts, the stages and the device's work ran, as Chrome trace events.
//
// # Exit codes
//
// 0 is success, 1 a failure (for verify: the proof is invalid, malformed or too weak), 2 wrong flags or a file that
// cannot be read, 130 an interruption.
//
// # Guarantees
//
// It writes no partial proof: a proof file appears whole or not at all. It never changes backend silently. Between
// requests it keeps nothing of an execution except pages to overwrite.
package cli

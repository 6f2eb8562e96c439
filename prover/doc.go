// Package prover proves statements about computations and checks the proofs.
//
// It is the front door: a [Prover] makes proofs of one machine on one backend,
// [Verify] checks the bytes of a proof with no backend at all: unless its options say
// otherwise it demands 128 bits, and that a program ended with exit code 0. [Inspect]
// lists what a proof is made of.
//
//	program, _ := all.Lookup("keccak")
//	p, _ := prover.New(program.Fillers(), prover.Default(), cpu.New(parallel.New(0)), prover.Options{})
//	execution, _ := program.Execute(ctx, machine.Input{Data: file, MinLogHeight: prover.Default().MinLogHeight})
//	proof, metrics, _ := p.Prove(ctx, execution, nil)
//	data, _ := proof.MarshalBinary()
//	result, err := prover.Verify(ctx, data, prover.VerifyOptions{})
//
// # Vocabulary
//
//   - A machine (package circuit) is what can be proven: tables of columns
//     (package air), tied by buses, with public values. A program is a machine
//     with its inputs and what its proofs claim, the statement.
//   - An execution is one run of a program: what it states, how high its tables
//     are, and what their cells, the trace, are filled from.
//   - Parameters ([Params]) decide how a proof is made; package soundness
//     computes how many bits they prove for a machine at given heights.
//   - The protocol (packages prove and protocol) commits to all columns (packages ntt, merkle,
//     keccak), draws challenges from a transcript (package transcript), and shows
//     with FRI (package fri) that the constraints hold.
//   - A backend (package backend) computes: backend/cpu on the host's cores,
//     others on devices. Proofs are equal byte for byte on all of them.
//
// # What it never does
//
// Proofs are not zero-knowledge: they reveal parts of the execution. Nothing falls
// back: a backend's error is the proof's, and parameters that prove too little are
// an error that names the short term. docs/spec/protocol.md states transcript and
// proof format byte for byte.
package prover

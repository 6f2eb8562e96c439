// Package prover proves statements about computations and checks the proofs.
//
// It is the public interface. A [Prover] makes proofs of one machine on one backend. [Verify] checks the bytes of a
// proof without a backend; by default it demands 128 bits and exit code 0. [Inspect] lists the parts of a proof.
//
//	program, _ := all.Lookup("keccak")
//	p, _ := prover.New(program.Fillers(), prover.Default(), cpu.New(parallel.New(0)), prover.Options{})
//	r, _ := program.Run(ctx, run.Input{Data: file, MinLogHeight: prover.Default().MinLogHeight})
//	proof, metrics, _ := p.Prove(ctx, r, nil)
//	data, _ := proof.MarshalBinary()
//	result, err := prover.Verify(ctx, data, prover.VerifyOptions{})
//
// # Vocabulary
//
//   - A machine (package circuit) defines what can be proven: tables of columns (package air), connected by buses, with
//     public values. A program is a machine with an input format and the statement that its proofs claim.
//   - A run (package run) is one execution of a program: its statement and its shards, of which a single proof has one.
//     A shard has the heights of its tables, and the records from which its trace, the cells of the tables, is filled.
//   - Parameters ([Params]) determine how a proof is made. Package soundness computes the proven bits for a machine at
//     given heights.
//   - The protocol (packages prove and protocol) commits to all columns (packages ntt, merkle, keccak), samples
//     challenges from a transcript (package transcript), and shows with FRI (package fri) that the constraints hold.
//   - A backend (package backend) does the computation: backend/cpu on the host's cores, others on devices. All give
//     byte-identical proofs.
//
// # Compatibility
//
// docs/reference/go.md lists the packages for importers. From version 1.0.0 on, their exported names and the meaning of
// zero options do not change within a major version. Until then the changelog lists every change. A program that only
// verifies imports packages verify and verify/known, which link nothing that proves.
//
// # What it never does
//
// Proofs are not zero-knowledge: they reveal parts of the execution. There are no fallbacks: if the backend fails, the
// proof fails. If the parameters prove too few bits, the error names the limiting term. docs/spec/protocol.md specifies
// the transcript and the proof format byte for byte.
package prover

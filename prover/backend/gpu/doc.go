// Package gpu is the backend that keeps a whole proof on one NVIDIA GPU.
//
//	b, err := gpu.New(gpu.Options{})        // the first suitable device
//	p, err := prover.New(program.Fillers(), prover.Default(), b, prover.Options{})
//	proof, metrics, err := p.Prove(ctx, execution, nil)
//
// Its proofs are identical to those of package backend/cpu, to the byte. Traces, extensions, trees and codewords live
// in device memory. Only caps, claimed sums, openings, the final polynomial, the nonce and the opened rows come back.
//
// # Vocabulary
//
//   - A [Backend] is one device (package device: its context, streams and staging memory) with loaded kernels. Open
//     returns a machine's backend.Prover, which holds what proofs of all heights share: tables of roots, the
//     commitments to preprocessed columns, and an arena that proofs use one after another. The arena is replaced only
//     when a proof needs a larger one.
//   - A proof (backend.Proof) has instances of certain heights, and takes exactly its predicted peak of that arena.
//   - Matrices are the columns of one phase of all instances. A column has room for its extension. Until it is
//     committed, its values are in the first part.
//   - A stage is one call of the interface. It takes its working memory up front, in a scope that ends with it.
//   - Lanes are streams for small tables, each of which would leave most of the device idle, so that they run
//     concurrently. If instances share a launch, each has blocks of its own, and a list in device memory describes the
//     blocks' work.
//   - A lean proof, made when memory is short, keeps half of the extensions and recomputes the rest (lean.go).
//   - The rehearsal takes and returns the same memory in the same order on an arena without a device. Its
//     high-water mark is the predicted peak, so prediction and reality cannot drift apart.
//
// Rows of an extension are in bit-reversed order, as on the CPU. Constraint, LogUp and counting kernels are generated
// from each table's graph (package generate). Kernels that fill traces come with the table (machine.DeviceFiller).
//
// # Failures
//
// After a recoverable error (out of memory, a refused launch) the device is drained before memory is reused, and the
// backend remains usable. A sticky error (a fault in a kernel, a lost device) ends the backend: [Backend.Lost] returns
// it, every later call fails, and nothing is freed through the driver.
//
// # Guarantees
//
// The backend never computes on the host what belongs on the device, never falls back to the CPU, and never keeps
// anything of an execution from one proof to the next.
package gpu

// Package gpu is the backend that keeps a whole proof on one NVIDIA GPU.
//
//	b, err := gpu.New(gpu.Options{})        // the first device that will do
//	p, err := prover.New(program.Fillers(), prover.Default(), b, prover.Options{})
//	proof, metrics, err := p.Prove(ctx, execution, nil)
//
// It computes what package backend/cpu computes, to the byte. Traces, extensions, trees and codewords live in device
// memory; caps, claimed sums, openings, the final polynomial, the nonce and the opened rows are all that comes back.
//
// # Vocabulary
//
//   - A [Backend] is one device (package device: its context, streams and staging memory) with loaded kernels. What it
//     opens for a machine (backend.Prover) holds what proofs of all heights share: tables of roots, the commitments to
//     preprocessed columns, and an arena for one proof after the other, taken anew only where a proof needs a larger
//     one.
//   - A proof (backend.Proof) has instances of certain heights, and takes exactly its predicted peak of that arena.
//   - Matrices are the columns of one phase of all instances. A column has room for its extension; before it is
//     committed its values stand in the first part.
//   - A stage is one call of the interface. It takes its working memory up front, in a scope that ends with it.
//   - Lanes are streams for small tables, one of which leaves most of the device idle: their work goes side by side.
//     Where instances share a launch, each has blocks of its own, and a list in device memory says what those do.
//   - A lean proof, made where memory asks for it, keeps half of the extensions and computes the rest again (lean.go).
//   - The rehearsal takes and returns the same memory in the same order on an arena without a device. Its
//     high-water mark is the predicted peak, so prediction and reality cannot drift apart.
//
// Row i of an extension stands in bit-reversed order, as on the CPU. Constraint, LogUp and counting kernels are
// generated from each table's graph (package generate); kernels that fill traces come with the table
// (machine.DeviceFiller).
//
// # Failures
//
// A recoverable error (memory, a refused launch) drains the device before memory is used again, and the backend goes
// on. A sticky one (a fault in a kernel, a lost device) ends it: [Backend.Lost] says so, every later call fails, and
// nothing is freed through the driver.
//
// # What it never does
//
// It never computes on the host what belongs on the device, never falls back, and never keeps anything of an
// execution from one proof to the next.
package gpu

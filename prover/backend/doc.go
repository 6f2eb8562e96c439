// Package backend is the seam between the protocol and whatever computes it.
//
// Package stark writes the protocol once, over [Backend]: it owns the
// transcript, draws every challenge and plans every query on the host. A
// backend owns the data: traces, low-degree extensions, trees, codewords. The
// calls are coarse, one for all tables of a phase, and exchange opaque handles,
// so that a device keeps everything resident; only caps, claimed sums,
// openings, the final polynomial, the nonce and the opened rows cross to the
// host.
//
// # Vocabulary
//
//   - A [Shape] is a machine, the log height of each of its tables and the
//     parameters that decide sizes. [Backend.Prepare] turns it into a
//     [Context]: the device, its stream and its memory, which every later call
//     takes. There is no state outside contexts.
//   - A [Phase] is one commitment: preprocessed, main, auxiliary, quotient.
//   - [Columns] are the matrices of one phase before they are committed,
//     [Commitment] their low-degree extensions and tree, [Codewords] what FRI
//     folds, [Layer] one committed FRI layer.
//
// # What a backend never does
//
// It never draws randomness, never sees the transcript and never checks a
// proof. Given the same arguments every backend returns the same values, so
// proofs are equal byte for byte on every backend and for any worker count.
//
// A handle belongs to the context it came from. A call that consumes a handle
// leaves it invalid; all others stay valid until [Backend.Release]. Using a
// context from several goroutines at once is not supported.
package backend

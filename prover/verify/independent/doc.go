// Package independent is a second verifier, slow and plain, written from docs/spec/protocol.md alone. Only
// tests use it.
//
// It shares nothing with packages protocol, verify, fri, merkle, transcript, goldilocks and ntt: field arithmetic is
// 128-bit division, transforms are recursive, folds interpolate by Lagrange, hashes are golang.org/x/crypto's, and
// a machine is the bytes of its canonical form with the [Rules] that those bytes do not say. Nothing of this module is
// imported here; a test asserts it. What the two verifiers disagree on is a mistake in one of them or in the document.
//
// A proof stays the bytes of its file: decoding checks every element and every count, and keeps only where lists begin,
// so that it takes at most as much memory again.
//
// Files: field.go, hash.go (transcript), tree.go, machine.go (canonical form), key.go (caps and digests), proof.go
// (proof file), verify.go, balance.go, constraints.go and query.go (what a verifier checks). In the tests,
// agree_test.go alone imports the prover.
package independent

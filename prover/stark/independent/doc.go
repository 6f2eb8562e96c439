// Package independent is a second verifier, slow and plain, written from docs/protocol.md alone. It has
// no code outside tests.
//
// It shares nothing with packages stark, fri, merkle, transcript, goldilocks and ntt: field arithmetic is
// 128-bit division, transforms are sums of powers, hashes are golang.org/x/crypto's, and a machine is
// the bytes of its canonical form. A test asserts that its files import nothing of this module; only
// agree_test.go does, where proofs come from. What the two verifiers disagree on is a mistake in one
// of them or in the document.
//
// Files: field_test.go, hash_test.go (transcript and trees), machine_test.go (canonical form), proof_test.go (proof
// file), verify_test.go and query_test.go
// (what a verifier checks), agree_test.go (the tests).
package independent

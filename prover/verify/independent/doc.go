// Package independent is a second verifier, slow and simple, written from docs/spec/protocol.md alone. Only tests use
// it.
//
// It shares no code with packages protocol, verify, fri, merkle, transcript, goldilocks and ntt: field arithmetic is
// 128-bit division, transforms are recursive, folds interpolate by Lagrange, Keccak-256 is golang.org/x/crypto's, and a
// machine is the bytes of its canonical form plus the [Rules] that those bytes do not contain. It imports nothing of
// this module; a test asserts that. If the two verifiers disagree, one of them or the document is wrong.
//
// A proof stays the bytes of its file: decoding checks every element and count, and stores only where lists begin, so
// that it takes at most the same amount of memory again.
//
// Files: field.go; hash.go and protocol3.go (transcripts of protocols 2 and 3); compression.go (BLAKE3); tree.go;
// machine.go and valid.go (canonical form); rules.go and riscv.go (the machines' rules); program.go and lower.go
// (program IDs); key.go (caps and digests); proof.go (proof file); verify.go, shards.go, balance.go, constraints.go and
// query.go (a verifier's checks). Among the tests, only agree_test.go imports the prover.
package independent

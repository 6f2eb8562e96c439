// Package verify checks proofs.
//
// [Verify] takes the bytes of a file, a proof or a run in shards. [Proof] and [Set] check what is decoded already
// against a [protocol.Key]; [Together] and [Shard] are the two halves of Set, for who gathers the shards of a run. The
// checks are in check_*.go, and reject.go names them: every refusal is a [RejectError] with the check that failed.
//
// # What it never does
//
// It depends on nothing that proves or executes: no backend, machine, emulator or transform. A test asserts it, and
// bounds the size of everything that a verifier has to trust. No input makes it panic. Proofs are not zero-knowledge.
//
// Package independent, below, is a second verifier, for tests; package soundnesstest tries to cheat both.
package verify

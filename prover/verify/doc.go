// Package verify verifies proofs.
//
// [Verify] takes the bytes of a file: a proof, or a run in shards. [Proof] and [Set] verify decoded proofs against a
// [protocol.Key]. [Together] and [Shard] are the two halves of Set, for gathering the shards of a run. The checks are
// in check_*.go, and reject.go names them: every rejection is a [RejectError] with the failed check.
package verify

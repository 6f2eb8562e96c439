// Package prove makes proofs: the prover's side of the protocol, written once over [backend.Backend].
//
// prove.go calls the stages in order, commit.go handles the phases and their caps, shard.go the shards of a run, and
// stages.go the timing. The transcript, challenges and queries are computed on the host; the backend computes on the
// data. Package protocol has the code shared with verifiers. Callers use package prover.
package prove

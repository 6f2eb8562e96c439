// Package prove makes proofs: the prover's side of the protocol, written once over [backend.Backend].
//
// prove.go calls the stages in order, commit.go the phases and their caps, shard.go the shards of a run, and stages.go
// times them. The transcript, every challenge and every query are the host's; the backend computes on the data. Package
// protocol holds what verifiers need too, and package prover, above, is the door for callers.
//
// # What it never does
//
// It checks nothing that it made: package verify does. Proofs are not zero-knowledge.
package prove

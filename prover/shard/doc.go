// Package shard proves one run in shards: proofs that draw LogUp's challenges together and have one balance. What a
// shard is and what a verifier checks of a set is docs/spec/protocol.md, section 13, and in package verify; how a run
// is cut is the machine's ([run.Cut]).
//
// A [Prover] has devices, each with a list of the shards. Proving has two phases. In the first every device commits
// to the main columns of its shards, one after the other. When all have, what all draw together is drawn, and in the
// second each shard is proven by itself. Between the phases a shard waits with its columns in a slot, as many as the
// device has memory for; else it is committed to again, to the same caps, which is checked.
package shard

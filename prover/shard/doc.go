// Package shard proves a run in shards: proofs that share LogUp's challenges and balance together.
// docs/spec/protocol.md, section 13, defines shards; package verify checks a set of them; the machine cuts a run
// ([run.Cut]).
//
// A [Prover] deals the shards to its devices. Proving has two phases. In the first phase, every device commits to the
// main columns of its shards, in order. Then the common challenges are sampled. In the second phase each shard is
// proven separately. Between the phases, a shard waits with its columns in a slot of the device. If the memory does not
// suffice for a slot, the device commits to the shard again, and checks that the caps are equal.
package shard

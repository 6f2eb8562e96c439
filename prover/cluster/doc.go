// Package cluster proves one run on many hosts: in shards, which workers on any number of hosts commit to and prove,
// over a NATS server with JetStream (package bus). What shards are is docs/spec/protocol.md, section 13; how a cluster
// is set up, and what of it is kept from whom, docs/guide/cluster.md.
//
// # Vocabulary
//
//   - A job is a run to be proven: a [Request] and how far its proof is. Its id is a digest of the request, so that who
//     asks twice for the same asks for one job.
//   - A task is what one device does of it: commit to a shard's main columns (phase 1), or prove the shard under what
//     all shards drew together (phase 2). Tasks are messages of a work queue, which clients sign.
//   - A worker is a process with devices; each device is a seat, which takes one task at a time. A worker is known by
//     the name of its credential and its host.
//   - A lease is a task that a seat has. It lasts for as long as the seat says that it goes on; then the server gives
//     the task to another.
//   - A dispatcher gives tasks to the seats that ask. It is part of the command that serves: workers have no rights to
//     the queue, where one could acknowledge another's tasks.
//   - A coordinator takes a job from state to state: it sends tasks, judges results, and puts the proof together. It is
//     part of the command that asks for the proof. There may be several of one job, or none for a while: the state is
//     in the server, and changes only from one that the coordinator has seen to the next.
//
// # What is shared out, and what is not
//
// Everybody executes the program: the coordinator, once, for what it states and where it is cut, and every worker, once
// for all of its devices. What a shard is filled from is some two bytes a cycle, and would have to cross the network
// twice; an execution takes no longer than the coordinator's own, which is waited for either way, and nobody has to
// believe a trace. So what travels is the program and its inputs, once a worker, and of each shard a cap and a proof.
//
// # What no worker is trusted with
//
// A proof is verified when it arrives, against the cap that the shard was known by; the whole is verified before it is
// written. A worker whose proof is none is shut out. Where two workers commit to other columns for one shard, or
// claimed sums do not cancel, the coordinator commits to shards itself, and shuts out whoever had another cap: proofs
// are a function of the request, so there is one right answer. It takes no vote.
//
// A worker writes and answers under the name in its credential alone, and is believed about itself alone. It does what
// clients signed, and a server shuts out whom clients signed for.
package cluster

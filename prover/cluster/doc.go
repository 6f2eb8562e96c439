// Package cluster proves one run on many hosts. The run is cut into shards; workers on any number of hosts commit to
// the shards and prove them, and communicate over a NATS server with JetStream (package bus). docs/spec/protocol.md,
// section 13, defines shards. docs/guide/cluster.md describes how to set up a cluster, and who can read what.
//
// # Vocabulary
//
//   - A job is a run to be proven: a [Request] and the progress of its proof. Its id is a digest of the request, so
//     that equal requests denote one job.
//   - A task is one device's part of it: commit to a shard's main columns (phase 1), or prove the shard under the
//     common challenges of all shards (phase 2). Tasks are messages of a work queue, which clients sign.
//   - A worker is a process with devices; each device is a seat, which takes one task at a time. A worker is known by
//     the name of its credential and its host.
//   - A lease is a task held by a seat. It lasts while the seat reports that it is working on the task; afterwards the
//     server gives the task to another seat.
//   - A dispatcher gives tasks to the seats that ask. It is part of the command that serves: workers have no rights to
//     the queue, where one could acknowledge another's tasks.
//   - A coordinator advances a job from state to state: it sends tasks, judges results, and assembles the proof. It is
//     part of the command that requests the proof. A job may have several coordinators, or none for a while: the state
//     is stored in the server, and a coordinator can only replace a revision that it has read.
//
// # Distribution of the work
//
// Every process executes the program: the coordinator once, to learn the statement and the cuts, and every worker once
// for all of its devices. The records of a shard take about two bytes per cycle, and would cross the network twice. An
// execution takes no longer than the coordinator's own, which is needed anyway, and no process has to trust a trace. So
// the network carries the program and its inputs once per worker, and a cap and a proof per shard.
//
// # Trust
//
// A proof is verified on arrival against the shard's recorded cap, and the set of proofs before it is written. A worker
// that sends an invalid proof is excluded. If two workers commit to different columns for one shard, or the claimed
// sums do not cancel, the coordinator commits to the shards itself, and excludes every worker that sent another cap:
// proofs are a function of the request, so there is one correct answer, and no vote is taken.
//
// A worker writes and answers only under the name in its credential, and is trusted only about itself. It carries out
// only tasks that clients signed, and a server excludes only workers that clients named in a signed message.
package cluster

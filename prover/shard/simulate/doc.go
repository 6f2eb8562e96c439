// Package simulate says how long a proof in shards takes on devices that are not at hand, from measured times: a
// discrete-event simulation of one coordinator and hosts with several devices each.
//
// The coordinator is on the first host. It runs the program and sends each shard's records to the host of its device,
// or every host runs it; the coordinator gathers caps, draws the common challenges, gathers proofs, verifies them and
// writes them as one. What is simulated is who waits for what: parts of the run go on at once, the coordinator's link
// in either direction, each device, and the cores that verify are resources that serve one after the other. Times are
// [Times]; nothing is random.
package simulate

// Package simulate predicts the time of a proof in shards on devices that are not available, from measured times. It is
// a discrete-event simulation of a coordinator and hosts with several devices each.
//
// The coordinator is on the first host. It runs the program and sends each shard's records to the host of its device,
// or every host runs the program. The coordinator gathers caps, samples the common challenges, gathers proofs, verifies
// them and writes them as one. Parts of the run are recorded concurrently. The coordinator's link in either direction,
// each device, and the cores that verify are resources that serve one request after another. All durations come from
// [Times]; the simulation is deterministic.
package simulate

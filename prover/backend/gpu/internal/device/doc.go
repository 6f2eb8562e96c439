// Package device manages the device that the GPU backend uses. A [Handle] has its context and streams, the pinned
// memory through which all data passes, the timers of stages, and the state after failures. It does not depend on
// proofs.
//
//   - [Side] is a second stream of computation, which runs concurrently with the main stream.
//   - [Transfer] moves small data in the order of the computation. [Bulk] copies records and columns on a stream of
//     their own; one half of its memory is filled while the other is copied.
//   - [Meter] times the stages of a proof and counts their launches; a trace ([Handle.StartTrace]) times every launch
//     and copy.
//   - After a recoverable failure the device is drained ([Handle.Drain]) before memory is reused. A sticky failure ends
//     its use ([Handle.Lost]).
package device

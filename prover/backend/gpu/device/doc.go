// Package device is a device in use by the GPU backend: a [Handle] has its context and streams, the pinned memory
// through which all data passes, the timers of stages, and what became of failures. It knows nothing of proofs.
//
//   - [Beside] is a second stream of computation, whose work runs beside the main one's.
//   - [Transfer] moves small data in the order of the computation. [Bulk] carries records and columns on a stream of
//     their own, one half of its memory being filled while the other is on its way.
//   - [Meter] times the stages of a proof and counts their launches; a trace ([Handle.StartTrace]) times every launch
//     and copy.
//   - After a recoverable failure the device is drained ([Handle.Drain]) before memory is used again; a sticky one ends
//     its use ([Handle.Lost]).
package device

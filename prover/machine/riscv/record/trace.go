package record

import "slices"

// ChunkCycles is the number of cycles between two checkpoints.
const ChunkCycles = 512

// Checkpoint is the state of a guest between two cycles, except its memory. It has 272 bytes.
type Checkpoint struct {
	PC    uint32     // of the next instruction; in the last checkpoint, of the ECALL that ended the program
	Cycle uint32     // the next one
	Log   uint64     // words logged before
	X     [32]uint64 // X[1] to X[31]; X[0] is register 32, the sink, because x0 is 0
}

// Trace is what a run, or a part of a run, records for the replay. The trace of a part has the checkpoints from its
// first chunk to the one after its last, and the words that it loads: the first is word Checkpoints[0].Log of the run.
type Trace struct {
	Checkpoints []Checkpoint
	Log         []uint64

	room *room // the memory of both, which lives as long as a trace refers to it; nil if it is Go's
}

// NewTrace returns an empty trace with room for checkpoints and for the words of a log. On Linux it also has address
// space for the trace of any run, so it grows without being copied. The slices of such a trace are valid as long as
// the trace, or one that its methods derived from it.
func NewTrace(checkpoints int, words uint64) *Trace {
	t := new(Trace)
	if t.room = newRoom(); t.room != nil {
		t.Checkpoints, t.Log = t.room.checkpoints(), t.room.log()
	}
	t.Checkpoints, t.Log = slices.Grow(t.Checkpoints, checkpoints), slices.Grow(t.Log, int(words))
	return t
}

// Grows reports whether the trace has address space for the trace of any run.
func (t *Trace) Grows() bool { return t.room.holds(t) }

// Up returns the trace up to a checkpoint, with the given number of words of the log. It does not change when the trace
// grows.
func (t *Trace) Up(checkpoints int, words uint64) *Trace {
	return &Trace{Checkpoints: t.Checkpoints[:checkpoints:checkpoints], Log: t.Log[:words:words], room: t.room}
}

// With returns the trace with other checkpoints.
func (t *Trace) With(checkpoints []Checkpoint) *Trace {
	return &Trace{Checkpoints: checkpoints, Log: t.Log, room: t.room}
}

// Empty returns an empty trace in the memory of t, which must not be used afterwards.
func (t *Trace) Empty() *Trace {
	return &Trace{Checkpoints: t.Checkpoints[:0], Log: t.Log[:0], room: t.room}
}

// Free returns the memory of a trace to the system without waiting for the garbage collector. Neither the trace nor one
// derived from it may be used afterwards.
func (t *Trace) Free() {
	t.room.free()
	*t = Trace{}
}

// Part returns the trace from one checkpoint to another.
func (t *Trace) Part(from, to int) *Trace {
	first, end := t.Checkpoints[from].Log-t.Checkpoints[0].Log, t.Checkpoints[to].Log-t.Checkpoints[0].Log
	return &Trace{Checkpoints: t.Checkpoints[from : to+1], Log: t.Log[first:end], room: t.room}
}

// Loaded returns the words that chunk k loads.
func (t *Trace) Loaded(k int) []uint64 {
	first := t.Checkpoints[0].Log
	return t.Log[t.Checkpoints[k].Log-first : t.Checkpoints[k+1].Log-first]
}

// Cycles returns the length of the run up to the end of the trace.
func (t *Trace) Cycles() uint32 {
	if len(t.Checkpoints) == 0 {
		return 0
	}
	return t.Checkpoints[len(t.Checkpoints)-1].Cycle - 1
}

// Chunks returns the number of chunks. The last one may have fewer than ChunkCycles cycles.
func (t *Trace) Chunks() int { return max(len(t.Checkpoints)-1, 0) }

package record

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
}

// Part returns the trace from one checkpoint to another.
func (t *Trace) Part(from, to int) *Trace {
	first, end := t.Checkpoints[from].Log-t.Checkpoints[0].Log, t.Checkpoints[to].Log-t.Checkpoints[0].Log
	return &Trace{Checkpoints: t.Checkpoints[from : to+1], Log: t.Log[first:end]}
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

package record

// ChunkCycles is the number of cycles between two checkpoints.
const ChunkCycles = 512

// Checkpoint is the state of a guest between two cycles, except its memory. It has 272 bytes.
type Checkpoint struct {
	PC    uint32     // of the next instruction; in the last checkpoint of the ECALL that ended the program
	Cycle uint32     // the next one
	Log   uint64     // words logged before
	X     [32]uint64 // X[1] to X[31]; X[0] is register 32, the sink, because x0 is 0
}

// Trace is what a run records for the replay.
type Trace struct {
	Checkpoints []Checkpoint
	Log         []uint64
}

// Cycles is the length of the run.
func (t *Trace) Cycles() uint32 {
	if len(t.Checkpoints) == 0 {
		return 0
	}
	return t.Checkpoints[len(t.Checkpoints)-1].Cycle - 1
}

// Chunks is the number of chunks. The last one may have fewer than ChunkCycles cycles.
func (t *Trace) Chunks() int { return max(len(t.Checkpoints)-1, 0) }

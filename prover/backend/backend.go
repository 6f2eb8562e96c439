package backend

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Backend computes proofs. A backend on the host's processors embeds [Host] for the methods that concern a device.
type Backend interface {
	// Name is the backend's name in flags and reports: "cpu", "gpu".
	Name() string

	// Device describes the device, for reports.
	Device() string

	// Open prepares for proofs of the machine whose tables the fillers fill: kernels, twiddles, memory and the
	// commitments to preprocessed columns. A budget that does not fit is a *MemoryError.
	Open(fillers *machine.Fillers, params protocol.Layout, budget Budget) (Prover, error)

	// OnDevice reports whether proofs are computed on a device, which can fail for reasons unrelated to the statement.
	OnDevice() bool
	// Failed reports whether the device caused an error: a call failed, memory did not suffice, a kernel did not
	// compile. Another backend would return every other error too.
	Failed(err error) bool
	// Lost is the failure that ended the use of the device in this process, or nil.
	Lost() error
	// Shutdown frees the device. All provers must be closed before.
	Shutdown() error

	// Report returns figures of the last proof, with their unit in the name.
	Report() (metrics map[string]float64, counters map[string]uint64)

	// StartTrace records every launch and copy from now on, which makes them a little slower.
	StartTrace() error
	// StopTrace ends the recording and returns it.
	StopTrace() ([]Interval, error)
}

// Budget bounds the memory of a prover.
type Budget struct {
	// Limit is the maximum, in bytes; 0 means all that is available.
	Limit uint64
	// Reserve are the instances of a proof for which Open allocates memory. Without them the first proof allocates.
	Reserve []circuit.Instance
}

// Prover proves executions of one machine, one after the other and of any heights. It is not safe for concurrent use.
type Prover interface {
	// Caps returns the caps of the trees over the machine's and the program's preprocessed columns; nil for a phase that
	// the machine lacks.
	Caps() (fixed, program []merkle.Digest)

	// Peak returns the maximum memory of a proof of these instances, in bytes, including what the prover holds between
	// proofs. If they exceed a limit of the backend, the error names it: a *MemoryError if it is the memory.
	Peak(instances []circuit.Instance) (uint64, error)

	// Begin starts a proof. It allocates only if the last proof left too little memory.
	Begin(instances []circuit.Instance) (Proof, error)

	// Close closes the open proof, if there is one, and frees everything. A second Close does nothing.
	Close() error
}

var (
	// ErrOrder is wrapped by Begin while another proof is open or after the prover is closed. Types enforce the order
	// of a proof's stages, but Begin cannot take the prover from its caller. It does not wait for the open proof, which
	// the caller itself may hold, nor close it: a shard's proof stays open while the other shards are committed to.
	ErrOrder = errors.New("call is out of order")
	// ErrZeroDenominator is wrapped by LogUp when a fingerprint is zero: the challenges hit a message of the trace,
	// which has negligible probability.
	ErrZeroDenominator = errors.New("zero LogUp denominator")
	// ErrLookupMiss is wrapped by Count when a table sends a message to a lookup bus that the lookup table does not
	// contain.
	ErrLookupMiss = errors.New("message is not in the lookup table")
)

// HeightError reports a table that is taller, at the proof's blowup, than the backend can transform.
type HeightError struct {
	LogRows, LogPoints int // of the table and of its extension
	MaxLogPoints       int // the largest transform
}

func (e *HeightError) Error() string {
	return fmt.Sprintf("a table of 2^%d rows, extended to 2^%d: transforms go up to 2^%d points",
		e.LogRows, e.LogPoints, e.MaxLogPoints)
}

// MemoryError reports that a proof does not fit.
type MemoryError struct {
	NeedBytes uint64 // the predicted peak
	HaveBytes uint64 // available to the backend
	Limit     string // the flag that limits HaveBytes; empty if there is no more memory
}

func (e *MemoryError) Error() string {
	limit := ""
	if e.Limit != "" {
		limit = " (" + e.Limit + ")"
	}
	return fmt.Sprintf("backend: the proof needs %d bytes of memory and %d are available%s",
		e.NeedBytes, e.HaveBytes, limit)
}

package backend

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Backend is where proofs are computed.
type Backend interface {
	// Name is the backend's name as flags and reports give it: "cpu", "gpu".
	Name() string

	// Device is the device in words, for reports.
	Device() string

	// Open makes ready for proofs of one machine, whose tables these fill: kernels, twiddles, memory and the
	// commitments to preprocessed columns. A budget that does not fit is a *MemoryError.
	Open(fillers *machine.Fillers, params protocol.Layout, budget Budget) (Prover, error)
}

// Budget is the memory that a prover may take.
type Budget struct {
	// Limit is the most, in bytes; 0 is what the backend has.
	Limit uint64
	// Reserve are the instances of a proof whose memory is taken at once. Without
	// them the first proof takes its own.
	Reserve []circuit.Instance
}

// Prover proves executions of one machine, one after the other and of any heights. It is for one goroutine at a time.
type Prover interface {
	// Caps are those of the trees over the machine's and the program's
	// preprocessed columns; nil for a phase that the machine lacks.
	Caps() (fixed, program []merkle.Digest)

	// Peak is the most memory that a proof of these instances takes, in bytes, what the prover holds between
	// proofs included. Instances that no budget could hold, or that are beyond a limit of the backend's, are an
	// error that says which: a *MemoryError where it is the memory.
	Peak(instances []circuit.Instance) (uint64, error)

	// Begin starts a proof. It takes memory only where the last proof left too little.
	Begin(instances []circuit.Instance) (Proof, error)

	// Close gives everything back. All proofs must be closed before.
	Close() error
}

// Proof is one proof being computed. Its methods are called by one goroutine in the order in which they are declared,
// CommitLayer and Fold in turn. What they compute stays with the backend; only what they return crosses to the host. A
// method called out of order is an error wrapping ErrOrder. After an error only Close may be called.
type Proof interface {
	// Trace fills the main columns of every instance. Count columns stay zero.
	Trace(execution machine.Execution) error

	// Count fills the count columns: how often tables and public messages ask for each row of a lookup entry. A
	// message that no row of its entry has is an error wrapping ErrLookupMiss.
	Count(messages []circuit.Message) error

	// Commit extends the columns of a phase (Main, Auxiliary or Quotient), builds their tree and returns its cap.
	Commit(phase protocol.Phase) ([]merkle.Digest, error)

	// LogUp computes the auxiliary columns and returns the claimed sum of each
	// instance with interactions, in order. A fingerprint of zero is an error wrapping ErrZeroDenominator.
	LogUp(challenges protocol.LogUpChallenges) ([]goldilocks.Extension, error)

	// Quotient evaluates all constraints, weighs those of a class by the powers of the challenge and divides by the
	// vanishing polynomial: six columns a class, the two halves of the quotient.
	Quotient(constraint goldilocks.Extension) error

	// Open evaluates every committed column at z, and the columns read at the
	// next row at g*z too, g being the generator of the instance's trace domain.
	Open(z goldilocks.Extension) (protocol.Openings, error)

	// Deep combines all columns of each class into one codeword over its
	// extension domain: the sum of coefficient*(f(x)-value)/(x-point).
	// coefficients has the shape of what Open returned.
	Deep(coefficients protocol.Coefficients) error

	// CommitLayer commits to the current FRI codeword in rows of 2^logArity
	// consecutive entries.
	CommitLayer(logArity int) ([]merkle.Digest, error)

	// Fold replaces the codeword committed to last by its fold with beta and adds
	// beta^arity times the codeword that joins at the new size, if there is one.
	Fold(beta goldilocks.Extension) error

	// Final interpolates the current codeword and returns its coefficients up
	// to size/blowup. Higher ones are zero for an honest prover and are
	// not looked at.
	Final() ([]goldilocks.Extension, error)

	// Grind returns the smallest nonce that passes for the seed and the number of hashes tried, which is one more than
	// the nonce. With BLAKE3 the seed is the transcript's state, which absorbs the nonce under [NonceTag].
	Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error)

	// Gather opens all trees where the plans say.
	Gather(plans *protocol.Plans) (*Gathered, error)

	// Close releases what the proof holds. The prover keeps its memory for the next one.
	Close()
}

// NonceTag is the tag of the nonce's message in both protocols' transcripts.
const NonceTag = 0x0c

// Encoder is a Proof whose backend can write what is opened as a proof's file has it: docs/spec/protocol.md, section 8.
type Encoder interface {
	// GatherEncoded does what Gather does, and returns a file: what front writes, which is called once while the
	// backend works, and behind it what is opened. It is the prover's memory, and stays until its
	// next proof, or until it is closed.
	GatherEncoded(plans *protocol.Plans, front func() []byte) ([]byte, error)
}

// Gathered are the rows and siblings of the trees.
type Gathered struct {
	Phases [protocol.PhaseCount]merkle.Opening
	Layers []merkle.Opening
}

var (
	// ErrOrder is wrapped by stages of a proof that are called out of order, or after Close.
	ErrOrder = errors.New("stage is out of order")
	// ErrZeroDenominator is wrapped by LogUp when a fingerprint is zero: the
	// challenges hit a message of the trace, which has negligible probability.
	ErrZeroDenominator = errors.New("zero LogUp denominator")
	// ErrLookupMiss is wrapped by Count when a table sends a message to a
	// lookup bus that the lookup table does not contain.
	ErrLookupMiss = errors.New("message is not in the lookup table")
)

// MemoryError reports that a proof does not fit.
type MemoryError struct {
	NeedBytes uint64 // the predicted peak
	HaveBytes uint64 // what the backend may use
	Limit     string // the flag that says how much that is; empty where there is not more
}

func (e *MemoryError) Error() string {
	limit := ""
	if e.Limit != "" {
		limit = " (" + e.Limit + ")"
	}
	return fmt.Sprintf("backend: the proof needs %d bytes of memory and %d are available%s",
		e.NeedBytes, e.HaveBytes, limit)
}

package backend

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Backend computes proofs. Its methods are called by one goroutine in the
// order in which they are declared, FRI's CommitLayer and Fold in turn.
type Backend interface {
	// Name is the backend's name as flags and reports give it: "cpu", "gpu".
	Name() string

	// Device is the device in words, for reports.
	Device() string

	// Prepare makes ready for proofs of one shape: kernels, twiddles, memory.
	// A shape that does not fit is a *MemoryError. The context serves any
	// number of proofs, one after the other.
	Prepare(shape Shape) (Context, error)

	// Preprocessed commits to the preprocessed columns of all tables. The
	// commitment serves all proofs of the context. Called only for machines
	// that have such columns.
	Preprocessed(context Context) (Commitment, []merkle.Digest, error)

	// Trace fills the main columns of every table from the witness. Columns
	// that Count fills stay zero.
	Trace(context Context, witness machine.Witness) (Columns, error)

	// Count fills the count column of every lookup table of the main columns:
	// how often the other tables send each of its rows. preprocessed is nil for
	// a machine without preprocessed columns. A message that the table
	// does not contain is an error wrapping ErrLookupMiss.
	Count(context Context, main Columns, preprocessed Commitment, public []goldilocks.Element) error

	// Commit extends the columns of a phase, builds their tree and returns its
	// cap. It consumes columns. keep lists, for each table, the columns whose
	// values over the trace domain are read later; of all others only the
	// extension lives on.
	Commit(context Context, phase Phase, columns Columns, keep [][]int) (Commitment, []merkle.Digest, error)

	// LogUp computes the auxiliary columns of every table with interactions,
	// and the claimed sum of each table (zero for tables without). A
	// fingerprint of zero is an error wrapping ErrZeroDenominator.
	LogUp(context Context, committed Commitments, public []goldilocks.Element, challenges LogUpChallenges) (Columns, []goldilocks.Extension, error)

	// Quotient evaluates all constraints and divides by the vanishing
	// polynomial: six columns a table, the two halves of the quotient.
	Quotient(context Context, committed Commitments, input QuotientInput) (Columns, error)

	// Open evaluates every committed column at z, and the columns read at the
	// next row at g*z too, g being the generator of the table's trace domain.
	Open(context Context, committed Commitments, z goldilocks.Extension) (Openings, error)

	// Deep combines all columns of each height class into one codeword over
	// its extension domain: the sum of coefficient*(f(x)-value)/(x-point).
	// coefficients has the shape of openings.
	Deep(context Context, committed Commitments, z goldilocks.Extension, openings, coefficients Openings) (Codewords, error)

	// CommitLayer commits to the current FRI codeword in rows of 2^logArity
	// consecutive entries.
	CommitLayer(context Context, codewords Codewords, logArity int) (Layer, []merkle.Digest, error)

	// Fold replaces the current codeword by its fold with beta and adds
	// beta^arity times the codeword that joins at the new size, if there is
	// one. layer is the commitment to the codeword being folded.
	Fold(context Context, codewords Codewords, layer Layer, beta goldilocks.Extension) error

	// Final interpolates the current codeword and returns its coefficients up
	// to size/blowup. Higher ones are zero for an honest prover and are
	// not looked at.
	Final(context Context, codewords Codewords) ([]goldilocks.Extension, error)

	// Grind returns the smallest nonce that passes for the seed and the number
	// of hashes tried, which is one more than the nonce.
	Grind(context Context, seed [32]byte, bits int) (nonce, hashes uint64, err error)

	// Gather opens a tree where the plan says.
	Gather(context Context, tree Tree, plan *merkle.Plan) (merkle.Opening, error)

	// Release gives handles back; nil handles are ignored.
	Release(context Context, handles ...Handle)

	// Close releases a context with everything that belongs to it.
	Close(context Context) error
}

// LogUpChallenges are drawn after the main commitment.
type LogUpChallenges struct {
	Alpha goldilocks.Extension // shifts every fingerprint
	Beta  goldilocks.Extension // its powers separate a message's values
}

// QuotientInput is what the constraints read beside committed columns.
type QuotientInput struct {
	Public     []goldilocks.Element
	LogUp      LogUpChallenges
	Claimed    []goldilocks.Extension // one a table
	Constraint goldilocks.Extension   // its powers weigh a table's constraints
}

// TableOpenings are the values of one table's columns of one phase.
type TableOpenings struct {
	Current []goldilocks.Extension // at z, every column
	Next    []goldilocks.Extension // at g*z, the columns read at the next row, ascending
}

// Openings hold one entry per table for each phase. A phase that the machine
// does not have is nil; a table without columns in a phase has empty entries.
type Openings [PhaseCount][]TableOpenings

// Commitments hold what is committed so far, by phase; nil where absent.
type Commitments [PhaseCount]Commitment

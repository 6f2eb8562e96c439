package protocol

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// LogUpChallenges are sampled after the main commitment.
type LogUpChallenges struct {
	Alpha goldilocks.Extension // shifts every fingerprint
	Beta  goldilocks.Extension // its powers separate a message's values
}

// Opened has the opened values of one instance in one phase, or of one class in the quotient phase.
type Opened struct {
	Current []goldilocks.Extension // at z, every column
	Next    []goldilocks.Extension // at g*z, the columns read at the next row, ascending
}

// Openings has, for each phase, one entry per instance, or one per class for the quotient, by decreasing height. A
// phase that the machine lacks is nil. An instance without columns in a phase has an empty entry.
type Openings [PhaseCount][]Opened

// Coefficients are the DEEP coefficients, one for each opened value. They are sampled in the order of the values: phase
// by phase, matrix by matrix, first at z and then at g*z.
type Coefficients interface {
	// Stream returns the transcript state that determines the coefficients (see package transcript, for the hash of the
	// parameters), so that a device can compute them. ok is false if the first coefficient is not the state's first word.
	Stream() (state [32]byte, ok bool)
	// Draw samples the coefficients, once. They are the consecutive words of the stream, unless passed is set: then some
	// words were skipped because they are not elements.
	Draw() (all Openings, passed bool)
}

// Stream returns false: known coefficients have no state.
func (o Openings) Stream() (state [32]byte, ok bool) { return state, false }

// Draw returns the openings themselves as known coefficients.
func (o Openings) Draw() (all Openings, passed bool) { return o, false }

// Plans list the rows to open in each tree.
type Plans struct {
	Positions []uint64 // the queries, in the order sampled

	Phases [PhaseCount]*merkle.Plan // nil if the proof has no such tree
	Layers []*merkle.Plan           // of FRI, in order
}

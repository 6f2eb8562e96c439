package protocol

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// LogUpChallenges are drawn after the main commitment.
type LogUpChallenges struct {
	Alpha goldilocks.Extension // shifts every fingerprint
	Beta  goldilocks.Extension // its powers separate a message's values
}

// Opened are the values of one instance's columns of one phase; of a class's for the quotient.
type Opened struct {
	Current []goldilocks.Extension // at z, every column
	Next    []goldilocks.Extension // at g*z, the columns read at the next row, ascending
}

// Openings hold one entry an instance for each phase, one a class for the quotient, by falling height. A phase that
// the machine does not have is nil; an instance without columns in a phase has an empty entry.
type Openings [PhaseCount][]Opened

// Coefficients are DEEP's, one for each opened value. A transcript draws them in the order of the values: phase by
// phase, matrix by matrix, those at z and then those at g*z.
type Coefficients interface {
	// Stream is the state that they are drawn from, as package transcript says, if the first word drawn from it is
	// that of the first: a device can draw them too.
	Stream() (state [32]byte, ok bool)
	// Draw draws them, once. They are the words of the stream one after the other, unless some were passed over that
	// are no elements.
	Draw() (all Openings, passed bool)
}

// Stream is of coefficients that are known, for which there is none.
func (o Openings) Stream() (state [32]byte, ok bool) { return state, false }

// Draw makes openings coefficients that are known.
func (o Openings) Draw() (all Openings, passed bool) { return o, false }

// Plans say which rows of which tree are opened.
type Plans struct {
	Positions []uint64 // the queries, in the order in which they were drawn

	Phases [PhaseCount]*merkle.Plan // nil where the proof has no such tree
	Layers []*merkle.Plan           // of FRI, in order
}

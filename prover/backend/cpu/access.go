package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Access gives tests that make a prover cheat the live contents of a proof that this backend computes. Writing to them
// changes what the later stages compute. The same holds for the slices that LogUp and Open return.
type Access struct {
	proof   *proof
	folding *folding  // nil before Deep
	current *codeword // nil if the stage has none
}

// AccessTo returns the access to a stage of a proof, and false if the proof belongs to another backend.
func AccessTo(stage any) (a Access, ok bool) {
	own, ok := stage.(accessible)
	if !ok {
		return Access{}, false
	}
	return own.access(), true
}

// accessible is a stage of this backend.
type accessible interface{ access() Access }

func (p *proof) access() Access { return Access{proof: p} }

func (f *folding) access() Access { return Access{proof: f.proof, folding: f} }

func (f *foldable) access() Access {
	return Access{proof: f.proof, folding: f.folding, current: f.current}
}

// IgnoreMisses makes Count ignore messages that are in no lookup table.
func (a Access) IgnoreMisses() { a.proof.ignoreMisses = true }

// Columns returns the columns of a phase by instance, those of the quotient by class. They are as long as the extension
// domain. Before they are committed to, the front holds the values, or the coefficients in case of the quotient.
func (a Access) Columns(phase protocol.Phase) [][][]goldilocks.Element {
	return a.proof.phases[phase].columns
}

// Layer returns the matrix of FRI layer i, by column. Its rows are the leaves.
func (a Access) Layer(i int) [][]goldilocks.Element { return a.folding.layers[i].matrix }

// Current returns the codeword of a stage that has one.
func (a Access) Current() goldilocks.ExtensionVector { return a.current.ExtensionVector }

// Joining returns the codeword of the given size that has yet to join, if there is one.
func (a Access) Joining(size int) (goldilocks.ExtensionVector, bool) {
	if joining, ok := a.folding.joining[size]; ok {
		return joining.ExtensionVector, true
	}
	return goldilocks.ExtensionVector{}, false
}

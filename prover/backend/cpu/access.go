package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Access is for tests that make a prover cheat: it gives the live contents of a proof that this backend computes.
// Writing to them changes what the later stages compute. So does writing to what LogUp and Open return.
type Access struct {
	proof   *proof
	folding *folding  // from Deep on
	current *codeword // of a stage that has one
}

// AccessTo opens a stage of a proof of this backend; false for another's.
func AccessTo(stage any) (a Access, ok bool) {
	own, ok := stage.(interface{ core() *proof })
	if !ok {
		return Access{}, false
	}
	a.proof = own.core()
	if folds, ok := stage.(interface{ fri() *folding }); ok {
		a.folding = folds.fri()
	}
	if codeword, ok := stage.(*foldable); ok {
		a.current = codeword.current
	}
	return a, true
}

// IgnoreMisses lets Count go on where a message is in no lookup table.
func (a Access) IgnoreMisses() { a.proof.ignoreMisses = true }

// Columns are those of a phase by instance, of the quotient by class. They are as long as the extension domain; before
// they are committed to their values fill the front, of the quotient the coefficients.
func (a Access) Columns(phase protocol.Phase) [][][]goldilocks.Element {
	return a.proof.phases[phase].columns
}

// Layer is the matrix of FRI layer i, by column: its rows are the leaves.
func (a Access) Layer(i int) [][]goldilocks.Element { return a.folding.layers[i].matrix }

// Layers is how many FRI layers are committed to.
func (a Access) Layers() int { return len(a.folding.layers) }

// Current is the codeword of a stage that has one.
func (a Access) Current() goldilocks.ExtensionVector { return a.current.ExtensionVector }

// Joining is the codeword of a size that has still to join.
func (a Access) Joining(size int) (goldilocks.ExtensionVector, bool) {
	if joining, ok := a.folding.joining[size]; ok {
		return joining.ExtensionVector, true
	}
	return goldilocks.ExtensionVector{}, false
}

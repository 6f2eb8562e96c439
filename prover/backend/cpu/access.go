package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Matrices returns the live contents of columns, a commitment or a layer, by
// table and column, for tests that make a prover cheat: writing to them changes
// what the backend goes on with. Columns before commitment are as long as the
// extension domain and their values fill the front. Of a layer there is one
// matrix, its rows the leaves.
func Matrices(handle backend.Handle) [][][]goldilocks.Element {
	switch handle := handle.(type) {
	case *columns:
		return handle.slab.tables
	case *commitment:
		return handle.slab.tables
	case *layer:
		return [][][]goldilocks.Element{handle.matrix}
	}
	return nil
}

// Current returns the live current codeword of FRI, for the same tests.
func Current(handle backend.Codewords) goldilocks.ExtensionVector {
	if own, ok := handle.(*codewords); ok {
		return own.current.ExtensionVector
	}
	return goldilocks.ExtensionVector{}
}

// Joining returns the live codeword of a size that has still to join, for the
// same tests.
func Joining(handle backend.Codewords, size int) (goldilocks.ExtensionVector, bool) {
	if own, ok := handle.(*codewords); ok {
		if joining, ok := own.joining[size]; ok {
			return joining.ExtensionVector, true
		}
	}
	return goldilocks.ExtensionVector{}, false
}

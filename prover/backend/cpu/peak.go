package cpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
)

const (
	elementBytes = 8
	digestBytes  = 32
)

// PredictPeak is the most memory, in bytes, that a proof of a shape takes. It
// adds up what is alive when the DEEP codewords are built, which is after everything has been committed: the slabs and kept columns, the
// trees, and the working vectors of the largest height. Opening and folding take
// less, and the constraints' registers are small beside the slabs.
func PredictPeak(shape *backend.Shape) uint64 {
	elements, digests := 0, 0
	for phase := range backend.Phase(backend.PhaseCount) {
		elements += slabElements(shape, phase)
		if tree := shape.TreeShape(phase); len(tree.LogHeights) > 0 {
			digests += 2 << tree.LogHeight()
		}
	}
	for i, table := range shape.Machine.Tables {
		kept := len(backend.KeptColumns(table, backend.Main)) + len(backend.KeptColumns(table, backend.Preprocessed))
		elements += kept << shape.LogHeights[i]
	}
	size := 1 << (slices.Max(shape.LogHeights) + shape.LogBlowup)
	// The points, and three extension vectors: a codeword, the sum over
	// columns and its inverse distances. Smaller heights at most double that.
	elements += size + 2*3*backend.ExtensionDegree*size
	return uint64(elements)*elementBytes + uint64(digests)*digestBytes
}

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
// adds up the slabs, the trees and what else is alive either while LogUp reads the
// kept main columns, or when the DEEP codewords are built, which is after the quotient
// was committed to. Opening and folding take less, and the constraints' registers are
// small beside the slabs.
func PredictPeak(shape *backend.Shape) uint64 {
	always, quotient, kept, digests := 0, slabElements(shape, backend.Quotient), 0, 0
	for phase := range backend.Phase(backend.PhaseCount) {
		if phase != backend.Quotient {
			always += slabElements(shape, phase)
		}
		if tree := shape.TreeShape(phase); len(tree.LogHeights) > 0 {
			digests += 2 << tree.LogHeight()
		}
	}
	for i, table := range shape.Machine.Tables {
		always += len(backend.KeptColumns(table, backend.Preprocessed)) << shape.LogHeights[i]
		kept += len(backend.KeptColumns(table, backend.Main)) << shape.LogHeights[i]
	}
	// The points, and three extension vectors: a codeword, the sum over
	// columns and its inverse distances. Smaller heights at most double that.
	size := 1 << (slices.Max(shape.LogHeights) + shape.LogBlowup)
	always += size
	deep := 2 * 3 * backend.ExtensionDegree * size
	return uint64(always+max(kept, quotient+deep))*elementBytes + uint64(digests)*digestBytes
}

package cpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
)

const (
	elementBytes = 8
	digestBytes  = 32
)

// PredictPeak is the most memory, in bytes, that a proof of a shape takes: the
// slabs, the workspace, the domain's points and the trees. The proof and the
// registers of constraints, a few megabytes for each worker, are small beside
// them.
func PredictPeak(shape *backend.Shape) uint64 {
	elements, digests := workspaceElements(shape), 0
	for phase := range backend.Phase(backend.PhaseCount) {
		if phase != backend.Quotient {
			elements += slabElements(shape, phase)
		}
		if tree := shape.TreeShape(phase); len(tree.LogHeights) > 0 {
			digests += 2 << tree.LogHeight()
		}
	}
	for i, table := range shape.Machine.Tables {
		elements += len(backend.KeptColumns(table, backend.Preprocessed)) << shape.LogHeights[i]
	}
	elements += 1 << (slices.Max(shape.LogHeights) + shape.LogBlowup)
	return uint64(elements)*elementBytes + uint64(digests)*digestBytes
}

package protocol

import (
	"math/rand/v2"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// ProofBytes predicts the size of a proof with these instances from the shape: caps, values at z, the last polynomial,
// opened rows and siblings. It samples one set of positions; the number of distinct rows in small tables depends on the
// positions, which changes the size by about 2 %. The prediction excludes the statement, and some kilobytes for the
// header and counts.
func (k *Key) ProofBytes(instances []circuit.Instance) (int, error) {
	shape := k.Shape(instances)
	random := rand.New(rand.NewPCG(0, 0))
	positions := make([]uint64, k.Params.Queries)
	for i := range positions {
		positions[i] = random.Uint64N(1 << shape.MaxLogSize())
	}
	plans, err := NewPlans(shape, positions)
	if err != nil {
		return 0, err
	}
	return k.ProofBytesWith(shape, plans), nil
}

// ProofBytesWith is ProofBytes for given plans.
func (k *Key) ProofBytesWith(shape *Shape, plans *Plans) int {
	total := extensionBytes * (1<<k.Params.LogFinalLength + len(shape.Claiming()))
	for phase, plan := range plans.Phases {
		for i := range shape.Entries(Phase(phase)) {
			current, next := shape.OpenedWidths(Phase(phase), i)
			total += extensionBytes * (current + next)
		}
		if plan != nil {
			total += openingBytes(plan)
		}
	}
	// The caps in the file.
	for _, phase := range []Phase{Main, Auxiliary, Quotient} {
		if shape.Present(phase) {
			total += len(merkle.Digest{}) << shape.TreeShape(phase).LogCap()
		}
	}
	for i, plan := range plans.Layers {
		total += openingBytes(plan) + len(merkle.Digest{})<<shape.LayerShape(i).LogCap()
	}
	return total
}

// openingBytes returns the size of a plan's rows and siblings.
func openingBytes(plan *merkle.Plan) int {
	total := len(plan.Siblings) * len(merkle.Digest{})
	for m, rows := range plan.Rows {
		total += elementBytes * plan.Shape.Widths[m] * len(rows)
	}
	return total
}

package stark

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// query grinds, draws the positions and opens every tree at them.
func (r *run) query(layers []backend.Layer) error {
	seed := r.script.final(r.proof.Final)
	if bits := r.key.Params.GrindingBits; bits > 0 {
		err := r.stage(StageGrind, func() (err error) {
			r.proof.Nonce, r.watch.metrics.GrindHashes, err = r.backend.Grind(r.context, seed, bits)
			return err
		})
		if err != nil {
			return err
		}
		r.script.nonce(r.proof.Nonce)
	}
	plans, err := newQueryPlans(&r.shape, r.script.positions(r.key.Params.Queries, maxLogSize(&r.shape)))
	if err != nil {
		return err
	}
	return r.stage(StageGather, func() (err error) {
		for phase, plan := range plans.phases {
			if plan == nil {
				continue
			}
			if r.proof.Trees[phase], err = r.backend.Gather(r.context, r.committed[phase], plan); err != nil {
				return err
			}
		}
		r.proof.Layers = make([]merkle.Opening, len(layers))
		for i, layer := range layers {
			if r.proof.Layers[i], err = r.backend.Gather(r.context, layer, plans.layers[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// queryPlans say which rows of which tree are opened. Prover and verifier
// derive them from the positions alone.
type queryPlans struct {
	positions []uint64
	phases    [backend.PhaseCount]*merkle.Plan // nil where the machine has no such phase
	layers    []*merkle.Plan
}

// newQueryPlans plans for positions in the largest domain. A matrix of log
// size l is opened at the positions shifted down to l bits.
func newQueryPlans(shape *backend.Shape, positions []uint64) (plans *queryPlans, err error) {
	plans = &queryPlans{positions: positions}
	logSize := maxLogSize(shape)
	for phase := range plans.phases {
		tree := shape.TreeShape(backend.Phase(phase))
		if len(tree.LogHeights) == 0 {
			continue
		}
		if plans.phases[phase], err = merkle.NewPlan(tree, shifted(positions, logSize-tree.LogHeight())); err != nil {
			return nil, fmt.Errorf("%s queries: %w", backend.Phase(phase), err)
		}
	}
	shift := 0
	for i, logArity := range shape.Schedule {
		shift += logArity
		plan, err := merkle.NewPlan(layerShape(shape, i), shifted(positions, shift))
		if err != nil {
			return nil, fmt.Errorf("queries of FRI layer %d: %w", i, err)
		}
		plans.layers = append(plans.layers, plan)
	}
	return plans, nil
}

func shifted(positions []uint64, shift int) []uint64 {
	out := make([]uint64, len(positions))
	for i, position := range positions {
		out[i] = position >> shift
	}
	return out
}

// maxLogSize is the log size of the largest extension domain.
func maxLogSize(shape *backend.Shape) int { return slices.Max(shape.LogHeights) + shape.LogBlowup }

// layerShape is the shape of the tree over FRI layer number i: one matrix
// with 2^logArity entries of three elements in a row.
func layerShape(shape *backend.Shape, i int) merkle.Shape {
	logRows := maxLogSize(shape)
	for _, logArity := range shape.Schedule[:i+1] {
		logRows -= logArity
	}
	return merkle.Shape{
		LogHeights: []int{logRows},
		Widths:     []int{backend.ExtensionDegree << shape.Schedule[i]},
		CapHeight:  shape.CapHeight,
	}
}

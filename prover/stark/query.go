package stark

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// plans say which rows of which tree are opened. Prover and verifier derive them from the positions alone.
type plans struct {
	positions []uint64
	backend.Plans
}

// newPlans plans for positions in the largest domain. A matrix of log
// size l is opened at the positions shifted down to l bits.
func newPlans(shape *backend.Shape, positions []uint64) (p *plans, err error) {
	p = &plans{positions: positions}
	logSize := shape.MaxLogSize()
	for phase := range p.Phases {
		tree := shape.TreeShape(backend.Phase(phase))
		if len(tree.LogHeights) == 0 {
			continue
		}
		if p.Phases[phase] = p.known(tree); p.Phases[phase] != nil {
			continue
		}
		if p.Phases[phase], err = merkle.NewPlan(tree, shifted(positions, logSize-tree.LogHeight())); err != nil {
			return nil, fmt.Errorf("%s queries: %w", backend.Phase(phase), err)
		}
	}
	shift := 0
	for i, logArity := range shape.Schedule {
		shift += logArity
		plan, err := merkle.NewPlan(shape.LayerShape(i), shifted(positions, shift))
		if err != nil {
			return nil, fmt.Errorf("queries of FRI layer %d: %w", i, err)
		}
		p.Layers = append(p.Layers, plan)
	}
	return p, nil
}

// known is the plan for a tree of a phase that differs in nothing but widths from one that there is a plan for, or nil.
func (p *plans) known(tree merkle.Shape) *merkle.Plan {
	for _, plan := range p.Phases {
		if plan != nil && slices.Equal(plan.Shape.LogHeights, tree.LogHeights) && plan.Shape.CapHeight == tree.CapHeight {
			own := *plan
			own.Shape = tree
			return &own
		}
	}
	return nil
}

func shifted(positions []uint64, shift int) []uint64 {
	out := make([]uint64, len(positions))
	for i, position := range positions {
		out[i] = position >> shift
	}
	return out
}

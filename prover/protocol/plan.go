package protocol

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/merkle"
)

// NewPlans returns the plans of the openings for queries at positions of the largest domain. Prover and verifier derive
// the same plans from the positions. A matrix of log size l is opened at the positions shifted to l bits.
func NewPlans(shape *Shape, positions []uint64) (p *Plans, err error) {
	p = &Plans{Positions: positions}
	paths, err := merkle.NewPaths(positions, shape.MaxLogSize())
	if err != nil {
		return nil, err
	}
	for phase := range p.Phases {
		tree := shape.TreeShape(Phase(phase))
		if len(tree.LogHeights) == 0 {
			continue
		}
		if p.Phases[phase], err = paths.Plan(tree); err != nil {
			return nil, fmt.Errorf("%s queries: %w", Phase(phase), err)
		}
	}
	for i := range shape.Schedule {
		plan, err := paths.Plan(shape.LayerShape(i))
		if err != nil {
			return nil, fmt.Errorf("queries of FRI layer %d: %w", i, err)
		}
		p.Layers = append(p.Layers, plan)
	}
	return p, nil
}

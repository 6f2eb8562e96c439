package gpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// phaseTree is the tree of a phase.
func (p *proof) phaseTree(phase backend.Phase) *tree.Matrices {
	own := p.phases[phase]
	opened := &tree.Matrices{Tree: own.tree}
	for _, matrix := range p.shape.Matrices(phase) {
		opened.Rows = append(opened.Rows, []kernels.Segment{own.list[matrix.Index].Segment()})
		opened.Width = append(opened.Width, matrix.Width)
	}
	return opened
}

// Gather opens all trees, each by index lists that go up at once.
func (p *proof) Gather(plans *backend.Plans) (gathered *backend.Gathered, err error) {
	gathered = &backend.Gathered{Layers: make([]merkle.Opening, len(plans.Layers))}
	err = p.step(backend.StepGather, "gather", func(scope *cuda.Scope) error {
		if len(plans.Layers) != p.folding.Layers() {
			return fmt.Errorf("plans for %d layers, and there are %d", len(plans.Layers), p.folding.Layers())
		}
		for phase, plan := range plans.Phases {
			if plan == nil {
				continue
			}
			if gathered.Phases[phase], err = p.trees().Open(scope, p.phaseTree(backend.Phase(phase)), plan); err != nil {
				return err
			}
		}
		for i, plan := range plans.Layers {
			layer, err := p.folding.Layer(i)
			if err != nil {
				return err
			}
			if gathered.Layers[i], err = p.trees().Open(scope, layer, plan); err != nil {
				return err
			}
		}
		return nil
	})
	return gathered, err
}

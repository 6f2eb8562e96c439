package gpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// phaseTree is the tree of a phase.
func (p *proof) phaseTree(phase backend.Phase) *tree.Matrices {
	own := p.phases[phase]
	opened := &tree.Matrices{Tree: own.tree}
	for _, matrix := range p.shape.Matrices(phase) {
		opened.Rows = append(opened.Rows, own.list[matrix.Index].Rows())
	}
	return opened
}

// Gather opens all trees at once.
func (p *proof) Gather(plans *backend.Plans) (gathered *backend.Gathered, err error) {
	gathered = &backend.Gathered{Layers: make([]merkle.Opening, len(plans.Layers))}
	err = p.step(backend.StepGather, "gather", func(scope *cuda.Scope) error {
		if len(plans.Layers) != p.folding.Layers() {
			return fmt.Errorf("plans for %d layers, and there are %d", len(plans.Layers), p.folding.Layers())
		}
		var trees []*tree.Matrices
		var list []*merkle.Plan
		var into []*merkle.Opening
		add := func(tree *tree.Matrices, plan *merkle.Plan, opening *merkle.Opening) {
			trees, list, into = append(trees, tree), append(list, plan), append(into, opening)
		}
		for phase, plan := range plans.Phases {
			if plan != nil {
				add(p.phaseTree(backend.Phase(phase)), plan, &gathered.Phases[phase])
			}
		}
		for i, plan := range plans.Layers {
			add(p.folding.Layer(i), plan, &gathered.Layers[i])
		}
		openings, err := p.trees().Open(scope, trees, list)
		for i, opening := range openings {
			*into[i] = opening
		}
		return err
	})
	return gathered, err
}

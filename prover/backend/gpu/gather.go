package gpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
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

// treeShapes are those of all trees that are opened.
func treeShapes(shape *backend.Shape) (shapes []merkle.Shape) {
	for phase := range backend.Phase(backend.PhaseCount) {
		if own := shape.TreeShape(phase); len(own.Widths) > 0 {
			shapes = append(shapes, own)
		}
	}
	for i := range shape.Schedule {
		shapes = append(shapes, shape.LayerShape(i))
	}
	return shapes
}

// makeRoom begins to get the memory for what the queries open, beside the device.
func (p *proof) makeRoom() {
	room := make(chan []goldilocks.Element, 1)
	go func() { room <- tree.Room(treeShapes(p.shape)) }()
	p.room = room
}

// Gather opens all trees at once.
func (p *proof) Gather(plans *backend.Plans) (gathered *backend.Gathered, err error) {
	gathered = &backend.Gathered{Layers: make([]merkle.Opening, len(plans.Layers))}
	err = p.step(backend.StepGather, "gather", func(scope *cuda.Scope) error {
		if len(plans.Layers) != p.folding.Layers() {
			return fmt.Errorf("plans for %d layers, and there are %d", len(plans.Layers), p.folding.Layers())
		}
		p.device.Pool.Rouse() // for what comes down: until then the device takes longer than workers to wake
		var trees []*tree.Matrices
		var list []*merkle.Plan
		var into []*merkle.Opening
		add := func(tree *tree.Matrices, plan *merkle.Plan, opening *merkle.Opening) {
			trees, list, into = append(trees, tree), append(list, plan), append(into, opening)
		}
		var memory *rowMemory
		if p.lean {
			if memory, err = takeRows(scope, p.shape); err != nil {
				return err
			}
		}
		for phase, plan := range plans.Phases {
			if plan == nil {
				continue
			}
			rows, own, err := p.openedRows(memory, backend.Phase(phase), plan)
			if err != nil {
				return err
			}
			add(rows, own, &gathered.Phases[phase])
		}
		for i, plan := range plans.Layers {
			add(p.folding.Layer(i), plan, &gathered.Layers[i])
		}
		openings, err := p.trees().Open(scope, trees, list, <-p.room)
		for i, opening := range openings {
			*into[i] = opening
		}
		return err
	})
	return gathered, err
}

// openedRows are the tree of a phase and the plan to open it by; of a lean proof the rows of the plan alone, of every
// coset.
func (p *proof) openedRows(memory *rowMemory, phase backend.Phase, plan *merkle.Plan) (*tree.Matrices, *merkle.Plan,
	error) {
	own := p.phaseTree(phase)
	if !p.phases[phase].lean {
		return own, plan, nil
	}
	picked, err := p.pickRows(memory, phase, plan)
	if err != nil {
		return nil, nil, err
	}
	for m, rows := range picked.list {
		own.Rows[m] = rows.Rows()
	}
	return own, &picked.plan, nil
}

package gpu

import (
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// phaseTree returns the tree of a phase.
func (p *queries) phaseTree(phase protocol.Phase) *tree.Matrices {
	opened := &tree.Matrices{Tree: p.committed[phase]}
	for _, matrix := range p.shape.Matrices(phase) {
		opened.Rows = append(opened.Rows, p.phases[phase].list[matrix.Index].Rows())
	}
	return opened
}

// treeShapes returns the shapes of all trees that are opened.
func treeShapes(shape *protocol.Shape) (shapes []merkle.Shape) {
	for phase := range protocol.Phase(protocol.PhaseCount) {
		if own := shape.TreeShape(phase); len(own.Widths) > 0 {
			shapes = append(shapes, own)
		}
	}
	for i := range shape.Schedule {
		shapes = append(shapes, shape.LayerShape(i))
	}
	return shapes
}

// Gather opens all trees at once. The device writes the opened rows in the file's encoding, while front writes the part
// of the file before them. If front is nil, the rows are decoded.
func (p *queries) Gather(plans *protocol.Plans, front func() []byte) (gathered *backend.Gathered, err error) {
	err = p.stage("gather", func(scope *cuda.Scope) error {
		if front != nil {
			_, encoded, err := p.gather(scope, plans, front)
			gathered = &backend.Gathered{Written: encoded}
			return err
		}
		p.device.Pool.Rouse() // to copy the download
		listing, opened, err := p.gather(scope, plans, func() []byte { return nil })
		if err == nil {
			gathered = p.decode(plans, listing.Cut(opened))
		}
		return err
	})
	return gathered, err
}

// gather returns the listing, and the result of front followed by the opened rows.
func (p *queries) gather(scope *cuda.Scope, plans *protocol.Plans, front func() []byte) (*tree.Listing, []byte, error) {
	listing, err := p.listing(scope, plans)
	if err != nil {
		return nil, nil, err
	}
	memory, err := tree.Take(scope, treeShapes(p.shape))
	if err != nil {
		return nil, nil, err
	}
	opened, err := p.trees().Open(memory, listing)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := p.file.Write(front(), opened)
	return listing, encoded, err
}

// listing lists what the plans open, in the order of the file: the phases, the number of layers, and the layers.
func (p *queries) listing(scope *cuda.Scope, plans *protocol.Plans) (*tree.Listing, error) {
	if len(plans.Layers) != p.folding.Layers() {
		return nil, fmt.Errorf("plans for %d layers, and there are %d", len(plans.Layers), p.folding.Layers())
	}
	var memory *rowMemory
	if p.lean {
		var err error
		if memory, err = takeRows(scope, p.shape); err != nil {
			return nil, err
		}
	}
	listing := &tree.Listing{}
	for phase, plan := range plans.Phases {
		if plan == nil {
			listing.None()
			continue
		}
		rows, own, err := p.openedRows(memory, protocol.Phase(phase), plan)
		if err != nil {
			return nil, err
		}
		if err := listing.Add(rows, own); err != nil {
			return nil, err
		}
	}
	listing.Count(len(plans.Layers))
	for i, plan := range plans.Layers {
		if err := listing.Add(p.folding.Layer(i), plan); err != nil {
			return nil, err
		}
	}
	return listing, nil
}

// openedRows returns the tree of a phase and the plan to open it with. In a lean proof the tree has only the rows of
// the plan, of every coset.
func (p *queries) openedRows(memory *rowMemory, phase protocol.Phase, plan *merkle.Plan) (*tree.Matrices, *merkle.Plan,
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

// decode decodes the parts of the openings: the rows of each tree's matrices, and its siblings.
func (p *proof) decode(plans *protocol.Plans, parts [][]byte) *backend.Gathered {
	gathered := &backend.Gathered{Layers: make([]merkle.Opening, len(plans.Layers))}
	opening := func(plan *merkle.Plan) (o merkle.Opening) {
		for m := range plan.Rows {
			o.Rows = append(o.Rows, merkle.Rows{Width: plan.Shape.Widths[m], Cells: p.elements(parts[m])})
		}
		siblings := parts[len(plan.Rows)]
		o.Siblings = make([]merkle.Digest, len(plan.Siblings))
		for i := range o.Siblings {
			copy(o.Siblings[i][:], siblings[i*len(o.Siblings[i]):])
		}
		parts = parts[len(plan.Rows)+1:]
		return o
	}
	for phase, plan := range plans.Phases {
		if plan != nil {
			gathered.Phases[phase] = opening(plan)
		}
	}
	for i, plan := range plans.Layers {
		gathered.Layers[i] = opening(plan)
	}
	return gathered
}

// elements decodes elements in the file's encoding.
func (p *proof) elements(encoded []byte) []goldilocks.Element {
	list := make([]goldilocks.Element, len(encoded)/wordBytes)
	p.device.Pool.For(len(list), device.CopyGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			list[i] = goldilocks.Element(binary.LittleEndian.Uint64(encoded[wordBytes*i:]))
		}
	})
	return list
}

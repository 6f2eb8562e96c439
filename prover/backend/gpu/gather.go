package gpu

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// gatheredRows is how many rows of each matrix, and how many times as many siblings, come down at a time: more than
// the queries of the presets, so that one round does.
const (
	gatheredRows     = 256
	gatheredSiblings = 64 * gatheredRows
)

// gatherMemory is the working memory of opening one tree.
type gatherMemory struct {
	indices, rows, siblings *cuda.Buffer
}

func takeGather(scope *cuda.Scope, widths []int) (*gatherMemory, error) {
	width := 0
	for _, w := range widths {
		width += w
	}
	var t taker
	m := &gatherMemory{
		indices:  t.buffer(scope, "rows and nodes to open", wordBytes*(gatheredSiblings+uint64(len(widths))*gatheredRows)),
		rows:     t.buffer(scope, "opened rows", wordBytes*uint64(width)*gatheredRows),
		siblings: t.buffer(scope, "opened nodes", kernels.DigestBytes*gatheredSiblings),
	}
	return m, t.err
}

// openedTree is a tree with the rows below it.
type openedTree struct {
	tree     kernels.Tree
	matrices [][]kernels.Segment
	widths   []int
}

// phaseTree is the tree of a phase.
func (p *proof) phaseTree(phase backend.Phase) *openedTree {
	own := p.phases[phase]
	opened := &openedTree{tree: own.tree}
	for _, matrix := range p.shape.Matrices(phase) {
		opened.matrices = append(opened.matrices, []kernels.Segment{own.list[matrix.Index].Segment()})
		opened.widths = append(opened.widths, matrix.Width)
	}
	return opened
}

// layerTree is the tree of a layer of FRI.
func (p *proof) layerTree(l *layer) (*openedTree, error) {
	rows, err := l.codeword.Interleaved(l.logArity)
	return &openedTree{l.tree, [][]kernels.Segment{rows}, []int{backend.ExtensionDegree << l.logArity}}, err
}

// Gather opens all trees, each by index lists that go up at once.
func (p *proof) Gather(plans *backend.Plans) (gathered *backend.Gathered, err error) {
	gathered = &backend.Gathered{Layers: make([]merkle.Opening, len(plans.Layers))}
	err = p.step(backend.StepGather, "gather", func(scope *cuda.Scope) error {
		if len(plans.Layers) != len(p.layers) {
			return fmt.Errorf("plans for %d layers, and there are %d", len(plans.Layers), len(p.layers))
		}
		for phase, plan := range plans.Phases {
			if plan == nil {
				continue
			}
			if gathered.Phases[phase], err = p.gatherTree(scope, p.phaseTree(backend.Phase(phase)), plan); err != nil {
				return err
			}
		}
		for i, plan := range plans.Layers {
			tree, err := p.layerTree(p.layers[i])
			if err != nil {
				return err
			}
			if gathered.Layers[i], err = p.gatherTree(scope, tree, plan); err != nil {
				return err
			}
		}
		return nil
	})
	return gathered, err
}

// gatherTree opens one tree. Its working memory is returned for the next one's; after a failure the stage returns it, when the
// device has been drained.
func (p *proof) gatherTree(scope *cuda.Scope, own *openedTree, plan *merkle.Plan) (opening merkle.Opening, err error) {
	if len(plan.Rows) != len(own.matrices) {
		return opening, fmt.Errorf("a plan for %d matrices, the tree is over %d", len(plan.Rows), len(own.matrices))
	}
	opening = merkle.Opening{Rows: make([]merkle.Rows, len(own.matrices)), Siblings: make([]merkle.Digest, 0, len(plan.Siblings))}
	for m, width := range own.widths {
		opening.Rows[m].Width = width
	}
	memory, err := takeGather(scope, own.widths)
	// Every round takes the next rows of every matrix and the next nodes, until none are left.
	for round, more := 0, true; err == nil && more; round++ {
		more, err = p.gatherRound(memory, own, plan, round, &opening)
	}
	if err != nil {
		return opening, err
	}
	return opening, errors.Join(p.arena.Return(memory.indices), p.arena.Return(memory.rows), p.arena.Return(memory.siblings))
}

// gatherRound opens one share of the rows and nodes and says whether there is another.
func (p *proof) gatherRound(memory *gatherMemory, own *openedTree, plan *merkle.Plan, round int, opening *merkle.Opening) (more bool, err error) {
	var indices []uint64
	rows := make([][]uint64, len(plan.Rows))
	for m, all := range plan.Rows {
		rows[m] = share(all, round, gatheredRows)
		more = more || len(all) > (round+1)*gatheredRows
		indices = append(indices, rows[m]...)
	}
	nodes := share(plan.Siblings, round, gatheredSiblings)
	more = more || len(plan.Siblings) > (round+1)*gatheredSiblings
	for _, node := range nodes {
		indices = append(indices, 1<<node.LogSize+node.Index)
	}
	if len(indices) == 0 {
		return more, nil
	}
	all, err := memory.indices.Span(0, uint64(len(indices))*wordBytes)
	if err != nil {
		return false, err
	}
	if err := p.upload(all, indices); err != nil {
		return false, err
	}
	if err := p.gatherRows(memory, all, own, rows, opening); err != nil {
		return false, err
	}
	if len(nodes) == 0 {
		return more, nil
	}
	listed, errListed := all.Part(all.Size()-uint64(len(nodes))*wordBytes, uint64(len(nodes))*wordBytes)
	found, errFound := memory.siblings.Span(0, uint64(len(nodes))*kernels.DigestBytes)
	if err := errors.Join(errListed, errFound); err != nil {
		return false, err
	}
	if err := p.set.GatherDigests(p.device.Stream, found, own.tree, listed); err != nil {
		return false, err
	}
	words, err := p.download(found)
	opening.Siblings = append(opening.Siblings, digests(words)...)
	return more, err
}

// gatherRows opens rows of all matrices, one launch each and one download for all.
func (p *proof) gatherRows(memory *gatherMemory, indices cuda.Span, own *openedTree, rows [][]uint64, opening *merkle.Opening) error {
	first, place := uint64(0), uint64(0)
	for m, list := range rows {
		if len(list) == 0 {
			continue
		}
		count := uint64(len(list))
		words := count * uint64(own.widths[m])
		listed, errListed := indices.Part(first*wordBytes, count*wordBytes)
		out, errOut := memory.rows.Span(place*wordBytes, words*wordBytes)
		if err := errors.Join(errListed, errOut); err != nil {
			return err
		}
		height := uint64(1) << (own.tree.LogHeight)
		if segment := own.matrices[m][0]; len(own.matrices[m]) == 1 {
			height = segment.Stride
		}
		if err := p.set.GatherRows(p.device.Stream, out, own.matrices[m], height, listed); err != nil {
			return err
		}
		first += count
		place += words
	}
	if place == 0 {
		return nil
	}
	span, err := memory.rows.Span(0, place*wordBytes)
	if err != nil {
		return err
	}
	elements := make([]goldilocks.Element, place)
	if err := device.DownloadTo(p.device.Transfer, elements, span); err != nil {
		return err
	}
	for m, list := range rows {
		width := own.widths[m]
		cells := width * len(list)
		if all := &opening.Rows[m].Cells; *all == nil {
			*all = elements[:cells:cells] // what came down stays where it is: one round is the rule
		} else {
			*all = append(*all, elements[:cells]...)
		}
		elements = elements[cells:]
	}
	return nil
}

// share is the part of a list that a round handles.
func share[T any](list []T, round, size int) []T {
	return list[min(len(list), round*size):min(len(list), (round+1)*size)]
}

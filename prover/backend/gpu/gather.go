package gpu

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
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

// tree reads what a handle that can be opened consists of.
func (c *proverContext) tree(h backend.Tree) (*openedTree, error) {
	switch handle := h.(type) {
	case *commitment:
		if _, err := backend.Own[*commitment](c, "gather: commitment", handle); err != nil {
			return nil, err
		}
		own := &openedTree{tree: handle.tree}
		for _, table := range handle.tables {
			if table.Count > 0 {
				own.matrices = append(own.matrices, []kernels.Segment{table.Segment()})
				own.widths = append(own.widths, int(table.Count))
			}
		}
		return own, nil
	default:
		own, err := backend.Own[*layer](c, "gather: layer", handle)
		if err != nil {
			return nil, err
		}
		rows, err := own.codeword.Interleaved(own.logArity)
		return &openedTree{own.tree, [][]kernels.Segment{rows}, []int{backend.ExtensionDegree << own.logArity}}, err
	}
}

// Gather opens a commitment or a layer: all rows and nodes by index lists that go up at once.
func (b *Backend) Gather(ctx backend.Context, h backend.Tree, plan *merkle.Plan) (merkle.Opening, error) {
	c, err := b.context(ctx)
	if err != nil {
		return merkle.Opening{}, err
	}
	own, err := c.tree(h)
	if err != nil {
		return merkle.Opening{}, err
	}
	if len(plan.Rows) != len(own.matrices) {
		return merkle.Opening{}, fmt.Errorf("gather: a plan for %d matrices, the tree is over %d", len(plan.Rows), len(own.matrices))
	}
	opening := merkle.Opening{
		Rows:     make([][][]goldilocks.Element, len(own.matrices)),
		Siblings: make([]merkle.Digest, 0, len(plan.Siblings)),
	}
	err = c.stage("gather", func(scope *cuda.Scope) error {
		memory, err := takeGather(scope, own.widths)
		if err != nil {
			return err
		}
		// Every round takes the next rows of every matrix and the next nodes, until none are left.
		for round := 0; ; round++ {
			more, err := c.gatherRound(memory, own, plan, round, &opening)
			if err != nil || !more {
				return err
			}
		}
	})
	return opening, err
}

// gatherRound opens one share of the rows and nodes and says whether there is another.
func (c *proverContext) gatherRound(memory *gatherMemory, own *openedTree, plan *merkle.Plan, round int, opening *merkle.Opening) (more bool, err error) {
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
	if err := c.upload(all, indices); err != nil {
		return false, err
	}
	if err := c.gatherRows(memory, all, own, rows, opening); err != nil {
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
	if err := c.set.GatherDigests(c.stream, found, own.tree, listed); err != nil {
		return false, err
	}
	words, err := c.download(found)
	opening.Siblings = append(opening.Siblings, digests(words)...)
	return more, err
}

// gatherRows opens rows of all matrices, one launch each and one download for all.
func (c *proverContext) gatherRows(memory *gatherMemory, indices cuda.Span, own *openedTree, rows [][]uint64, opening *merkle.Opening) error {
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
		if err := c.set.GatherRows(c.stream, out, own.matrices[m], height, listed); err != nil {
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
	if err := downloadTo(c.backend.transfer, elements, span); err != nil {
		return err
	}
	for m, list := range rows {
		width := own.widths[m]
		for range list {
			opening.Rows[m] = append(opening.Rows[m], elements[:width:width])
			elements = elements[width:]
		}
	}
	return nil
}

// share is the part of a list that a round handles.
func share[T any](list []T, round, size int) []T {
	return list[min(len(list), round*size):min(len(list), (round+1)*size)]
}

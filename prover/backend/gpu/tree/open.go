package tree

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// OpenedRows is how many rows of each matrix, and how many times as many siblings, come down at a time: more than
// the queries of the presets, so that one round does.
const (
	OpenedRows     = 256
	openedSiblings = 64 * OpenedRows
)

// Memory is the working memory of opening one tree.
type Memory struct {
	indices, rows, siblings *cuda.Buffer
}

// Take takes it for a tree over matrices of some widths.
func Take(scope *cuda.Scope, widths []int) (*Memory, error) {
	width := 0
	for _, w := range widths {
		width += w
	}
	var t device.Taker
	m := &Memory{
		indices:  t.Buffer(scope, "rows and nodes to open", device.WordBytes*(openedSiblings+uint64(len(widths))*OpenedRows)),
		rows:     t.Buffer(scope, "opened rows", device.WordBytes*uint64(width)*OpenedRows),
		siblings: t.Buffer(scope, "opened nodes", kernels.DigestBytes*openedSiblings),
	}
	return m, t.Err
}

// Matrices are a tree with the rows below it.
type Matrices struct {
	Tree  kernels.Tree
	Rows  [][]kernels.Segment // by matrix: the runs of its columns
	Width []int               // by matrix
}

// Open opens a tree. Its working memory is returned for the next one's; after a failure the stage returns it, when the
// device has been drained.
func (t Trees) Open(scope *cuda.Scope, own *Matrices, plan *merkle.Plan) (opening merkle.Opening, err error) {
	if len(plan.Rows) != len(own.Rows) {
		return opening, fmt.Errorf("a plan for %d matrices, the tree is over %d", len(plan.Rows), len(own.Rows))
	}
	opening = merkle.Opening{Rows: make([]merkle.Rows, len(own.Rows)),
		Siblings: make([]merkle.Digest, 0, len(plan.Siblings))}
	for m, width := range own.Width {
		opening.Rows[m].Width = width
	}
	memory, err := Take(scope, own.Width)
	// Every round takes the next rows of every matrix and the next nodes, until none are left.
	for round, more := 0, true; err == nil && more; round++ {
		more, err = t.openRound(memory, own, plan, round, &opening)
	}
	if err != nil {
		return opening, err
	}
	return opening, errors.Join(t.Arena.Return(memory.indices), t.Arena.Return(memory.rows),
		t.Arena.Return(memory.siblings))
}

// openRound opens one share of the rows and nodes and says whether there is another.
func (t Trees) openRound(memory *Memory, own *Matrices, plan *merkle.Plan, round int,
	opening *merkle.Opening) (more bool, err error) {
	var indices []uint64
	rows := make([][]uint64, len(plan.Rows))
	for m, all := range plan.Rows {
		rows[m] = share(all, round, OpenedRows)
		more = more || len(all) > (round+1)*OpenedRows
		indices = append(indices, rows[m]...)
	}
	nodes := share(plan.Siblings, round, openedSiblings)
	more = more || len(plan.Siblings) > (round+1)*openedSiblings
	for _, node := range nodes {
		indices = append(indices, 1<<node.LogSize+node.Index)
	}
	if len(indices) == 0 {
		return more, nil
	}
	all, err := memory.indices.Span(0, uint64(len(indices))*device.WordBytes)
	if err != nil {
		return false, err
	}
	if err := t.Device.Transfer.Upload(all, indices); err != nil {
		return false, err
	}
	if err := t.openRows(memory, all, own, rows, opening); err != nil {
		return false, err
	}
	if len(nodes) == 0 {
		return more, nil
	}
	listed, errListed := all.Part(all.Size()-uint64(len(nodes))*device.WordBytes, uint64(len(nodes))*device.WordBytes)
	found, errFound := memory.siblings.Span(0, uint64(len(nodes))*kernels.DigestBytes)
	if err := errors.Join(errListed, errFound); err != nil {
		return false, err
	}
	if err := t.Set.GatherDigests(t.Device.Stream, found, own.Tree, listed); err != nil {
		return false, err
	}
	words, err := t.Device.Transfer.Download(found)
	opening.Siblings = append(opening.Siblings, digests(words)...)
	return more, err
}

// openRows opens rows of all matrices, one launch each and one download for all.
func (t Trees) openRows(memory *Memory, indices cuda.Span, own *Matrices, rows [][]uint64,
	opening *merkle.Opening) error {
	first, place := uint64(0), uint64(0)
	for m, list := range rows {
		if len(list) == 0 {
			continue
		}
		count := uint64(len(list))
		words := count * uint64(own.Width[m])
		listed, errListed := indices.Part(first*device.WordBytes, count*device.WordBytes)
		out, errOut := memory.rows.Span(place*device.WordBytes, words*device.WordBytes)
		if err := errors.Join(errListed, errOut); err != nil {
			return err
		}
		height := uint64(1) << (own.Tree.LogHeight)
		if segment := own.Rows[m][0]; len(own.Rows[m]) == 1 {
			height = segment.Stride
		}
		if err := t.Set.GatherRows(t.Device.Stream, out, own.Rows[m], height, listed); err != nil {
			return err
		}
		first += count
		place += words
	}
	if place == 0 {
		return nil
	}
	span, err := memory.rows.Span(0, place*device.WordBytes)
	if err != nil {
		return err
	}
	elements := make([]goldilocks.Element, place)
	if err := device.DownloadTo(t.Device.Transfer, elements, span); err != nil {
		return err
	}
	for m, list := range rows {
		width := own.Width[m]
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

package tree

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// OpenedRows is how many rows of each matrix, and openedSiblings how many siblings of each tree, come down at a time:
// more than the queries of the presets, so that one round does.
const (
	OpenedRows     = 256
	openedSiblings = 64 * OpenedRows
)

// Memory is the working memory of opening trees.
type Memory struct {
	table, out *cuda.Buffer
}

// Take takes it for trees of some shapes.
func Take(scope *cuda.Scope, shapes []merkle.Shape) (*Memory, error) {
	var table, out uint64
	add := func(width, rows uint64) {
		table += kernels.GatheringWords + rows
		out += width * rows
	}
	for _, shape := range shapes {
		for _, width := range shape.Widths {
			add(uint64(width), OpenedRows)
		}
		add(kernels.DigestBytes/device.WordBytes, openedSiblings)
	}
	var t device.Taker
	return &Memory{
		table: t.Buffer(scope, "rows and nodes to open", table*device.WordBytes),
		out:   t.Buffer(scope, "opened rows and nodes", out*device.WordBytes),
	}, t.Err
}

// Matrices are a tree with the rows below it.
type Matrices struct {
	Tree kernels.Tree
	Rows []kernels.Matrix
}

// part is what is opened of one matrix, or of a tree's nodes.
type part struct {
	kernels.Gathering
	most  int // rows in a round
	cells []goldilocks.Element
}

func newPart(from kernels.Matrix, rows []uint64, most int) *part {
	return &part{Gathering: kernels.Gathering{From: from, Rows: rows}, most: most}
}

// Room is memory for what a round opens of trees of some shapes, ready to be written to. To get it takes longer than to
// fill it, so it is for whoever waits for the device anyway.
func Room(shapes []merkle.Shape) []goldilocks.Element {
	words := 0
	for _, shape := range shapes {
		for m, width := range shape.Widths {
			words += width * min(OpenedRows, 1<<shape.LogHeights[m])
		}
		words += kernels.DigestBytes / device.WordBytes * OpenedRows * (shape.LogHeight() - shape.LogCap())
	}
	room := make([]goldilocks.Element, words)
	for i := 0; i < len(room); i += pageWords {
		room[i] = 0
	}
	return room
}

// pageWords is how much memory the operating system gives at a time, or less.
const pageWords = 512

// Open opens trees, each by its plan, in one launch and one download; in more where a plan has more rows than fit. What
// is opened lies in the room, where that is enough.
func (t Trees) Open(scope *cuda.Scope, trees []*Matrices, plans []*merkle.Plan,
	room []goldilocks.Element) ([]merkle.Opening, error) {
	var parts []*part
	var shapes []merkle.Shape
	for i, plan := range plans {
		if len(plan.Rows) != len(trees[i].Rows) {
			return nil, fmt.Errorf("a plan for %d matrices, the tree is over %d", len(plan.Rows), len(trees[i].Rows))
		}
		shapes = append(shapes, plan.Shape)
		for m, rows := range plan.Rows {
			parts = append(parts, newPart(trees[i].Rows[m], rows, OpenedRows))
		}
		parts = append(parts, newPart(trees[i].Tree.Digests(), plan.Siblings, openedSiblings))
	}
	memory, err := Take(scope, shapes)
	for round, more := 0, true; err == nil && more; round++ {
		more, err = t.openRound(memory, parts, round, &room)
	}
	if err != nil {
		return nil, err
	}
	openings := make([]merkle.Opening, len(plans))
	for i, plan := range plans {
		for m := range plan.Rows {
			rows := merkle.Rows{Width: int(parts[m].From.Width), Cells: parts[m].cells}
			openings[i].Rows = append(openings[i].Rows, rows)
		}
		openings[i].Siblings = digests(parts[len(plan.Rows)].cells)
		parts = parts[len(plan.Rows)+1:]
	}
	return openings, nil
}

// openRound opens a share of each part's rows and says whether there is another.
func (t Trees) openRound(memory *Memory, parts []*part, round int, room *[]goldilocks.Element) (more bool, err error) {
	var list []kernels.Gathering
	for _, p := range parts {
		own := kernels.Gathering{From: p.From, Rows: share(p.Rows, round, p.most)}
		if len(own.Rows) > 0 {
			list = append(list, own)
		}
		more = more || len(p.Rows) > (round+1)*p.most
	}
	if len(list) == 0 {
		return more, nil
	}
	_, words := kernels.GatherWords(list)
	out, err := device.First(memory.out, words)
	if err != nil {
		return false, err
	}
	if err := t.Set.Gather(t.Device.Stream, out, memory.table.All(), t.Device.Transfer.Upload, list); err != nil {
		return false, err
	}
	if uint64(len(*room)) < words {
		*room = make([]goldilocks.Element, words)
	}
	elements := (*room)[:words]
	*room = (*room)[words:]
	if err := device.DownloadTo(t.Device.Transfer, t.Device.Pool, elements, out); err != nil {
		return false, err
	}
	for _, p := range parts {
		cells := len(share(p.Rows, round, p.most)) * int(p.From.Width)
		if p.cells == nil {
			p.cells = elements[:cells:cells] // what came down stays where it is: one round is the rule
		} else {
			p.cells = append(p.cells, elements[:cells]...)
		}
		elements = elements[cells:]
	}
	return more, nil
}

// share is the part of a list that a round handles.
func share[T any](list []T, round, size int) []T {
	return list[min(len(list), round*size):min(len(list), (round+1)*size)]
}

package tree

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// MostRows is the largest number of rows of a matrix that are opened: the largest number of queries that parameters
// allow.
const MostRows = 1024

// Memory is the working memory of opening trees.
type Memory struct {
	table, out *cuda.Buffer
}

// Take takes the working memory of opening trees of the given shapes.
func Take(scope *cuda.Scope, shapes []merkle.Shape) (*Memory, error) {
	// Numbers: two before each matrix and each tree, and for an absent tree.
	out := uint64(protocol.PhaseCount + 1)
	table := out + kernels.GatheringWords
	add := func(width, rows int) {
		table += kernels.GatheringWords + uint64(rows) + 2
		out += uint64(width)*uint64(rows) + 2
	}
	for _, shape := range shapes {
		for m, width := range shape.Widths {
			add(width, min(MostRows, 1<<shape.LogHeights[m]))
		}
		add(kernels.DigestBytes/device.WordBytes, MostRows*(shape.LogHeight()-shape.LogCap()))
	}
	var t device.Taker
	return &Memory{
		table: t.Buffer(scope, "rows and nodes to open", table*device.WordBytes),
		out:   t.Buffer(scope, "opened rows and nodes", out*device.WordBytes),
	}, t.Err
}

// Matrices are a tree and the rows of its matrices.
type Matrices struct {
	Tree kernels.Tree
	Rows []kernels.Matrix
}

// Listing is the list of the openings of trees, in the order and form of a proof's file; see docs/spec/protocol.md,
// section 8.
type Listing struct {
	list    []kernels.Gathering
	numbers []uint32 // the numbers of all openings
	listed  int      // number of those that list includes
}

// Count adds a number, such as that of the openings that follow.
func (l *Listing) Count(n int) { l.numbers = append(l.numbers, uint32(n)) }

// None adds the opening of an absent tree.
func (l *Listing) None() {
	l.Count(0) // matrices
	l.Count(0) // siblings
}

// Add adds the opening of a tree according to its plan.
func (l *Listing) Add(tree *Matrices, plan *merkle.Plan) error {
	if len(plan.Rows) != len(tree.Rows) {
		return fmt.Errorf("a plan for %d matrices, the tree is over %d", len(plan.Rows), len(tree.Rows))
	}
	l.Count(len(plan.Rows))
	for m, rows := range plan.Rows {
		if len(rows) > MostRows {
			return fmt.Errorf("a plan for %d rows of matrix %d, and %d are opened at most", len(rows), m, MostRows)
		}
		l.Count(len(rows))
		l.Count(int(tree.Rows[m].Width))
		l.gather(tree.Rows[m], rows)
	}
	l.Count(len(plan.Siblings))
	l.gather(tree.Tree.Digests(), plan.Siblings)
	return nil
}

func (l *Listing) gather(from kernels.Matrix, rows []uint64) {
	l.list = append(l.list, kernels.Gathering{Numbers: l.numbers[l.listed:], From: from, Rows: rows})
	l.listed = len(l.numbers)
}

// Cut returns the parts of opened, the result of [Trees.Open], without the numbers: for each tree its matrices, then
// its siblings.
func (l *Listing) Cut(opened []byte) (list [][]byte) {
	for i := range l.list {
		size := l.list[i].Bytes()
		list = append(list, opened[4*len(l.list[i].Numbers):size])
		opened = opened[size:]
	}
	return list
}

// Open computes the listed openings in one launch, and returns the memory that holds them.
func (t Trees) Open(memory *Memory, l *Listing) (cuda.Span, error) {
	if l.listed < len(l.numbers) { // nothing follows those
		l.gather(kernels.Matrix{}, nil)
	}
	out, err := memory.out.All().Part(0, kernels.GatherBytes(l.list))
	if err != nil {
		return cuda.Span{}, err
	}
	return out, t.Set.Gather(t.Device.Stream, out, memory.table.All(), t.Device.Transfer.Upload, l.list)
}

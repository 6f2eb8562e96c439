package generate

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// minKeptReaders is the number of pieces that must read a value for it to be kept.
const minKeptReaders = 4

// readerCounts counts, for each cell, the pieces that read it.
func readerCounts(pieces []*piece) map[leaf]int {
	counts := map[leaf]int{}
	for _, p := range pieces {
		for _, cell := range p.cells {
			counts[cell]++
		}
	}
	return counts
}

// findKept chooses values that a kernel computes once and keeps: those that several pieces read and that depend on
// nothing but cells read by very many, such as flags and sums of flags. Pieces that differ only in which of them they
// read then have one form.
func findKept(graph graph, pieces []*piece) map[air.NodeID]int {
	counts := readerCounts(pieces)
	common := commonNodes(graph, counts)
	readers := make([]int, len(graph))
	for _, p := range pieces {
		air.Walk(graph, func(id air.NodeID) bool {
			if common[id] && graph[id].Op.IsBinary() {
				readers[id]++
			}
			return true
		}, p.node)
	}
	chosen := map[air.NodeID]bool{}
	for _, p := range pieces {
		air.Walk(graph, func(id air.NodeID) bool {
			if readers[id] >= minKeptReaders {
				chosen[id] = true
				return false
			}
			return true
		}, p.node)
	}
	var order []air.NodeID
	for id := range chosen {
		order = append(order, id)
	}
	slices.Sort(order)
	kept := map[air.NodeID]int{}
	for position, id := range order {
		kept[id] = position
	}
	return kept
}

// commonNodes reports for each node whether it reads cells and whether all of them have more than commonCell readers.
// Selectors and periodic columns count as such cells.
func commonNodes(graph graph, readers map[leaf]int) []bool {
	common, uniform := make([]bool, len(graph)), make([]bool, len(graph))
	for id, n := range graph {
		switch {
		case n.Op == air.Main || n.Op == air.Preprocessed:
			common[id] = readers[leaf{n.Op, n.Next, n.Column}] > commonCell
		case n.Op.IsBinary():
			uniform[id] = uniform[n.A] && uniform[n.B]
			common[id] = !uniform[id] && (common[n.A] || uniform[n.A]) && (common[n.B] || uniform[n.B])
		case n.Op == air.Constant || n.Op == air.Public:
			uniform[id] = true
		default:
			common[id] = true
		}
	}
	return common
}

// keptPositions lists the kept values that runs read, in order.
func keptPositions(runs []*Run) []int {
	var positions []int
	for _, run := range runs {
		for j, l := range run.shape.leaves {
			if l.op == keptOp {
				for _, leaves := range run.leaves {
					positions = append(positions, int(leaves[j].column))
				}
			}
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// writeKept computes the kept values into the array kept.
func (g *quotientGenerator) writeKept(s *Source, runs []*Run) {
	positions := keptPositions(runs)
	if len(positions) == 0 {
		return
	}
	nodes := make([]air.NodeID, len(positions))
	for id, position := range g.shaper.kept {
		if i, ok := slices.BinarySearch(positions, position); ok {
			nodes[i] = id
		}
	}
	s.Line("u64 kept[%d];", positions[len(positions)-1]+1)
	whole := *g.shaper
	whole.kept = nil
	run := &Run{shape: whole.of(nodes)}
	run.add(0, run.shape.leaves, nil)
	run.Write(s, "", func(v Values) {
		for i, position := range positions {
			s.Line("kept[%d] = %s;", position, v.Nodes[i])
		}
	})
}

package generate

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Weight is the factor of a value in the sum of all constraints: a multiple of a power of the constraint challenge and,
// for a part of a message, of one of LogUp's challenges.
type Weight struct {
	Constraint  int // the power: constraints in the table's order, then LogUp's
	Coefficient goldilocks.Element
	Challenge   int // 0 for none, 1 for alpha, j + 1 for beta^j
	Bus         int // added to alpha
}

// piece is a part of a constraint. The constraint is the sum of its pieces times their coefficients, times the
// selector.
type piece struct {
	node     air.NodeID
	selector air.Op // First, Last or Transition, or Constant for none
	weight   Weight
	cells    []leaf // that it reads, in order, each once
}

// splitter cuts constraints into pieces. A sum of bits times powers of two, written by Horner's rule, is cut into the
// bits, so that bits of the same form in different positions of the same sum become a run. Other constraints stay
// whole.
type splitter struct {
	graph  graph
	packed []bool // whether sums below the node contain a packing
	cells  [][]leaf
}

// minPacking is the number of terms from which a packing is cut up.
const minPacking = 8

func newSplitter(graph graph) *splitter {
	s := &splitter{graph: graph, packed: make([]bool, len(graph)), cells: make([][]leaf, len(graph))}
	for id, n := range graph {
		if n.Op == air.Add || n.Op == air.Sub {
			s.packed[id] = s.packed[n.A] || s.packed[n.B] || len(graph.horner(air.NodeID(id))) >= minPacking
		}
	}
	return s
}

// pieces cuts constraint i of the table.
func (s *splitter) pieces(t *air.Table, i int) []piece {
	node, selector := t.SplitSelector(t.Constraints[i].Root)
	var list []piece
	s.cut(node, 1, func(node air.NodeID, coefficient goldilocks.Element) {
		list = append(list, piece{node, selector, Weight{Constraint: i, Coefficient: coefficient}, s.cellsOf(node)})
	})
	return list
}

func (s *splitter) cut(id air.NodeID, coefficient goldilocks.Element, emit func(air.NodeID, goldilocks.Element)) {
	if !s.packed[id] {
		emit(id, coefficient)
		return
	}
	if terms := s.graph.horner(id); len(terms) >= minPacking {
		for _, t := range terms {
			emit(t.node, coefficient.Mul(goldilocks.Element(2).Exp(uint64(t.shift))))
		}
		return
	}
	n := s.graph[id]
	s.cut(n.A, coefficient, emit)
	if n.Op == air.Sub {
		coefficient = coefficient.Neg()
	}
	s.cut(n.B, coefficient, emit)
}

// cellsOf lists the cells below a node, each once, in order.
func (s *splitter) cellsOf(id air.NodeID) []leaf {
	var cells []leaf
	air.Walk(s.graph, func(id air.NodeID) bool {
		if n := s.graph[id]; n.Op == air.Main || n.Op == air.Preprocessed {
			cells = append(cells, leaf{n.Op, n.Next, n.Column})
		}
		return true
	}, id)
	slices.SortFunc(cells, leaf.compare)
	return cells
}

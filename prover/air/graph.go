package air

import "slices"

// Reads describes the operands of some nodes of a graph.
type Reads struct {
	Nodes []NodeID // these nodes and their transitive operands, in topological order
	Next  bool     // whether any reads the next row
	ops   [opCount]bool
	table *Table
}

// Any reports whether a node has the operation.
func (r *Reads) Any(op Op) bool { return r.ops[op] }

// Columns returns the columns read by op, which is Main, Preprocessed or Periodic, in ascending order, whether in the
// current or the next row.
func (r *Reads) Columns(op Op) []int {
	width := map[Op]int{Main: len(r.table.Main), Preprocessed: len(r.table.Preprocessed),
		Periodic: len(r.table.Periodic)}[op]
	read := make([]bool, width)
	for _, id := range r.Nodes {
		if n := &r.table.Graph[id]; n.Op == op {
			read[n.Column] = true
		}
	}
	return indices(read)
}

// Walk visits nodes of a graph and their transitive operands, each once and before its operands. It descends only below
// nodes for which visit returns true.
func Walk(graph []Node, visit func(id NodeID) bool, roots ...NodeID) {
	seen := map[NodeID]bool{}
	for waiting := slices.Clone(roots); len(waiting) > 0; {
		id := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		if n := &graph[id]; visit(id) && n.Op.IsBinary() {
			waiting = append(waiting, n.B, n.A)
		}
	}
}

// Reads collects the transitive operands of nodes.
func (t *Table) Reads(roots ...NodeID) *Reads {
	reached, count := make([]bool, len(t.Graph)), 0
	for _, id := range roots {
		reached[id] = true
	}
	for id := len(t.Graph) - 1; id >= 0; id-- { // operands precede the nodes that use them
		if !reached[id] {
			continue
		}
		count++
		if n := &t.Graph[id]; n.Op.IsBinary() {
			reached[n.A], reached[n.B] = true, true
		}
	}
	r := &Reads{table: t, Nodes: make([]NodeID, 0, count)}
	for id, is := range reached {
		if n := &t.Graph[id]; is {
			r.Nodes = append(r.Nodes, NodeID(id))
			r.ops[n.Op] = true
			r.Next = r.Next || n.Next
		}
	}
	return r
}

// Selecting reports, for each node, whether it is a row selector or has one among its transitive operands.
func (t *Table) Selecting() []bool {
	selecting := make([]bool, len(t.Graph))
	for id := range t.Graph {
		n := &t.Graph[id]
		switch {
		case n.Op == First || n.Op == Last || n.Op == Transition:
			selecting[id] = true
		case n.Op.IsBinary():
			selecting[id] = selecting[n.A] || selecting[n.B]
		}
	}
	return selecting
}

// SplitSelector splits a selector factor off a product. It returns the other factor and the selector, or Constant if
// there is none.
func (t *Table) SplitSelector(id NodeID) (rest NodeID, selector Op) {
	if n := &t.Graph[id]; n.Op == Mul {
		for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
			if op := t.Graph[operands[0]].Op; op == First || op == Last || op == Transition {
				return operands[1], op
			}
		}
	}
	return id, Constant
}

// multiplicityNodes returns the multiplicities of all interactions.
func (t *Table) multiplicityNodes() []NodeID {
	var nodes []NodeID
	for i := range t.Interactions {
		nodes = append(nodes, t.Interactions[i].Multiplicity)
	}
	return nodes
}

// interactionNodes returns the roots of all interactions.
func (t *Table) interactionNodes() []NodeID {
	var nodes []NodeID
	for i := range t.Interactions {
		nodes = append(append(nodes, t.Interactions[i].Multiplicity), t.Interactions[i].Values...)
	}
	return nodes
}

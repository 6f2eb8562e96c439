package air

import "slices"

// Reads is what some nodes of a graph are made of.
type Reads struct {
	Nodes []NodeID // themselves and everything below them, in topological order
	Next  bool     // whether any reads the next row
	ops   [opCount]bool
	table *Table
}

// Any reports whether a node of the operation is among them.
func (r *Reads) Any(op Op) bool { return r.ops[op] }

// Columns are the columns of the operation Main, Preprocessed or Periodic that are read, ascending, of the current row
// or of the next.
func (r *Reads) Columns(op Op) []int {
	width := map[Op]int{Main: len(r.table.Main), Preprocessed: len(r.table.Preprocessed),
		Periodic: len(r.table.Periodic)}[op]
	read := make([]bool, width)
	for _, id := range r.Nodes {
		if n := &r.table.Graph[id]; n.Op == op {
			read[n.Column] = true
		}
	}
	var columns []int
	for column, is := range read {
		if is {
			columns = append(columns, column)
		}
	}
	return columns
}

// Walk visits some nodes of a graph and those below them, each once and before what is below it, and goes on below
// those for which visit says so.
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

// Reads walks the graph down from some nodes. Every question about what an expression contains is asked of its result.
func (t *Table) Reads(roots ...NodeID) *Reads {
	r := &Reads{table: t}
	Walk(t.Graph, func(id NodeID) bool {
		n := &t.Graph[id]
		r.Nodes = append(r.Nodes, id)
		r.ops[n.Op] = true
		r.Next = r.Next || n.Next
		return true
	}, roots...)
	slices.Sort(r.Nodes)
	return r
}

// SplitSelector takes one selector factor off a product: what is left, and which selector it was, or Constant for none.
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

// InteractionNodes are the roots of all interactions.
func (t *Table) InteractionNodes() []NodeID {
	var nodes []NodeID
	for i := range t.Interactions {
		nodes = append(append(nodes, t.Interactions[i].Multiplicity), t.Interactions[i].Values...)
	}
	return nodes
}

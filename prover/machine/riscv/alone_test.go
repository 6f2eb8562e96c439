package riscv_test

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// attempt tries to violate one constraint of a row and no other, whatever happens to messages.
type attempt struct {
	table  *air.Table
	trace  air.Trace
	at     int
	public []goldilocks.Element
	values []goldilocks.Element
	target int
	tries  int
	found  []goldilocks.Element // the row that violates only the target
	only   map[int]*air.Table   // by constraint, the table with this constraint alone, see value
}

// broken are the numbers of the constraints that are violated in the row or the previous one.
func (a *attempt) broken() (list []int) {
	rows := []int{a.at}
	if len(a.table.NextMain) > 0 {
		rows = append(rows, (a.at+a.trace.Rows()-1)%a.trace.Rows())
	}
	for _, at := range rows {
		a.table.EvaluateRow(a.trace, at, a.public, a.values)
		for i, c := range a.table.Constraints {
			if a.values[c.Root] != 0 && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list
}

// cells are the row's current cells.
func (a *attempt) cells() (cells []goldilocks.Element) {
	for _, column := range a.trace.Main {
		cells = append(cells, column[a.at])
	}
	return cells
}

// value is the value of a constraint in the row. Evaluating only its own nodes saves most of the work.
func (a *attempt) value(constraint int) goldilocks.Element {
	if a.only == nil {
		a.only = map[int]*air.Table{}
	}
	if a.only[constraint] == nil {
		a.only[constraint] = withOnly(a.table, constraint)
	}
	table := a.only[constraint]
	table.EvaluateRow(a.trace, a.at, a.public, a.values)
	return a.values[table.Constraints[0].Root]
}

// alone changes a cell so that the target is violated, and repairs other violations by other cells. It restores all of
// them.
func (a *attempt) alone() bool {
	for _, c := range readBy(a.table, a.target) {
		cell := &a.trace.Main[c][a.at]
		honest := *cell
		for _, v := range []goldilocks.Element{honest.Add(1), 2, 0, 1, honest.Sub(1)} {
			*cell = v
			if a.mend(3, cell) {
				*cell = honest
				return true
			}
		}
		*cell = honest
	}
	return false
}

// mend searches for cells that satisfy all constraints but the target: each is solved for one of its cells. It restores
// them.
func (a *attempt) mend(depth int, taken ...*goldilocks.Element) bool {
	broken := a.broken()
	if !slices.Contains(broken, a.target) {
		return false
	}
	if len(broken) == 1 {
		a.found = a.cells()
		return true
	}
	if depth == 0 || len(broken) > depth+2 || a.tries == 0 {
		return false
	}
	a.tries--
	mended := broken[0]
	if mended == a.target {
		mended = broken[1]
	}
	for _, c := range readBy(a.table, mended) {
		cell := &a.trace.Main[c][a.at]
		if slices.Contains(taken, cell) {
			continue
		}
		before := *cell
		*cell = 0
		first := a.value(mended)
		*cell = 1
		if slope := a.value(mended).Sub(first); slope != 0 {
			*cell = first.Neg().Mul(slope.Inverse())
			if a.value(mended) == 0 && a.mend(depth-1, append(taken, cell)...) {
				*cell = before
				return true
			}
		}
		*cell = before
	}
	return false
}

// readBy are the main columns that a constraint reads, in their order.
func readBy(t *air.Table, constraint int) (columns []int) {
	for _, id := range nodesOf(t, constraint) {
		if n := t.Graph[id]; n.Op == air.Main {
			columns = append(columns, int(n.Column))
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// nodesOf are the nodes that a constraint depends on, in the graph's order.
func nodesOf(t *air.Table, constraint int) (nodes []air.NodeID) {
	seen := make([]bool, len(t.Graph))
	var visit func(id air.NodeID)
	visit = func(id air.NodeID) {
		if seen[id] {
			return
		}
		seen[id] = true
		if n := t.Graph[id]; n.Op.IsBinary() {
			visit(n.A)
			visit(n.B)
		}
	}
	visit(t.Constraints[constraint].Root)
	for id := range t.Graph {
		if seen[id] {
			nodes = append(nodes, air.NodeID(id))
		}
	}
	return nodes
}

// withOnly is the table with one constraint and no messages: its graph has the nodes of this constraint alone.
func withOnly(t *air.Table, constraint int) *air.Table {
	only := *t
	only.Graph, only.Interactions, only.Batches = nil, nil, nil
	moved := make([]air.NodeID, len(t.Graph))
	for _, id := range nodesOf(t, constraint) {
		n := t.Graph[id]
		if n.Op.IsBinary() {
			n.A, n.B = moved[n.A], moved[n.B]
		}
		moved[id] = air.NodeID(len(only.Graph))
		only.Graph = append(only.Graph, n)
	}
	only.Constraints = []air.Constraint{t.Constraints[constraint]}
	only.Constraints[0].Root = moved[only.Constraints[0].Root]
	return &only
}

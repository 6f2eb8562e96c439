package riscv_test

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// attempt tries to violate one constraint of an honest row and no other, whatever happens to messages.
type attempt struct {
	parts  *parts
	trace  air.Trace
	at     int
	public []goldilocks.Element
	values []goldilocks.Element
	target int
	tries  int
	found  []goldilocks.Element // the row that violates only the target
}

// parts are tables with some of a table's constraints and no messages: evaluating the constraints that a change can
// violate saves most of the work.
type parts struct {
	table   *air.Table
	reads   [][]int            // the main columns that each constraint reads
	reading map[int]part       // the constraints that read a column
	only    map[int]*air.Table // each constraint
}

// part is a table with some of another's constraints, which are numbered there.
type part struct {
	table   *air.Table
	numbers []int
}

func newParts(t *air.Table) *parts {
	p := &parts{t, nil, map[int]part{}, map[int]*air.Table{}}
	for i := range t.Constraints {
		p.reads = append(p.reads, readBy(t, i))
	}
	return p
}

// of is the table with one constraint.
func (p *parts) of(constraint int) *air.Table {
	if p.only[constraint] == nil {
		p.only[constraint] = withOnly(p.table, constraint)
	}
	return p.only[constraint]
}

// with is the table with the constraints that read a column.
func (p *parts) with(column int) part {
	if _, made := p.reading[column]; !made {
		var numbers []int
		for i, columns := range p.reads {
			if slices.Contains(columns, column) {
				numbers = append(numbers, i)
			}
		}
		p.reading[column] = part{withOnly(p.table, numbers...), numbers}
	}
	return p.reading[column]
}

// broken are the numbers of the constraints that are violated in the row or the previous one, if some columns of the
// row are changed.
func (a *attempt) broken(columns ...int) (list []int) {
	rows := []int{a.at}
	if len(a.parts.table.NextMain) > 0 {
		rows = append(rows, (a.at+a.trace.Rows()-1)%a.trace.Rows())
	}
	for _, at := range rows {
		var found []int
		for _, column := range columns {
			part := a.parts.with(column)
			part.table.EvaluateRow(a.trace, at, a.public, a.values)
			for k, c := range part.table.Constraints {
				if i := part.numbers[k]; a.values[c.Root] != 0 && !slices.Contains(list, i) {
					found = append(found, i)
				}
			}
		}
		slices.Sort(found)
		list = append(list, slices.Compact(found)...)
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

// value is the value of a constraint in the row.
func (a *attempt) value(constraint int) goldilocks.Element {
	table := a.parts.of(constraint)
	table.EvaluateRow(a.trace, a.at, a.public, a.values)
	return a.values[table.Constraints[0].Root]
}

// alone changes a cell so that the target is violated, and repairs other violations by other cells. It restores all of
// them.
func (a *attempt) alone() bool {
	for _, c := range a.parts.reads[a.target] {
		cell := &a.trace.Main[c][a.at]
		honest := *cell
		for _, v := range []goldilocks.Element{honest.Add(1), 2, 0, 1, honest.Sub(1)} {
			*cell = v
			if a.mend(3, c) {
				*cell = honest
				return true
			}
		}
		*cell = honest
	}
	return false
}

// mend searches for cells that satisfy all constraints but the target: each is solved for one of its cells. It restores
// them. The columns taken are changed already.
func (a *attempt) mend(depth int, taken ...int) bool {
	broken := a.broken(taken...)
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
	for _, c := range a.parts.reads[mended] {
		if slices.Contains(taken, c) {
			continue
		}
		cell := &a.trace.Main[c][a.at]
		before := *cell
		*cell = 0
		first := a.value(mended)
		*cell = 1
		if slope := a.value(mended).Sub(first); slope != 0 {
			*cell = first.Neg().Mul(slope.Inverse())
			if a.value(mended) == 0 && a.mend(depth-1, append(taken, c)...) {
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

// nodesOf are the nodes that constraints depend on, in the graph's order.
func nodesOf(t *air.Table, constraints ...int) (nodes []air.NodeID) {
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
	for _, i := range constraints {
		visit(t.Constraints[i].Root)
	}
	for id := range t.Graph {
		if seen[id] {
			nodes = append(nodes, air.NodeID(id))
		}
	}
	return nodes
}

// withOnly is the table with some constraints and no messages: its graph has the nodes of these constraints alone.
func withOnly(t *air.Table, constraints ...int) *air.Table {
	only := *t
	only.Graph, only.Constraints, only.Interactions, only.Batches = nil, nil, nil, nil
	moved := make([]air.NodeID, len(t.Graph))
	for _, id := range nodesOf(t, constraints...) {
		n := t.Graph[id]
		if n.Op.IsBinary() {
			n.A, n.B = moved[n.A], moved[n.B]
		}
		moved[id] = air.NodeID(len(only.Graph))
		only.Graph = append(only.Graph, n)
	}
	for _, i := range constraints {
		c := t.Constraints[i]
		c.Root = moved[c.Root]
		only.Constraints = append(only.Constraints, c)
	}
	return &only
}

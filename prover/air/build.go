package air

import "slices"

// roots visits every node that the table's meaning depends on.
func (t *Table) roots(visit func(*NodeID)) {
	for i := range t.Constraints {
		visit(&t.Constraints[i].Root)
	}
	for i := range t.Interactions {
		visit(&t.Interactions[i].Multiplicity)
		for j := range t.Interactions[i].Values {
			visit(&t.Interactions[i].Values[j])
		}
	}
}

// compact drops the nodes that no root reaches and renumbers the others in
// the same order.
func (b *Builder) compact() {
	t := &b.table
	used := make([]bool, len(t.Graph))
	t.roots(func(id *NodeID) { used[*id] = true })
	for id := len(t.Graph) - 1; id >= 0; id-- {
		if n := t.Graph[id]; used[id] && n.Op.IsBinary() {
			used[n.A], used[n.B] = true, true
		}
	}
	renumbered := make([]NodeID, len(t.Graph))
	graph := make([]Node, 0, len(t.Graph))
	for id, n := range t.Graph {
		if !used[id] {
			continue
		}
		if n.Op.IsBinary() {
			n.A, n.B = renumbered[n.A], renumbered[n.B]
		}
		renumbered[id] = NodeID(len(graph))
		graph = append(graph, n)
	}
	t.Graph = graph
	t.roots(func(id *NodeID) { *id = renumbered[*id] })
}

// findColumns lists the columns read at the next row and reports columns that
// nothing reads.
func (b *Builder) findColumns() {
	t := &b.table
	main := make([]bool, len(t.Main))
	preprocessed := make([]bool, len(t.Preprocessed))
	for _, n := range t.Graph {
		switch n.Op {
		case Main:
			main[n.Column] = true
			if n.Next {
				t.NextMain = append(t.NextMain, int(n.Column))
			}
		case Preprocessed:
			preprocessed[n.Column] = true
			if n.Next {
				t.NextPreprocessed = append(t.NextPreprocessed, int(n.Column))
			}
		}
	}
	slices.Sort(t.NextMain)
	slices.Sort(t.NextPreprocessed)
	for i, used := range main {
		if !used {
			b.fail("main column %q is in no constraint and no interaction", t.Main[i])
		}
	}
	for i, used := range preprocessed {
		if !used {
			b.fail("preprocessed column %q is in no constraint and no interaction", t.Preprocessed[i])
		}
	}
}

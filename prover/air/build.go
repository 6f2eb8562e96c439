package air

// roots visits every node that determines the table's meaning.
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

// compact removes the nodes that no root reaches and renumbers the others in order.
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

// checkColumns sets the table's lists of columns, and reports unused columns.
func (b *Builder) checkColumns() {
	t := &b.table
	main, preprocessed := t.setColumns()
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

// setColumns sets the table's lists of columns that are read at the next row or by interactions. It reports, for each
// column, whether any node reads it.
func (t *Table) setColumns() (main, preprocessed []bool) {
	main, preprocessed = make([]bool, len(t.Main)), make([]bool, len(t.Preprocessed))
	nextMain, nextPreprocessed := make([]bool, len(t.Main)), make([]bool, len(t.Preprocessed))
	for id := range t.Graph {
		switch n := &t.Graph[id]; n.Op {
		case Main:
			main[n.Column], nextMain[n.Column] = true, nextMain[n.Column] || n.Next
		case Preprocessed:
			preprocessed[n.Column], nextPreprocessed[n.Column] = true, nextPreprocessed[n.Column] || n.Next
		}
	}
	t.NextMain, t.NextPreprocessed = indices(nextMain), indices(nextPreprocessed)
	reads := t.Reads(t.interactionNodes()...)
	t.InteractionMain, t.InteractionPreprocessed = reads.Columns(Main), reads.Columns(Preprocessed)
	return main, preprocessed
}

// indices returns the indices of true elements; nil if there are none.
//
//go:noinline
func indices(list []bool) (found []int) {
	for i, is := range list {
		if is {
			found = append(found, i)
		}
	}
	return found
}

// MaxTransitions is the maximum number of factors of the transition selector. With it, a constraint's polynomial has
// degree at most 3(n-1)+2, and its quotient by x^n-1 degree 2n-1, which fits into two quotient polynomials.
const MaxTransitions = 2

// transitionCounts returns, for each node, the number of factors of the transition selector. A sum has the largest
// count of its terms, which is an upper bound. A count is at most the node's degree, so it fits in a valid table.
func transitionCounts(graph []Node) []uint8 {
	counts := make([]uint8, len(graph))
	for id := range graph {
		switch n := &graph[id]; n.Op {
		case Transition:
			counts[id] = 1
		case Add, Sub:
			counts[id] = max(counts[n.A], counts[n.B])
		case Mul:
			counts[id] = counts[n.A] + counts[n.B]
		}
	}
	return counts
}

// countTransitions records and checks the counts of all constraints.
func (b *Builder) countTransitions() {
	t := &b.table
	counts := transitionCounts(t.Graph)
	for i := range t.Constraints {
		c := &t.Constraints[i]
		if c.Transitions = int(counts[c.Root]); c.Transitions > MaxTransitions {
			b.fail("constraint %q multiplies the transition selector in %d times, want at most %d", c.Name,
				c.Transitions, MaxTransitions)
		}
	}
	for _, interaction := range t.Interactions {
		if counts[interaction.Multiplicity] > MaxTransitions {
			b.fail("a %s on bus %s multiplies the transition selector into its multiplicity %d times, want at most %d",
				interaction.Kind, interaction.Bus.Name, counts[interaction.Multiplicity], MaxTransitions)
		}
		for _, value := range interaction.Values {
			if counts[value] > 0 {
				b.fail("a %s on bus %s has a value with the transition selector in it", interaction.Kind, interaction.Bus.Name)
			}
		}
	}
}

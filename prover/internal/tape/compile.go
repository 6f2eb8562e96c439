package tape

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// Compile compiles a table's graph to a tape. It computes nodes when they are first needed, constraint by constraint,
// and frees a register after its last use. A product with a single use in an addition becomes one multiply-add;
// packings of bits, long sums and other patterns become one step each; and constraints are accumulated many at a time.
func Compile(t *air.Table, parts Part) *Tape {
	c := &compiler{
		table:    t,
		tape:     &Tape{table: t, constraints: parts&ConstraintPart != 0},
		vector:   make([]int32, len(t.Graph)),
		slot:     make([]int32, len(t.Graph)),
		negative: map[int32]int32{},
	}
	for id := range t.Graph {
		c.vector[id], c.slot[id] = -1, -1
	}
	roots := c.findRoots(parts)
	c.match(roots)
	c.countUses(roots)
	c.numberVectors()
	for _, low := range []bool{false, true} {
		c.lowSteps = len(c.tape.steps)
		for _, root := range roots {
			if (root.group >= groupLow) == low {
				c.emitRoot(root)
			}
		}
		for g := range c.pending {
			c.flush(group(g))
		}
	}
	c.finish()
	return c.tape
}

// root is a node that a run must compute.
type root struct {
	node       air.NodeID
	constraint int32 // index, or -1 for interactions
	group      group
	boolean    bool // the constraint is node^2 - node
}

type compiler struct {
	table    *air.Table
	tape     *Tape
	patterns map[air.NodeID]*pattern
	uses     []int   // remaining reads of the node by operands and roots
	vector   []int32 // the vector that holds the node, or -1
	slot     []int32 // the uniform slot that holds the node, or -1
	negative map[int32]int32
	free     []int32
	pending  [groupCount][]root // computed, not yet folded
	lowSteps int                // number of steps before those of low constraints
}

// groupOf maps a constraint's selector factor to its group. Without a selector, the group is groupPlain.
var groupOf = map[air.Op]group{air.First: groupFirst, air.Last: groupLast, air.Transition: groupTransition}

// findRoots lists the roots in order, with the selectors of constraints split off.
func (c *compiler) findRoots(parts Part) []root {
	var roots []root
	t := c.table
	if parts&ConstraintPart != 0 {
		for i, constraint := range t.Constraints {
			node, selector := t.SplitSelector(constraint.Root)
			g := groupOf[selector]
			if constraint.IsLow() {
				g += groupLow
			}
			c.tape.groups[g] = true
			roots = append(roots, root{node: node, constraint: int32(i), group: g})
		}
	}
	if parts&InteractionPart != 0 {
		for _, interaction := range t.Interactions {
			for _, node := range append([]air.NodeID{interaction.Multiplicity}, interaction.Values...) {
				roots = append(roots, root{node: node, constraint: -1})
			}
		}
	}
	return roots
}

// match finds patterns, and constraints that require a boolean.
func (c *compiler) match(roots []root) {
	c.countUses(roots)
	m := &matcher{graph: c.table.Graph, uses: c.uses, uniform: uniformNodes(c.table.Graph)}
	patterns := map[air.NodeID]*pattern{}
	inside := make([]bool, len(c.table.Graph)) // part of a pattern, with no other readers
	for id := len(c.table.Graph) - 1; id >= 0; id-- {
		if c.uses[id] > 0 && !inside[id] {
			if p := m.patternAt(air.NodeID(id), inside); p != nil {
				patterns[air.NodeID(id)] = p
			}
		}
	}
	c.patterns = patterns
	for i := range roots {
		if x, ok := m.boolean(roots[i].node); ok && roots[i].constraint >= 0 {
			roots[i].node, roots[i].boolean = x, true
		}
	}
}

// countUses counts the reads of every node below the roots.
func (c *compiler) countUses(roots []root) {
	c.uses = make([]int, len(c.table.Graph))
	for _, r := range roots {
		c.uses[r.node]++
	}
	for id := len(c.table.Graph) - 1; id >= 0; id-- {
		if c.uses[id] > 0 {
			for _, operand := range c.reads(air.NodeID(id)) {
				c.uses[operand]++
			}
		}
	}
}

// reads returns the nodes that the step of a node reads, with repetitions.
func (c *compiler) reads(id air.NodeID) []air.NodeID {
	if p := c.patterns[id]; p != nil {
		if p.start == noNode {
			return p.terms
		}
		return append([]air.NodeID{p.start}, p.terms...)
	}
	if n := c.table.Graph[id]; n.Op.IsBinary() {
		return []air.NodeID{n.A, n.B}
	}
	return nil
}

// During compilation, columns are numbered from columnBase and registers from 0; finish places the columns after the
// registers.
const columnBase = 1 << 28

func (c *compiler) numberVectors() {
	t, at := c.table, int32(columnBase)
	take := func(start *int32, count int) {
		*start = at
		at += int32(count)
	}
	take(&c.tape.mainAt, len(t.Main))
	take(&c.tape.nextMainAt, len(t.NextMain))
	take(&c.tape.preprocessedAt, len(t.Preprocessed))
	take(&c.tape.nextPreprocessedAt, len(t.NextPreprocessed))
	take(&c.tape.selectorAt, 3)
	take(&c.tape.periodicAt, len(t.Periodic))
	c.tape.vectors = int(at - columnBase)
	positionIn := func(list []int, column int32) int32 {
		position, _ := slices.BinarySearch(list, int(column))
		return int32(position)
	}
	for id, n := range t.Graph {
		switch {
		case n.Op == air.Main && n.Next:
			c.vector[id] = c.tape.nextMainAt + positionIn(t.NextMain, n.Column)
		case n.Op == air.Main:
			c.vector[id] = c.tape.mainAt + n.Column
		case n.Op == air.Preprocessed && n.Next:
			c.vector[id] = c.tape.nextPreprocessedAt + positionIn(t.NextPreprocessed, n.Column)
		case n.Op == air.Preprocessed:
			c.vector[id] = c.tape.preprocessedAt + n.Column
		case n.Op == air.First:
			c.vector[id] = c.tape.selectorAt
		case n.Op == air.Last:
			c.vector[id] = c.tape.selectorAt + 1
		case n.Op == air.Transition:
			c.vector[id] = c.tape.selectorAt + 2
		case n.Op == air.Periodic:
			c.vector[id] = c.tape.periodicAt + n.Column
		case c.uses[id] > 0:
			c.numberUniform(air.NodeID(id))
		}
	}
}

// numberUniform assigns a uniform slot to a node that is equal on all rows.
func (c *compiler) numberUniform(id air.NodeID) {
	n := c.table.Graph[id]
	if n.Op.IsBinary() {
		a, b := c.slot[n.A], c.slot[n.B]
		if a < 0 || b < 0 {
			return
		}
		n.A, n.B = air.NodeID(a), air.NodeID(b)
	}
	c.slot[id] = int32(len(c.tape.uniform))
	c.tape.uniform = append(c.tape.uniform, uniformStep{node: n})
}

// negated returns the slot of a slot's negation.
func (c *compiler) negated(slot int32) int32 {
	if n, ok := c.negative[slot]; ok {
		return n
	}
	n := int32(len(c.tape.uniform))
	c.tape.uniform = append(c.tape.uniform, uniformStep{node: air.Node{A: air.NodeID(slot)}, neg: true})
	c.negative[slot] = n
	return n
}

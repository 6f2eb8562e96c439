package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Compile turns a table's graph into a tape. Nodes are computed where they are
// first needed, constraint by constraint, and a register is free again after
// its last use. A product with one use that is added to something becomes one
// multiply-add, packings of bits become one step each, and constraints are
// added to the result many at a time.
func Compile(t *Table, parts Part) *Tape {
	c := &compiler{
		table:    t,
		tape:     &Tape{table: t, constraints: parts&ConstraintPart != 0},
		place:    make([]int32, len(t.Graph)),
		slot:     make([]int32, len(t.Graph)),
		negative: map[int32]int32{},
	}
	for id := range t.Graph {
		c.place[id], c.slot[id] = -1, -1
	}
	roots := c.findRoots(parts)
	c.match(roots)
	c.countUses(roots)
	c.numberVectors()
	for _, root := range roots {
		c.emitRoot(root)
	}
	for g := range c.pending {
		c.flush(group(g))
	}
	c.finish()
	return c.tape
}

// root is a node that a run must deliver.
type root struct {
	node       NodeID
	constraint int32 // its number, or -1 for interactions
	group      group
	boolean    bool // the constraint is node^2 - node
}

type compiler struct {
	table    *Table
	tape     *Tape
	packings map[NodeID]*packing
	uses     []int   // operands and roots still to come that read the node
	place    []int32 // the vector that holds the node, or -1
	slot     []int32 // the uniform slot that holds the node, or -1
	negative map[int32]int32
	free     []int32
	pending  [groupCount][]root // computed, to be folded
}

// findRoots lists the roots in order, a constraint's selector split off.
func (c *compiler) findRoots(parts Part) []root {
	var roots []root
	t := c.table
	if parts&ConstraintPart != 0 {
		for i, constraint := range t.Constraints {
			node, g := splitSelector(t.Graph, constraint.Root)
			c.tape.groups[g] = true
			roots = append(roots, root{node: node, constraint: int32(i), group: g})
		}
	}
	if parts&InteractionPart != 0 {
		for _, interaction := range t.Interactions {
			for _, node := range append([]NodeID{interaction.Multiplicity}, interaction.Values...) {
				roots = append(roots, root{node: node, constraint: -1})
			}
		}
	}
	return roots
}

// match finds the packings, and the constraints that say that something is
// boolean.
func (c *compiler) match(roots []root) {
	c.countUses(roots)
	m := &matcher{graph: c.table.Graph, uses: c.uses, uniform: uniformNodes(c.table.Graph)}
	packings := map[NodeID]*packing{}
	for id := range c.table.Graph {
		if c.uses[id] > 0 {
			if p := m.packingAt(NodeID(id)); p != nil {
				packings[NodeID(id)] = p
			}
		}
	}
	c.packings = packings
	for i := range roots {
		if x, ok := m.boolean(roots[i].node); ok && roots[i].constraint >= 0 {
			roots[i].node, roots[i].boolean = x, true
		}
	}
}

// splitSelector takes one selector factor off a product.
func splitSelector(graph []Node, id NodeID) (NodeID, group) {
	n := graph[id]
	if n.Op != Mul {
		return id, groupPlain
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		switch graph[operands[0]].Op {
		case First:
			return operands[1], groupFirst
		case Last:
			return operands[1], groupLast
		case Transition:
			return operands[1], groupTransition
		}
	}
	return id, groupPlain
}

// countUses counts the reads of every node below the roots.
func (c *compiler) countUses(roots []root) {
	c.uses = make([]int, len(c.table.Graph))
	for _, r := range roots {
		c.uses[r.node]++
	}
	for id := len(c.table.Graph) - 1; id >= 0; id-- {
		if c.uses[id] > 0 {
			for _, operand := range c.reads(NodeID(id)) {
				c.uses[operand]++
			}
		}
	}
}

// reads are the nodes that the step of a node reads, each as often as it
// reads it.
func (c *compiler) reads(id NodeID) []NodeID {
	if p := c.packings[id]; p != nil {
		if p.start == noNode {
			return p.terms
		}
		return append([]NodeID{p.start}, p.terms...)
	}
	if n := c.table.Graph[id]; n.Op.IsBinary() {
		return []NodeID{n.A, n.B}
	}
	return nil
}

// Vectors are numbered columns first while compiling, from columnBase up, and
// registers from 0; finish moves the columns behind the registers.
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
	c.tape.vectors = int(at - columnBase)
	nextMain := columnPlaces(len(t.Main), t.NextMain)
	nextPreprocessed := columnPlaces(len(t.Preprocessed), t.NextPreprocessed)
	for id, n := range t.Graph {
		switch {
		case n.Op == Main && n.Next:
			c.place[id] = c.tape.nextMainAt + int32(nextMain[n.Column])
		case n.Op == Main:
			c.place[id] = c.tape.mainAt + n.Column
		case n.Op == Preprocessed && n.Next:
			c.place[id] = c.tape.nextPreprocessedAt + int32(nextPreprocessed[n.Column])
		case n.Op == Preprocessed:
			c.place[id] = c.tape.preprocessedAt + n.Column
		case n.Op == First:
			c.place[id] = c.tape.selectorAt
		case n.Op == Last:
			c.place[id] = c.tape.selectorAt + 1
		case n.Op == Transition:
			c.place[id] = c.tape.selectorAt + 2
		case c.uses[id] > 0:
			c.numberUniform(NodeID(id))
		}
	}
}

// numberUniform gives a node a uniform slot if it is equal on all rows.
func (c *compiler) numberUniform(id NodeID) {
	n := c.table.Graph[id]
	if n.Op.IsBinary() {
		a, b := c.slot[n.A], c.slot[n.B]
		if a < 0 || b < 0 {
			return
		}
		n.A, n.B = NodeID(a), NodeID(b)
	}
	c.slot[id] = int32(len(c.tape.uniform))
	c.tape.uniform = append(c.tape.uniform, uniformStep{node: n})
}

// negated is the slot of minus a slot.
func (c *compiler) negated(slot int32) int32 {
	if n, ok := c.negative[slot]; ok {
		return n
	}
	n := int32(len(c.tape.uniform))
	c.tape.uniform = append(c.tape.uniform, uniformStep{node: Node{A: NodeID(slot)}, neg: true})
	c.negative[slot] = n
	return n
}

// take finds a free register.
func (c *compiler) take() int32 {
	if last := len(c.free) - 1; last >= 0 {
		r := c.free[last]
		c.free = c.free[:last]
		return r
	}
	c.tape.registers++
	return int32(c.tape.registers - 1)
}

// read is a use of a node as a vector: the register is free after the last.
func (c *compiler) read(id NodeID) int32 {
	at := c.place[id]
	c.uses[id]--
	if c.uses[id] == 0 && at < columnBase && at >= 0 {
		c.free = append(c.free, at)
		c.place[id] = -1
	}
	return at
}

// maxPending and maxFold limit a fold: to the registers it keeps waiting, and
// to what the kernel can sum up.
const (
	maxPending = 24
	maxFold    = 1000
)

func (c *compiler) emitRoot(r root) {
	if c.slot[r.node] >= 0 {
		c.splat(r.node)
	} else {
		c.need(r.node)
	}
	if r.constraint < 0 {
		// The nodes of interactions stay in place to the end: their last use
		// is never counted off.
		c.tape.interactions = append(c.tape.interactions, interactionPlace{multiplicity: c.place[r.node]})
		return
	}
	c.pending[r.group] = append(c.pending[r.group], r)
	inRegisters := 0
	for _, p := range c.pending[r.group] {
		if c.place[p.node] < columnBase {
			inRegisters++
		}
	}
	if inRegisters >= maxPending || len(c.pending[r.group]) >= maxFold {
		c.flush(r.group)
	}
}

// flush folds the pending constraints of a group.
func (c *compiler) flush(g group) {
	if len(c.pending[g]) == 0 {
		return
	}
	f := fold{group: g}
	for _, boolean := range []bool{false, true} {
		for _, r := range c.pending[g] {
			if r.boolean == boolean {
				f.terms = append(f.terms, c.read(r.node))
				f.constraints = append(f.constraints, r.constraint)
			}
		}
		if !boolean {
			f.plain = len(f.terms)
		}
	}
	c.pending[g] = nil
	c.tape.steps = append(c.tape.steps, step{op: foldTerms, a: int32(len(c.tape.folds))})
	c.tape.folds = append(c.tape.folds, f)
}

// splat gives a uniform node a register of its own, filled once a run.
func (c *compiler) splat(id NodeID) {
	if c.place[id] >= 0 {
		return
	}
	c.uses[id]++ // never freed
	c.tape.registers++
	c.place[id] = int32(c.tape.registers - 1)
	c.tape.splats = append(c.tape.splats, splat{c.place[id], c.slot[id]})
}

// need emits the steps that compute a node, unless it is in place. Graphs can
// be deeper than a comfortable stack (sums of thousands of terms), so the
// nodes to compute are kept in a list.
func (c *compiler) need(id NodeID) {
	pending := []NodeID{id}
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		if c.place[id] >= 0 || c.slot[id] >= 0 {
			pending = pending[:len(pending)-1]
			continue
		}
		before := len(pending)
		for _, operand := range c.operands(id) {
			if c.place[operand] < 0 && c.slot[operand] < 0 {
				pending = append(pending, operand)
			}
		}
		if len(pending) == before {
			c.emit(id)
			pending = pending[:len(pending)-1]
		}
	}
}

// fusedProduct is the operand of an addition that becomes part of a
// multiply-add: a product of two vectors with no other use and not computed
// yet.
func (c *compiler) fusedProduct(n Node) (product, other NodeID, ok bool) {
	if n.Op != Add || n.A == n.B {
		return 0, 0, false
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		p, o := operands[0], operands[1]
		m := c.table.Graph[p]
		if m.Op == Mul && c.uses[p] == 1 && c.place[p] < 0 && c.slot[p] < 0 && c.slot[m.A] < 0 && c.slot[m.B] < 0 && c.slot[o] < 0 {
			return p, o, true
		}
	}
	return 0, 0, false
}

// operands are the nodes that must be in place before a node is emitted, in
// the order in which they are best computed last to first.
func (c *compiler) operands(id NodeID) []NodeID {
	n := c.table.Graph[id]
	if c.packings[id] != nil {
		return c.reads(id)
	}
	if product, other, ok := c.fusedProduct(n); ok {
		m := c.table.Graph[product]
		return []NodeID{m.A, m.B, other}
	}
	return []NodeID{n.B, n.A}
}

// emit appends the step of a node whose operands are in place.
func (c *compiler) emit(id NodeID) {
	if p := c.packings[id]; p != nil {
		c.emitPacking(id, p)
		return
	}
	n := c.table.Graph[id]
	s := step{c: -1}
	if product, other, ok := c.fusedProduct(n); ok {
		m := c.table.Graph[product]
		c.uses[product] = 0
		s.op = vectorMulAdd
		s.a, s.b, s.c = c.read(m.A), c.read(m.B), c.read(other)
	} else if slot := c.slot[n.B]; slot >= 0 {
		s.op, s.a, s.b = scalarOpcode(n.Op, true), c.read(n.A), slot
		if n.Op == Sub {
			s.b = c.negated(slot)
		}
	} else if slot := c.slot[n.A]; slot >= 0 {
		s.op, s.a, s.b = scalarOpcode(n.Op, false), c.read(n.B), slot
	} else {
		s.op = map[Op]opcode{Add: vectorAdd, Sub: vectorSub, Mul: vectorMul}[n.Op]
		s.a, s.b = c.read(n.A), c.read(n.B)
	}
	s.dst = c.take()
	c.place[id] = s.dst
	c.tape.steps = append(c.tape.steps, s)
}

// emitPacking appends a packing's step. Its register is written before all
// operands are read, so it must be none of theirs.
func (c *compiler) emitPacking(id NodeID, p *packing) {
	s := step{op: p.op, dst: c.take(), a: int32(len(c.tape.packs)), b: -1, c: -1}
	operands := pack{start: -1}
	if p.start != noNode {
		operands.start = c.read(p.start)
	}
	for _, term := range p.terms {
		operands.terms = append(operands.terms, c.read(term))
	}
	c.place[id] = s.dst
	c.tape.packs = append(c.tape.packs, operands)
	c.tape.steps = append(c.tape.steps, s)
}

// scalarOpcode is the operation with one uniform operand. v - s becomes
// v + (-s).
func scalarOpcode(op Op, uniformRight bool) opcode {
	switch {
	case op == Mul:
		return scalarMul
	case op == Sub && !uniformRight:
		return scalarSubtractFrom
	default:
		return scalarAdd
	}
}

// finish renumbers columns behind the registers and groups the places of
// interactions.
func (c *compiler) finish() {
	t := c.tape
	shift := int32(t.registers) - columnBase
	move := func(v *int32) {
		if *v >= columnBase {
			*v += shift
		}
	}
	moveAll := func(list []int32) {
		for i := range list {
			move(&list[i])
		}
	}
	for i := range t.steps {
		s := &t.steps[i]
		if !s.op.isPlain() {
			continue
		}
		move(&s.a)
		if s.op <= vectorMulAdd {
			move(&s.b)
		}
		if s.op == vectorMulAdd {
			move(&s.c)
		}
	}
	for i := range t.packs {
		move(&t.packs[i].start)
		moveAll(t.packs[i].terms)
	}
	for i := range t.folds {
		moveAll(t.folds[i].terms)
	}
	for _, start := range []*int32{&t.mainAt, &t.nextMainAt, &t.preprocessedAt, &t.nextPreprocessedAt, &t.selectorAt} {
		move(start)
	}
	t.vectors += t.registers
	c.findRuns()
	flat := t.interactions
	t.interactions = nil
	for k := 0; k < len(flat); {
		interaction := c.table.Interactions[len(t.interactions)]
		place := interactionPlace{multiplicity: flat[k].multiplicity}
		move(&place.multiplicity)
		k++
		for range interaction.Values {
			v := flat[k].multiplicity
			move(&v)
			place.values = append(place.values, v)
			k++
		}
		t.interactions = append(t.interactions, place)
	}
	c.findReads()
}

// findReads notes which vectors are read.
func (c *compiler) findReads() {
	t := c.tape
	t.reads = make([]bool, t.vectors)
	mark := func(list ...int32) {
		for _, v := range list {
			if v >= 0 {
				t.reads[v] = true
			}
		}
	}
	for _, s := range t.steps {
		switch {
		case s.op <= vectorMulAdd:
			mark(s.a, s.b, s.c)
		case s.op.isPlain():
			mark(s.a)
		}
	}
	for _, p := range t.packs {
		mark(p.start)
		mark(p.terms...)
	}
	for _, f := range t.folds {
		mark(f.terms...)
	}
	for _, i := range t.interactions {
		mark(i.multiplicity)
		mark(i.values...)
	}
}

// findRuns groups the steps by kernel.
func (c *compiler) findRuns() {
	t := c.tape
	for i, s := range t.steps {
		last := len(t.runs) - 1
		if i > 0 && s.op.isPlain() && t.steps[i-1].op.isPlain() {
			t.runs[last].count++
		} else {
			t.runs = append(t.runs, run{i, 1})
		}
	}
}

// evaluateUniform computes the values that are equal on all rows.
func (t *Tape) evaluateUniform(public, values []goldilocks.Element) {
	for slot, u := range t.uniform {
		var v goldilocks.Element
		switch {
		case u.neg:
			v = values[u.node.A].Neg()
		case u.node.Op == Constant:
			v = u.node.Value
		case u.node.Op == Public:
			v = public[u.node.Column]
		default:
			v = apply(u.node.Op, values[u.node.A], values[u.node.B])
		}
		values[slot] = v
	}
}

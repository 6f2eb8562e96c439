package tape

import "github.com/chiasmus/chiasmus/prover/air"

// take allocates a register.
func (c *compiler) take() int32 {
	if last := len(c.free) - 1; last >= 0 {
		r := c.free[last]
		c.free = c.free[:last]
		return r
	}
	c.tape.registers++
	return int32(c.tape.registers - 1)
}

// read uses a node as a vector. After the last use its register is free.
func (c *compiler) read(id air.NodeID) int32 {
	at := c.vector[id]
	c.uses[id]--
	if c.uses[id] == 0 && at < columnBase && at >= 0 {
		c.free = append(c.free, at)
		c.vector[id] = -1
	}
	return at
}

// maxPending and maxFold limit a fold to the registers that it occupies while pending, and to the number of terms that
// the kernel can accumulate.
const (
	maxPending = 96
	maxFold    = 1000
)

func (c *compiler) emitRoot(r root) {
	if c.slot[r.node] >= 0 {
		c.splat(r.node)
	} else {
		c.need(r.node)
	}
	if r.constraint < 0 {
		// The nodes of interactions stay in their vectors until the end: their last use is never counted.
		c.tape.interactions = append(c.tape.interactions, interactionVectors{multiplicity: c.vector[r.node]})
		return
	}
	c.pending[r.group] = append(c.pending[r.group], r)
	inRegisters := 0
	for _, p := range c.pending[r.group] {
		if c.vector[p.node] < columnBase {
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

// splat assigns a register to a uniform node, filled once per run.
func (c *compiler) splat(id air.NodeID) {
	if c.vector[id] >= 0 {
		return
	}
	c.uses[id]++ // never free it
	c.tape.registers++
	c.vector[id] = int32(c.tape.registers - 1)
	c.tape.splats = append(c.tape.splats, splat{c.vector[id], c.slot[id]})
}

// need emits the steps that compute a node, unless it is available. Graphs can be too deep for recursion (sums of
// thousands of terms), so need keeps an explicit stack.
func (c *compiler) need(id air.NodeID) {
	pending := []air.NodeID{id}
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		if c.vector[id] >= 0 || c.slot[id] >= 0 {
			pending = pending[:len(pending)-1]
			continue
		}
		before := len(pending)
		for _, operand := range c.operands(id) {
			if c.vector[operand] < 0 && c.slot[operand] < 0 {
				pending = append(pending, operand)
			}
		}
		if len(pending) == before {
			c.emit(id)
			pending = pending[:len(pending)-1]
		}
	}
}

// fusedProduct returns the operand of an addition that becomes part of a multiply-add: a product of two vectors that
// has no other use and is not yet computed.
func (c *compiler) fusedProduct(n air.Node) (product, other air.NodeID, ok bool) {
	if n.Op != air.Add || n.A == n.B {
		return 0, 0, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		p, o := operands[0], operands[1]
		m := c.table.Graph[p]
		if m.Op == air.Mul && c.uses[p] == 1 && c.vector[p] < 0 && c.slot[p] < 0 && c.slot[m.A] < 0 &&
			c.slot[m.B] < 0 && c.slot[o] < 0 {
			return p, o, true
		}
	}
	return 0, 0, false
}

// operands returns the nodes that must be available before a node is emitted, preferably computed last to first.
func (c *compiler) operands(id air.NodeID) []air.NodeID {
	n := c.table.Graph[id]
	if c.patterns[id] != nil {
		return c.reads(id)
	}
	if product, other, ok := c.fusedProduct(n); ok {
		m := c.table.Graph[product]
		return []air.NodeID{m.A, m.B, other}
	}
	return []air.NodeID{n.B, n.A}
}

// emit appends the step of a node whose operands are available.
func (c *compiler) emit(id air.NodeID) {
	if p := c.patterns[id]; p != nil {
		c.emitPattern(id, p)
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
		if n.Op == air.Sub {
			s.b = c.negated(slot)
		}
	} else if slot := c.slot[n.A]; slot >= 0 {
		s.op, s.a, s.b = scalarOpcode(n.Op, false), c.read(n.B), slot
	} else {
		s.op = map[air.Op]opcode{air.Add: vectorAdd, air.Sub: vectorSub, air.Mul: vectorMul}[n.Op]
		s.a, s.b = c.read(n.A), c.read(n.B)
	}
	s.dst = c.take()
	c.vector[id] = s.dst
	c.tape.steps = append(c.tape.steps, s)
}

// emitPattern appends a pattern's step. The register of a sum or a packing is written before all operands are read, so
// it must not be an operand's.
func (c *compiler) emitPattern(id air.NodeID, p *pattern) {
	s := step{op: p.op, dst: c.take(), b: -1, c: -1}
	operands := pack{start: -1}
	if p.start != noNode {
		operands.start = c.read(p.start)
	}
	for _, term := range p.terms {
		operands.terms = append(operands.terms, c.read(term))
	}
	t := c.tape
	switch p.op {
	case squareDifference, signedXor:
		s.a, s.b = operands.terms[0], operands.terms[1]
	case sumTerms:
		s.a, s.b, s.c = int32(len(t.terms)), int32(p.plus), int32(len(p.terms)-p.plus)
		t.terms = append(t.terms, operands.terms...)
	default:
		s.a = int32(len(t.packs))
		t.packs = append(t.packs, operands)
	}
	c.vector[id] = s.dst
	t.steps = append(t.steps, s)
}

// scalarOpcode returns the operation with one uniform operand. v - s becomes v + (-s).
func scalarOpcode(op air.Op, uniformRight bool) opcode {
	switch {
	case op == air.Mul:
		return scalarMul
	case op == air.Sub && !uniformRight:
		return scalarSubtractFrom
	default:
		return scalarAdd
	}
}

package air

// pattern is a value recognised in a graph that one step computes: operands of
// squareDifference or signedXor, terms of a sum, or a packing. A packing is a run of
// Horner steps, a value 2^count * start + sum 2^i * term_i whose terms are all of one
// kind.
type pattern struct {
	op    opcode
	start NodeID   // of a packing, or noNode for zero
	terms []NodeID // of a packing termArity operands each, from the highest term down
	plus  int      // of a sum: the terms that are added, the first
}

const noNode NodeID = -1

// minPacking is the number of terms from which a packing is worth a step of
// its own.
const minPacking = 4

// maxTermArity is the largest number of vectors in a term.
const maxTermArity = 3

// termArity is the number of vectors in a term.
func termArity(op opcode) int {
	if op == packChi {
		return 3
	}
	return 2
}

// matcher recognises what tables of bits are made of, so that a whole
// packing becomes one step: intermediate values then stay in the processor's
// registers.
type matcher struct {
	graph   []Node
	uses    []int // operands and roots that read a node
	uniform []bool
}

// patternAt returns the pattern that ends in a node, nil if there is none, and marks
// the nodes inside it.
func (m *matcher) patternAt(id NodeID, inside []bool) *pattern {
	for _, match := range []func(NodeID, []bool) *pattern{m.packingAt, m.pairAt, m.sumAt} {
		if p := match(id, inside); p != nil {
			return p
		}
	}
	return nil
}

// packingAt is patternAt for packings.
func (m *matcher) packingAt(id NodeID, inside []bool) *pattern {
	p := &pattern{start: noNode}
	var lowFirst [][]NodeID
	var sums []NodeID
	for at := id; ; {
		rest, term, ok := m.hornerStep(at)
		if !ok || len(lowFirst) > 0 && at != id && m.uses[at] != 2 {
			// The highest term is a step without a rest.
			if op, operands, ok := m.term(at, 2); ok && op == p.op {
				lowFirst = append(lowFirst, operands)
			} else {
				p.start = at
			}
			break
		}
		op, operands, ok := m.term(term, 1)
		if !ok || len(lowFirst) > 0 && op != p.op {
			p.start = at
			break
		}
		p.op = op
		lowFirst = append(lowFirst, operands)
		sums = append(sums, at)
		at = rest
	}
	if len(lowFirst) < minPacking {
		return nil
	}
	for _, sum := range sums {
		inside[sum] = true
	}
	for i := len(lowFirst) - 1; i >= 0; i-- {
		p.terms = append(p.terms, lowFirst[i]...)
	}
	return p
}

// hornerStep matches 2*rest + term, the double read by nothing else.
func (m *matcher) hornerStep(id NodeID) (rest, term NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != Add {
		return 0, 0, false
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		double := m.graph[operands[0]]
		if double.Op == Add && double.A == double.B && m.uses[operands[0]] == 1 && !m.uniform[double.A] {
			if _, _, isTerm := m.term(operands[1], 1); isTerm {
				return double.A, operands[1], true
			}
		}
	}
	return 0, 0, false
}

// term matches x*(1-2y) + y, which is x xor y for booleans, with x = (1-v)*w
// for chi, read by uses operands and by nothing else.
func (m *matcher) term(id NodeID, uses int) (opcode, []NodeID, bool) {
	n := m.graph[id]
	if n.Op != Add || m.uses[id] != uses {
		return 0, nil, false
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		product, y := operands[0], operands[1]
		x, ok := m.timesSign(product, y)
		if !ok || m.uniform[x] || m.uniform[y] {
			continue
		}
		if v, w, ok := m.andNot(x); ok {
			return packChi, []NodeID{y, v, w}, true
		}
		return packXor, []NodeID{x, y}, true
	}
	return 0, nil, false
}

// timesSign matches x*(1-2y), read by nothing else.
func (m *matcher) timesSign(id, y NodeID) (x NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != Mul || m.uses[id] != 1 {
		return 0, false
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		sign := m.graph[operands[1]]
		if sign.Op != Sub || !m.isOne(sign.A) {
			continue
		}
		if double := m.graph[sign.B]; double.Op == Add && double.A == y && double.B == y {
			return operands[0], true
		}
	}
	return 0, false
}

// andNot matches (1-v)*w, read by nothing else.
func (m *matcher) andNot(id NodeID) (v, w NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != Mul || m.uses[id] != 1 {
		return 0, 0, false
	}
	for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
		not := m.graph[operands[0]]
		if not.Op == Sub && m.isOne(not.A) && !m.uniform[not.B] && !m.uniform[operands[1]] {
			return not.B, operands[1], true
		}
	}
	return 0, 0, false
}

// pairAt is patternAt for squares of differences and x*(1-2y) + y.
func (m *matcher) pairAt(id NodeID, inside []bool) *pattern {
	op, inner, x, y, ok := m.pair(id)
	if !ok {
		return nil
	}
	inside[inner] = true
	return &pattern{op: op, start: noNode, terms: []NodeID{x, y}}
}

// pair matches (x-y)^2 and x*(1-2y) + y, whose inner node, the difference or the
// product, nothing else reads.
func (m *matcher) pair(id NodeID) (op opcode, inner, x, y NodeID, ok bool) {
	n := m.graph[id]
	switch n.Op {
	case Mul:
		d := m.graph[n.A]
		ok = n.A == n.B && d.Op == Sub && m.uses[n.A] == 2 && !m.uniform[d.A] && !m.uniform[d.B]
		return squareDifference, n.A, d.A, d.B, ok
	case Add:
		for _, operands := range [2][2]NodeID{{n.A, n.B}, {n.B, n.A}} {
			if x, ok := m.timesSign(operands[0], operands[1]); ok && !m.uniform[x] && !m.uniform[operands[1]] {
				return signedXor, operands[0], x, operands[1], true
			}
		}
	}
	return 0, 0, 0, 0, false
}

// boolean matches x*x - x.
func (m *matcher) boolean(id NodeID) (x NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != Sub || m.uniform[n.B] {
		return 0, false
	}
	square := m.graph[n.A]
	return n.B, square.Op == Mul && square.A == n.B && square.B == n.B
}

func (m *matcher) isOne(id NodeID) bool {
	n := m.graph[id]
	return n.Op == Constant && n.Value == 1
}

// uniformNodes are the nodes that are equal on all rows: constants, public
// values and what is computed from them.
func uniformNodes(graph []Node) []bool {
	uniform := make([]bool, len(graph))
	for id, n := range graph {
		switch {
		case n.Op == Constant || n.Op == Public:
			uniform[id] = true
		case n.Op.IsBinary():
			uniform[id] = uniform[n.A] && uniform[n.B]
		}
	}
	return uniform
}

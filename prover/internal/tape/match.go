package tape

import "github.com/chiasmus/chiasmus/prover/air"

// pattern is a value in a graph that one step computes: squareDifference or signedXor, a sum, or a packing. A packing
// is a sequence of Horner steps, 2^count * start + sum 2^i * term_i, whose terms are all of the same kind.
type pattern struct {
	op    opcode
	start air.NodeID   // of a packing; noNode for zero
	terms []air.NodeID // in a packing, termArity operands each, highest term first
	plus  int          // in a sum: the number of terms that are added, which come first
}

const noNode air.NodeID = -1

// minPacking is the minimum number of terms for which a packing becomes a step.
const minPacking = 4

// maxTermArity is the largest number of vectors in a term.
const maxTermArity = 3

// termArity returns the number of vectors in a term.
func termArity(op opcode) int {
	if op == packChi {
		return 3
	}
	return 2
}

// matcher recognises patterns common in tables of bits. A whole packing then becomes one step, and intermediate values
// stay in the processor's registers.
type matcher struct {
	graph   []air.Node
	uses    []int // number of reads by operands and roots
	uniform []bool
}

// patternAt returns the pattern that ends in a node, or nil, and marks the nodes inside it.
func (m *matcher) patternAt(id air.NodeID, inside []bool) *pattern {
	for _, match := range []func(air.NodeID, []bool) *pattern{m.packingAt, m.pairAt, m.sumAt} {
		if p := match(id, inside); p != nil {
			return p
		}
	}
	return nil
}

// packingAt is patternAt for packings.
func (m *matcher) packingAt(id air.NodeID, inside []bool) *pattern {
	p := &pattern{start: noNode}
	var lowFirst [][]air.NodeID
	var sums []air.NodeID
	for at := id; ; {
		rest, term, ok := m.hornerStep(at)
		if !ok || len(lowFirst) > 0 && at != id && m.uses[at] != 2 {
			// The highest term is a Horner step without a rest.
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

// hornerStep matches 2*rest + term, where nothing else reads the double.
func (m *matcher) hornerStep(id air.NodeID) (rest, term air.NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != air.Add {
		return 0, 0, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		double := m.graph[operands[0]]
		if double.Op == air.Add && double.A == double.B && m.uses[operands[0]] == 1 && !m.uniform[double.A] {
			if _, _, isTerm := m.term(operands[1], 1); isTerm {
				return double.A, operands[1], true
			}
		}
	}
	return 0, 0, false
}

// term matches x*(1-2y) + y, which is x xor y for booleans, with x = (1-v)*w for chi. Exactly uses operands read it.
func (m *matcher) term(id air.NodeID, uses int) (opcode, []air.NodeID, bool) {
	n := m.graph[id]
	if n.Op != air.Add || m.uses[id] != uses {
		return 0, nil, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		product, y := operands[0], operands[1]
		x, ok := m.timesSign(product, y)
		if !ok || m.uniform[x] || m.uniform[y] {
			continue
		}
		if v, w, ok := m.andNot(x); ok {
			return packChi, []air.NodeID{y, v, w}, true
		}
		return packXor, []air.NodeID{x, y}, true
	}
	return 0, nil, false
}

// timesSign matches x*(1-2y) that nothing else reads.
func (m *matcher) timesSign(id, y air.NodeID) (x air.NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != air.Mul || m.uses[id] != 1 {
		return 0, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		sign := m.graph[operands[1]]
		if sign.Op != air.Sub || !m.isOne(sign.A) {
			continue
		}
		if double := m.graph[sign.B]; double.Op == air.Add && double.A == y && double.B == y {
			return operands[0], true
		}
	}
	return 0, false
}

// andNot matches (1-v)*w that nothing else reads.
func (m *matcher) andNot(id air.NodeID) (v, w air.NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != air.Mul || m.uses[id] != 1 {
		return 0, 0, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		not := m.graph[operands[0]]
		if not.Op == air.Sub && m.isOne(not.A) && !m.uniform[not.B] && !m.uniform[operands[1]] {
			return not.B, operands[1], true
		}
	}
	return 0, 0, false
}

// pairAt is patternAt for squared differences and x*(1-2y) + y.
func (m *matcher) pairAt(id air.NodeID, inside []bool) *pattern {
	op, inner, x, y, ok := m.pair(id)
	if !ok {
		return nil
	}
	inside[inner] = true
	return &pattern{op: op, start: noNode, terms: []air.NodeID{x, y}}
}

// pair matches (x-y)^2 and x*(1-2y) + y. Nothing else may read the inner node, the difference or the product.
func (m *matcher) pair(id air.NodeID) (op opcode, inner, x, y air.NodeID, ok bool) {
	n := m.graph[id]
	switch n.Op {
	case air.Mul:
		d := m.graph[n.A]
		ok = n.A == n.B && d.Op == air.Sub && m.uses[n.A] == 2 && !m.uniform[d.A] && !m.uniform[d.B]
		return squareDifference, n.A, d.A, d.B, ok
	case air.Add:
		for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
			if x, ok := m.timesSign(operands[0], operands[1]); ok && !m.uniform[x] && !m.uniform[operands[1]] {
				return signedXor, operands[0], x, operands[1], true
			}
		}
	}
	return 0, 0, 0, 0, false
}

// boolean matches x*x - x.
func (m *matcher) boolean(id air.NodeID) (x air.NodeID, ok bool) {
	n := m.graph[id]
	if n.Op != air.Sub || m.uniform[n.B] {
		return 0, false
	}
	square := m.graph[n.A]
	return n.B, square.Op == air.Mul && square.A == n.B && square.B == n.B
}

func (m *matcher) isOne(id air.NodeID) bool {
	n := m.graph[id]
	return n.Op == air.Constant && n.Value == 1
}

// uniformNodes marks the nodes that are equal on all rows: constants, public values and expressions of them.
func uniformNodes(graph []air.Node) []bool {
	uniform := make([]bool, len(graph))
	for id, n := range graph {
		switch {
		case n.Op == air.Constant || n.Op == air.Public:
			uniform[id] = true
		case n.Op.IsBinary():
			uniform[id] = uniform[n.A] && uniform[n.B]
		}
	}
	return uniform
}

// A sum becomes one step from minSum terms on. At most maxComputed of them may need a register, because these registers
// stay occupied until the sum.
const (
	minSum      = 4
	maxComputed = 8
)

// sumAt is patternAt for sums and differences of many terms. It includes nested sums that nothing else reads.
func (m *matcher) sumAt(id air.NodeID, inside []bool) *pattern {
	if !m.isSum(id) {
		return nil
	}
	type signed struct {
		node     air.NodeID
		negative bool
	}
	var plus, minus, sums []air.NodeID
	computed := 0
	for pending := []signed{{id, false}}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if at.node == id || computed+len(pending) < maxComputed && m.uses[at.node] == 1 && m.isSum(at.node) {
			n := m.graph[at.node]
			sums = append(sums, at.node)
			pending = append(pending, signed{n.A, at.negative}, signed{n.B, at.negative != (n.Op == air.Sub)})
			continue
		}
		if m.graph[at.node].Op.IsBinary() {
			computed++
		}
		switch {
		case m.isZero(at.node):
		case at.negative:
			minus = append(minus, at.node)
		default:
			plus = append(plus, at.node)
		}
	}
	if len(plus) == 0 || len(plus)+len(minus) < minSum {
		return nil
	}
	for _, sum := range sums {
		inside[sum] = true
	}
	return &pattern{op: sumTerms, start: noNode, terms: append(plus, minus...), plus: len(plus)}
}

// isSum reports whether a node adds or subtracts values that vary between rows, or zero, and no better pattern ends in
// it.
func (m *matcher) isSum(id air.NodeID) bool {
	n := m.graph[id]
	if n.Op != air.Add && n.Op != air.Sub || m.uniform[id] {
		return false
	}
	for _, operand := range []air.NodeID{n.A, n.B} {
		if m.uniform[operand] && !m.isZero(operand) {
			return false
		}
	}
	if _, _, ok := m.hornerStep(id); ok {
		return false
	}
	_, _, _, _, isPair := m.pair(id)
	return !isPair
}

func (m *matcher) isZero(id air.NodeID) bool {
	n := m.graph[id]
	return n.Op == air.Constant && n.Value == 0
}

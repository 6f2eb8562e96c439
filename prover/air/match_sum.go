package air

// A sum becomes a step of its own from minSum terms on. No more than maxComputed of
// them may need a register, as all registers wait for the sum.
const (
	minSum      = 4
	maxComputed = 8
)

// sumAt is patternAt for sums and differences of many terms. Sums inside are those
// that nothing else reads.
func (m *matcher) sumAt(id NodeID, inside []bool) *pattern {
	if !m.isSum(id) {
		return nil
	}
	type signed struct {
		node     NodeID
		negative bool
	}
	var plus, minus, sums []NodeID
	computed := 0
	for pending := []signed{{id, false}}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if at.node == id || computed+len(pending) < maxComputed && m.uses[at.node] == 1 && m.isSum(at.node) {
			n := m.graph[at.node]
			sums = append(sums, at.node)
			pending = append(pending, signed{n.A, at.negative}, signed{n.B, at.negative != (n.Op == Sub)})
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

// isSum reports whether a node adds or subtracts values that are not equal on all
// rows, zero excepted, and no better pattern ends in it.
func (m *matcher) isSum(id NodeID) bool {
	n := m.graph[id]
	if n.Op != Add && n.Op != Sub || m.uniform[id] {
		return false
	}
	for _, operand := range []NodeID{n.A, n.B} {
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

func (m *matcher) isZero(id NodeID) bool {
	n := m.graph[id]
	return n.Op == Constant && n.Value == 0
}

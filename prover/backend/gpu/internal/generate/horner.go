package generate

import "github.com/chiasmus/chiasmus/prover/air"

// graph is a table's expression graph.
type graph []air.Node

// hornerTerm is a term of a packing, node times 2^shift.
type hornerTerm struct {
	node  air.NodeID
	shift int
}

// horner lists the terms of 2^k (2^k (...) + term) + term, from the lowest. Nodes of another form have no terms.
func (g graph) horner(id air.NodeID) (terms []hornerTerm) {
	shift := 0
	for {
		rest, doublings, term, ok := g.hornerStep(id)
		if !ok {
			if len(terms) > 0 {
				terms = append(terms, hornerTerm{id, shift})
			}
			return terms
		}
		terms = append(terms, hornerTerm{term, shift})
		id, shift = rest, shift+doublings
	}
}

// hornerStep matches 2^doublings * rest + term.
func (g graph) hornerStep(id air.NodeID) (rest air.NodeID, doublings int, term air.NodeID, ok bool) {
	n := g[id]
	if n.Op != air.Add || n.A == n.B {
		return 0, 0, 0, false
	}
	for _, operands := range [2][2]air.NodeID{{n.A, n.B}, {n.B, n.A}} {
		rest, doublings = operands[0], 0
		for d := g[rest]; d.Op == air.Add && d.A == d.B; d = g[rest] {
			rest, doublings = d.A, doublings+1
		}
		if doublings > 0 && g[rest].Op != air.Constant {
			return rest, doublings, operands[1], true
		}
	}
	return 0, 0, 0, false
}

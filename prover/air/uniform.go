package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

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

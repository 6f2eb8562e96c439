package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Trace is one table's columns over its trace domain, rows in natural order.
type Trace struct {
	Main, Preprocessed [][]goldilocks.Element
}

// Rows is the trace's height.
func (t Trace) Rows() int { return len(t.Main[0]) }

// EvaluateRow evaluates every node of the graph at one row of a trace, into
// values, which has one entry per node. It is the reference that the fast
// evaluators are tested against. Selectors are normalised: First and Last are
// 1 in their row, Transition is 1 in all rows but the last.
func (t *Table) EvaluateRow(trace Trace, row int, public, values []goldilocks.Element) {
	rows := trace.Rows()
	indicator := func(is bool) goldilocks.Element {
		if is {
			return 1
		}
		return 0
	}
	for id := range t.Graph {
		n := &t.Graph[id]
		at := row
		if n.Next {
			at = (row + 1) % rows
		}
		var v goldilocks.Element
		switch n.Op {
		case Add:
			v = values[n.A].Add(values[n.B])
		case Sub:
			v = values[n.A].Sub(values[n.B])
		case Mul:
			v = values[n.A].Mul(values[n.B])
		case Constant:
			v = n.Value
		case Main:
			v = trace.Main[n.Column][at]
		case Preprocessed:
			v = trace.Preprocessed[n.Column][at]
		case Public:
			v = public[n.Column]
		case First:
			v = indicator(row == 0)
		case Last:
			v = indicator(row == rows-1)
		case Transition:
			v = indicator(row != rows-1)
		}
		values[id] = v
	}
}

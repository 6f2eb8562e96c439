package air

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Trace has one table's columns over its trace domain, with rows in natural order.
type Trace struct {
	Main, Preprocessed [][]goldilocks.Element
}

// Rows returns the trace's height.
func (t Trace) Rows() int {
	if len(t.Preprocessed) > 0 {
		return len(t.Preprocessed[0])
	}
	return len(t.Main[0])
}

// EvaluateRow evaluates every node of the graph at one row of a trace, into values, which has one entry per node. It is
// the reference for testing the fast evaluators. Selectors are normalised: First and Last are 1 in their row,
// Transition is 1 in all rows but the last.
func (t *Table) EvaluateRow(trace Trace, row int, public, values []goldilocks.Element) {
	at := rowOf{t, trace, public, row, (row + 1) % trace.Rows()}
	for id := range t.Graph {
		values[id] = at.value(&t.Graph[id], values)
	}
}

// evaluateNodes is EvaluateRow for some nodes, which must be in topological order and include their operands.
func (t *Table) evaluateNodes(trace Trace, row int, public, values []goldilocks.Element, nodes []NodeID) {
	at := rowOf{t, trace, public, row, (row + 1) % trace.Rows()}
	for _, id := range nodes {
		values[id] = at.value(&t.Graph[id], values)
	}
}

// rowOf is a row of a table's trace.
type rowOf struct {
	table     *Table
	trace     Trace
	public    []goldilocks.Element
	row, next int
}

// value returns the value of a node, given the values of its operands.
func (r *rowOf) value(n *Node, values []goldilocks.Element) goldilocks.Element {
	at := r.row
	if n.Next {
		at = r.next
	}
	switch n.Op {
	case Add:
		return values[n.A].Add(values[n.B])
	case Sub:
		return values[n.A].Sub(values[n.B])
	case Mul:
		return values[n.A].Mul(values[n.B])
	case Constant:
		return n.Value
	case Main:
		return r.trace.Main[n.Column][at]
	case Preprocessed:
		return r.trace.Preprocessed[n.Column][at]
	case Periodic:
		period := r.table.Periodic[n.Column].Values
		return period[r.row%len(period)]
	case Public:
		return r.public[n.Column]
	case First:
		return indicator(r.row == 0)
	case Last:
		return indicator(r.next == 0)
	case Transition:
		return indicator(r.next != 0)
	}
	return 0
}

func indicator(is bool) goldilocks.Element {
	if is {
		return 1
	}
	return 0
}

// Point has the values that a table's expressions read at one point of the extension field.
type Point struct {
	Main, Preprocessed         []goldilocks.Extension // every column at z
	NextMain, NextPreprocessed []goldilocks.Extension // the table's NextMain and NextPreprocessed columns at g*z
	First, Last, Transition    goldilocks.Extension   // the selectors at z
	Periodic                   []goldilocks.Extension // every periodic column at z
	Public                     []goldilocks.Element
}

// check compares a point's lengths with the table's columns.
func (p *Point) check(t *Table) error {
	for _, part := range []struct {
		name       string
		have, want int
	}{
		{"main columns", len(p.Main), len(t.Main)},
		{"preprocessed columns", len(p.Preprocessed), len(t.Preprocessed)},
		{"next-row main columns", len(p.NextMain), len(t.NextMain)},
		{"next-row preprocessed columns", len(p.NextPreprocessed), len(t.NextPreprocessed)},
		{"periodic columns", len(p.Periodic), len(t.Periodic)},
	} {
		if part.have != part.want {
			return fmt.Errorf("table %s: %d values of %s, want %d", t.Name, part.have, part.name, part.want)
		}
	}
	if want := t.publicCount(); len(p.Public) < want {
		return fmt.Errorf("table %s: %d public values, want at least %d", t.Name, len(p.Public), want)
	}
	return nil
}

// publicCount returns the number of public values that the table needs: one more than the largest index read.
func (t *Table) publicCount() int {
	count := 0
	for _, n := range t.Graph {
		if n.Op == Public {
			count = max(count, int(n.Column)+1)
		}
	}
	return count
}

// EvaluateExtension evaluates every node of the graph at one point of the extension field; entry i of the result is the
// value of node i. The verifier uses it.
func (t *Table) EvaluateExtension(p *Point) ([]goldilocks.Extension, error) {
	if err := p.check(t); err != nil {
		return nil, err
	}
	positionIn := func(list []int, column int32) int {
		position, _ := slices.BinarySearch(list, int(column))
		return position
	}
	values := make([]goldilocks.Extension, len(t.Graph))
	for id, n := range t.Graph {
		switch n.Op {
		case Constant:
			values[id] = goldilocks.FromBase(n.Value)
		case Main:
			if n.Next {
				values[id] = p.NextMain[positionIn(t.NextMain, n.Column)]
			} else {
				values[id] = p.Main[n.Column]
			}
		case Preprocessed:
			if n.Next {
				values[id] = p.NextPreprocessed[positionIn(t.NextPreprocessed, n.Column)]
			} else {
				values[id] = p.Preprocessed[n.Column]
			}
		case Periodic:
			values[id] = p.Periodic[n.Column]
		case Public:
			values[id] = goldilocks.FromBase(p.Public[n.Column])
		case First:
			values[id] = p.First
		case Last:
			values[id] = p.Last
		case Transition:
			values[id] = p.Transition
		case Add:
			values[id] = values[n.A].Add(values[n.B])
		case Sub:
			values[id] = values[n.A].Sub(values[n.B])
		default:
			values[id] = values[n.A].Mul(values[n.B])
		}
	}
	return values, nil
}

package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Point is what a table's expressions read at one point of the extension
// field.
type Point struct {
	Main, Preprocessed         []goldilocks.Extension // every column at z
	NextMain, NextPreprocessed []goldilocks.Extension // the table's NextMain and NextPreprocessed columns at g*z
	First, Last, Transition    goldilocks.Extension   // the selectors at z
	Public                     []goldilocks.Element
}

// check compares a point's lengths with what the table reads.
func (p *Point) check(t *Table) error {
	for _, part := range []struct {
		name       string
		have, want int
	}{
		{"main columns", len(p.Main), len(t.Main)},
		{"preprocessed columns", len(p.Preprocessed), len(t.Preprocessed)},
		{"next-row main columns", len(p.NextMain), len(t.NextMain)},
		{"next-row preprocessed columns", len(p.NextPreprocessed), len(t.NextPreprocessed)},
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

// publicCount is one more than the largest public value that is read.
func (t *Table) publicCount() int {
	count := 0
	for _, n := range t.Graph {
		if n.Op == Public {
			count = max(count, int(n.Column)+1)
		}
	}
	return count
}

// EvaluateExtension evaluates every node of the graph at one point of the
// extension field; entry i of the result is the value of node i. This is the
// verifier's evaluator.
func (t *Table) EvaluateExtension(p *Point) ([]goldilocks.Extension, error) {
	if err := p.check(t); err != nil {
		return nil, err
	}
	nextMain := columnPlaces(len(t.Main), t.NextMain)
	nextPreprocessed := columnPlaces(len(t.Preprocessed), t.NextPreprocessed)
	values := make([]goldilocks.Extension, len(t.Graph))
	for id, n := range t.Graph {
		switch n.Op {
		case Constant:
			values[id] = goldilocks.FromBase(n.Value)
		case Main:
			if n.Next {
				values[id] = p.NextMain[nextMain[n.Column]]
			} else {
				values[id] = p.Main[n.Column]
			}
		case Preprocessed:
			if n.Next {
				values[id] = p.NextPreprocessed[nextPreprocessed[n.Column]]
			} else {
				values[id] = p.Preprocessed[n.Column]
			}
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

// columnPlaces maps a column to its place in a list of columns.
func columnPlaces(columns int, list []int) []int {
	places := make([]int, columns)
	for i, column := range list {
		places[column] = i
	}
	return places
}

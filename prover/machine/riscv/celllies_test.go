package riscv_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// cellLies finds what other values of one cell violate, like [subject.lie], but evaluates only what depends on the
// cell.
type cellLies struct {
	s       *subject
	table   *air.Table
	columns map[leaf]*dependents
}

// leaf is a main column, in this row or the next one.
type leaf struct {
	column int
	next   bool
}

// dependents are what depends on a leaf. The nodes are in topological order, the leaf first.
type dependents struct {
	nodes                     []air.NodeID
	constraints, interactions []int
}

func newCellLies(s *subject, table *air.Table) *cellLies {
	return &cellLies{s, table, map[leaf]*dependents{}}
}

// of returns what depends on a leaf, or nothing if the table does not read it.
func (l *cellLies) of(x leaf) *dependents {
	if d := l.columns[x]; d != nil {
		return d
	}
	d := new(dependents)
	l.columns[x] = d
	reached := make([]bool, len(l.table.Graph))
	for id, n := range l.table.Graph {
		reached[id] = n.Op == air.Main && int(n.Column) == x.column && n.Next == x.next ||
			n.Op.IsBinary() && (reached[n.A] || reached[n.B])
		if reached[id] {
			d.nodes = append(d.nodes, air.NodeID(id))
		}
	}
	for i, c := range l.table.Constraints {
		if reached[c.Root] {
			d.constraints = append(d.constraints, i)
		}
	}
	for i, x := range l.table.Interactions {
		if reached[x.Multiplicity] || slices.ContainsFunc(x.Values, func(v air.NodeID) bool { return reached[v] }) {
			d.interactions = append(d.interactions, i)
		}
	}
	return d
}

// lyingRow is an honest row whose cells get other values.
type lyingRow struct {
	*cellLies
	row     row
	reading []reading
}

// reading are the values of a table's nodes in the row, or in the previous row, which reads the row as its next one.
type reading struct {
	next           bool
	honest, values []goldilocks.Element // equal between lies
}

func (l *cellLies) in(r row) *lyingRow {
	lying := &lyingRow{cellLies: l, row: r}
	read := func(next bool, at int) {
		values := make([]goldilocks.Element, len(l.table.Graph))
		l.table.EvaluateRow(r.in.Trace, at, l.s.execution.Public().Values, values)
		lying.reading = append(lying.reading, reading{next, slices.Clone(values), values})
	}
	read(false, r.at)
	if n := r.in.Trace.Rows(); len(l.table.NextMain) > 0 {
		read(true, (r.at+n-1)%n)
	}
	return lying
}

// lie returns what a column's cell violates with another value: constraints by "table: name", buses by "bus name".
func (l *lyingRow) lie(column int, v goldilocks.Element) (broken []string) {
	tokens := counted{}
	for _, r := range l.reading {
		d := l.of(leaf{column, r.next})
		for i, id := range d.nodes {
			if n := l.table.Graph[id]; i == 0 {
				r.values[id] = v
			} else {
				r.values[id] = n.Op.Apply(r.values[n.A], r.values[n.B])
			}
		}
		for _, i := range d.constraints {
			if c := l.table.Constraints[i]; r.values[c.Root] != 0 {
				broken = append(broken, l.table.Name+": "+c.Name)
			}
		}
		for _, i := range d.interactions {
			broken = append(broken, l.said(&l.table.Interactions[i], r, tokens)...)
		}
		for _, id := range d.nodes {
			r.values[id] = r.honest[id]
		}
	}
	broken = append(broken, tokens.unbalanced()...)
	slices.Sort(broken)
	return slices.Compact(broken)
}

// said returns the bus of an interaction if it is a lookup without an answer. It adds the changes of other messages to
// tokens.
func (l *lyingRow) said(x *air.Interaction, r reading, tokens counted) (broken []string) {
	message := func(values []goldilocks.Element) (m []goldilocks.Element) {
		for _, id := range x.Values {
			m = append(m, values[id])
		}
		return m
	}
	before, after := r.honest[x.Multiplicity], r.values[x.Multiplicity]
	switch {
	case x.Bus.Kind == air.Lookup:
		if after != 0 && x.Kind == air.Send {
			if _, ok := l.s.answer(x.Bus, message(r.values)); !ok {
				return []string{"bus " + x.Bus.Name}
			}
		}
		return nil
	case x.Kind == air.Receive:
		before, after = before.Neg(), after.Neg()
	}
	if after != 0 {
		k := key(x.Bus, message(r.values))
		tokens[k] = tokens[k].Add(after)
	}
	if before != 0 {
		k := key(x.Bus, message(r.honest))
		tokens[k] = tokens[k].Sub(before)
	}
	return nil
}

// cellLies finds the same as the evaluation of whole rows.
func TestCellLiesAreLies(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	eachTable(t, runs{}, func(s *subject, table *air.Table) {
		if len(table.Lookups) > 0 || len(table.Main) == 0 || len(s.of(table.Name)) == 0 {
			return
		}
		lies := newCellLies(s, table)
		for _, r := range spread(s.rows(table.Name, nil))[:1] {
			lying := lies.in(r)
			for range 12 {
				c := random.IntN(len(table.Main))
				cell := &r.in.Trace.Main[c][r.at]
				for _, v := range changes(random, *cell) {
					have, want := lying.lie(c, v), s.lie(func() { *cell = v }, r)
					if !slices.Equal(have, want) {
						t.Errorf("%s.%s, row %d, %d in place of %d: violates %q, want %q", table.Name, table.Main[c], r.at, v, *cell,
							have, want)
					}
				}
			}
		}
	})
}

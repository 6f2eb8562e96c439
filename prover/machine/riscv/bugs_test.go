package riscv_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// bug is a bug in a declaration. It is planted without building anything: a declaration is data, and a bug changes a
// node of its graph, or an argument of a message.
type bug struct {
	node  air.NodeID // the node with another value, unless an interaction is wrong
	value func(values []goldilocks.Element) goldilocks.Element

	interaction int        // or -1 for a node
	argument    int        // of the interaction; -1 if it is left out
	instead     air.NodeID // of the argument

	name string // what is done, and where
	of   []air.NodeID
}

// messageBugs omit each lookup, and replace each argument of each interaction by every column.
func (c *collection) messageBugs(visit func(b bug)) {
	for i := range c.table.Interactions {
		x := &c.table.Interactions[i]
		if x.Bus.Kind == air.Lookup {
			visit(bug{interaction: i, argument: -1, name: "left out", of: x.Values})
		}
		for k, v := range x.Values {
			for id, n := range c.table.Graph {
				if air.NodeID(id) != v && n.Op == air.Main && !n.Next {
					name := fmt.Sprintf("%s for argument %d", c.table.Main[n.Column], k)
					visit(bug{interaction: i, argument: k, instead: air.NodeID(id), name: name, of: x.Values})
				}
			}
		}
	}
}

// nodeBugs drop each operand of each node, and invert signs.
func (c *collection) nodeBugs(visit func(b bug)) {
	for id, n := range c.table.Graph {
		if !n.Op.IsBinary() {
			continue
		}
		of := func(name string, f func(a, b goldilocks.Element) goldilocks.Element) {
			visit(bug{node: air.NodeID(id), interaction: -1, name: name, of: []air.NodeID{air.NodeID(id)},
				value: func(v []goldilocks.Element) goldilocks.Element { return f(v[n.A], v[n.B]) }})
		}
		of("first alone", func(a, _ goldilocks.Element) goldilocks.Element { return a })
		of("second alone", func(_, b goldilocks.Element) goldilocks.Element { return b })
		if n.Op != air.Mul {
			of("other sign", (air.Add + air.Sub - n.Op).Apply)
		}
	}
}

// describe says what a bug does, and where.
func (c *collection) describe(b *bug) string {
	where := c.text(b.of)
	if b.interaction >= 0 {
		where = c.table.Interactions[b.interaction].Bus.Name + "(" + where + ")"
	}
	return c.table.Name + ": " + where + ": " + b.name
}

// noticed reports whether an honest row violates the buggy declaration or sends another message, or whether a cheat is
// accepted.
func (c *collection) noticed(b *bug) bool {
	scratch := make([]goldilocks.Element, len(c.table.Graph))
	for i := range c.honest {
		if c.tells(b, &c.honest[i], scratch) {
			return true
		}
	}
	for i := range c.cheats {
		if c.believes(b, &c.cheats[i], scratch) {
			if f := c.cheats[i].forged; f != nil {
				f.needed = true
			}
			return true
		}
	}
	return false
}

// with are the values of a row under a bug; changed is false if they are the original values.
func (c *collection) with(b *bug, e *exhibit, scratch []goldilocks.Element) (values []goldilocks.Element,
	changed bool) {
	if b.interaction >= 0 {
		return e.values, true
	}
	v := b.value(e.values)
	if v == e.values[b.node] {
		return e.values, false
	}
	copy(scratch, e.values)
	scratch[b.node] = v
	for _, id := range c.users[b.node] {
		n := &c.table.Graph[id]
		scratch[id] = n.Op.Apply(scratch[n.A], scratch[n.B])
	}
	return scratch, true
}

// said is the message of an interaction, under a bug if there is one.
func (c *collection) said(b *bug, i int, values []goldilocks.Element) (n goldilocks.Element, m []goldilocks.Element) {
	x := &c.table.Interactions[i]
	n = values[x.Multiplicity]
	here := b != nil && b.interaction == i
	if here && b.argument < 0 {
		n = 0
	}
	for k, v := range x.Values {
		if here && b.argument == k {
			v = b.instead
		}
		m = append(m, values[v])
	}
	return n, m
}

// answered reports whether a row's lookup is answered.
func (c *collection) answered(s *subject, b *bug, i int, values []goldilocks.Element) bool {
	n, m := c.said(b, i, values)
	if n == 0 {
		return true
	}
	_, ok := s.answer(s.program.Machine().Buses[c.table.Interactions[i].Bus.Index-1], m)
	return ok
}

// tells reports whether an honest row detects a bug.
func (c *collection) tells(b *bug, e *exhibit, scratch []goldilocks.Element) bool {
	if b.interaction >= 0 {
		return c.differs(b, b.interaction, e, e.values)
	}
	values, changed := c.with(b, e, scratch)
	if !changed {
		return false
	}
	for _, i := range c.constraints[b.node] {
		if values[c.table.Constraints[i].Root] != 0 {
			return true
		}
	}
	return slices.ContainsFunc(c.interactions[b.node], func(i int) bool { return c.differs(b, i, e, values) })
}

// differs reports whether an honest row sends another message on a bus, so that its tokens do not cancel, or looks up a
// row that does not exist.
func (c *collection) differs(b *bug, i int, e *exhibit, values []goldilocks.Element) bool {
	x := &c.table.Interactions[i]
	n, was := values[x.Multiplicity], e.values[x.Multiplicity]
	isLookup := x.Bus.Kind == air.Lookup
	if n == 0 && (was == 0 || isLookup) {
		return false
	}
	changed := n != was
	for k, v := range x.Values {
		have := values[v]
		if b.interaction == i && b.argument == k {
			have = values[b.instead]
		}
		changed = changed || have != e.values[v]
	}
	return changed && (!isLookup || !c.answered(e.s, b, i, values))
}

// believes reports whether no check refuses a cheat under a bug.
func (c *collection) believes(b *bug, e *exhibit, scratch []goldilocks.Element) bool {
	for _, i := range e.refused { // checks that the bug does not change still refuse it
		k := i - len(c.table.Constraints)
		switch {
		case b.interaction >= 0 && k != b.interaction,
			b.interaction < 0 && k < 0 && !slices.Contains(c.constraints[b.node], i),
			b.interaction < 0 && k >= 0 && !slices.Contains(c.interactions[b.node], k):
			return false
		}
	}
	values, changed := c.with(b, e, scratch)
	return changed && len(c.refusals(b, e, values)) == 0
}

// refusals are the constraints and the lookups of a row that refuse it.
func (c *collection) refusals(b *bug, e *exhibit, values []goldilocks.Element) (list []int) {
	for i, x := range c.table.Constraints {
		if values[x.Root] != 0 {
			list = append(list, i)
		}
	}
	for i, x := range c.table.Interactions {
		if x.Bus.Kind == air.Lookup && !c.answered(e.s, b, i, values) {
			list = append(list, len(c.table.Constraints)+i)
		}
	}
	return list
}

// reasons are the names of constraints and lookups.
func (c *collection) reasons(refused []int) (names []string) {
	for _, i := range refused {
		if n := len(c.table.Constraints); i < n {
			names = append(names, c.table.Constraints[i].Name)
		} else {
			x := &c.table.Interactions[i-n]
			names = append(names, x.Bus.Name+"("+c.text(x.Values)+")")
		}
	}
	return names
}

func (c *collection) text(ids []air.NodeID) string {
	var list []string
	for _, id := range ids {
		list = append(list, c.expression(id, 0))
	}
	return strings.Join(list, ", ")
}

// expression is a node as text, down to a given depth.
func (c *collection) expression(id air.NodeID, depth int) string {
	n := &c.table.Graph[id]
	switch {
	case n.Op == air.Constant && uint64(n.Value) > goldilocks.Modulus/2:
		return fmt.Sprintf("-%d", n.Value.Neg())
	case n.Op == air.Constant:
		return fmt.Sprint(n.Value)
	case n.Op == air.Main && n.Next:
		return c.table.Main[n.Column] + "'"
	case n.Op == air.Main:
		return c.table.Main[n.Column]
	case !n.Op.IsBinary():
		return n.Op.String()
	case depth > 6:
		return "..."
	}
	sign := map[air.Op]string{air.Add: " + ", air.Sub: " - ", air.Mul: " "}[n.Op]
	text := c.expression(n.A, depth+1) + sign + c.expression(n.B, depth+1)
	if depth > 0 {
		return "(" + text + ")"
	}
	return text
}

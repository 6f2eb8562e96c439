package air

import (
	"fmt"
	"strings"
)

// Text formats the table: columns, then every constraint and interaction as an expression. A prime marks the next
// row. Shared subexpressions are printed once, as %number, before their first use, so the text is linear in the size of
// the graph.
//
// It is not named String: package fmt looks for that method, so that every program that prints would contain it.
func (t *Table) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "table %s: 2^%d to 2^%d rows, %d main columns, %d preprocessed\n",
		t.Name, t.MinLogHeight, t.MaxLogHeight, len(t.Main), len(t.Preprocessed))
	p := &printer{table: t, uses: t.countUses(), printed: map[NodeID]bool{}, out: &text}
	for _, c := range t.Constraints {
		p.shared(c.Root)
		fmt.Fprintf(&text, "constraint %s (degree %d): %s = 0\n", c.Name, c.Degree, p.expression(c.Root))
	}
	for _, i := range t.Interactions {
		p.shared(i.Multiplicity)
		values := make([]string, len(i.Values))
		for k, v := range i.Values {
			p.shared(v)
			values[k] = p.expression(v)
		}
		fmt.Fprintf(&text, "%s on bus %s, %s times (bound %d): %s\n",
			i.Kind, i.Bus.Name, p.expression(i.Multiplicity), i.Bound, strings.Join(values, ", "))
	}
	return text.String()
}

// countUses counts how often each node is an operand or a root.
func (t *Table) countUses() []int {
	uses := make([]int, len(t.Graph))
	t.roots(func(id *NodeID) { uses[*id]++ })
	for _, n := range t.Graph {
		if n.Op.IsBinary() {
			uses[n.A]++
			uses[n.B]++
		}
	}
	return uses
}

type printer struct {
	table   *Table
	uses    []int
	printed map[NodeID]bool
	out     *strings.Builder
}

// shared prints the definitions that the node needs, unless already printed.
func (p *printer) shared(id NodeID) {
	n := p.table.Graph[id]
	if p.printed[id] || !n.Op.IsBinary() {
		return
	}
	p.shared(n.A)
	p.shared(n.B)
	p.printed[id] = true
	if p.uses[id] > 1 {
		fmt.Fprintf(p.out, "  %%%d = %s\n", id, p.operation(n))
	}
}

func (p *printer) operation(n Node) string {
	sign := map[Op]string{Add: "+", Sub: "-", Mul: "*"}[n.Op]
	return p.expression(n.A) + " " + sign + " " + p.expression(n.B)
}

func (p *printer) expression(id NodeID) string {
	n := p.table.Graph[id]
	prime := ""
	if n.Next {
		prime = "'"
	}
	switch n.Op {
	case Constant:
		return fmt.Sprint(uint64(n.Value))
	case Main:
		return p.table.Main[n.Column] + prime
	case Preprocessed:
		return p.table.Preprocessed[n.Column] + prime
	case Periodic:
		return p.table.Periodic[n.Column].Name
	case Public:
		return fmt.Sprintf("public[%d]", n.Column)
	case First, Last, Transition:
		return n.Op.String()
	}
	if p.uses[id] > 1 {
		return fmt.Sprintf("%%%d", id)
	}
	return "(" + p.operation(n) + ")"
}

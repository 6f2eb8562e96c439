package air

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Builder collects the declaration of one table. Mistakes are remembered and
// returned by Build, all of them.
type Builder struct {
	table Table
	nodes nodeSet         // the graph's nodes, for sharing
	names map[string]bool // "kind name" of what is declared already
	errs  []error
}

// NewTable starts the declaration of a table.
func NewTable(name string) *Builder {
	b := &Builder{
		table: Table{Name: name, MinLogHeight: 1, MaxLogHeight: MaxLogHeight},
		names: map[string]bool{},
	}
	if name == "" {
		b.fail("a table needs a name")
	}
	return b
}

// fail remembers a mistake.
func (b *Builder) fail(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("table %s: "+format, append([]any{b.table.Name}, args...)...))
}

// declare remembers a name and reports a second use of it.
func (b *Builder) declare(kind, name string) {
	key := kind + " " + name
	switch {
	case name == "":
		b.fail("a %s needs a name", kind)
	case b.names[key]:
		b.fail("%s %q is declared twice", kind, name)
	}
	b.names[key] = true
}

// Main declares a main column.
func (b *Builder) Main(name string) Expr {
	b.declare("main column", name)
	b.table.Main = append(b.table.Main, name)
	return b.leaf(Node{Op: Main, Column: int32(len(b.table.Main) - 1)})
}

// MainColumns declares count main columns name[0], name[1] and so on.
func (b *Builder) MainColumns(name string, count int) []Expr {
	columns := make([]Expr, count)
	for i := range columns {
		columns[i] = b.Main(fmt.Sprintf("%s[%d]", name, i))
	}
	return columns
}

// Preprocessed declares a column whose values are part of the machine.
func (b *Builder) Preprocessed(name string) Expr {
	b.declare("preprocessed column", name)
	b.table.Preprocessed = append(b.table.Preprocessed, name)
	return b.leaf(Node{Op: Preprocessed, Column: int32(len(b.table.Preprocessed) - 1)})
}

// FillPreprocessed sets the function that writes the preprocessed columns.
func (b *Builder) FillPreprocessed(fill func(columns [][]goldilocks.Element)) {
	b.table.FillPreprocessed = fill
}

// Heights limits the table to 2^minLog to 2^maxLog rows. Without it, any
// height from 2 rows on is allowed.
func (b *Builder) Heights(minLog, maxLog int) {
	if minLog < 1 || maxLog < minLog || maxLog > MaxLogHeight {
		b.fail("log heights %d to %d are not within 1 to %d", minLog, maxLog, MaxLogHeight)
		return
	}
	b.table.MinLogHeight, b.table.MaxLogHeight = minLog, maxLog
}

// Public is the public value of that number.
func (b *Builder) Public(index int) Expr {
	if index < 0 {
		b.fail("public value %d: numbers start at 0", index)
		index = 0
	}
	return b.leaf(Node{Op: Public, Column: int32(index)})
}

// Constant is the field element u mod p.
func (b *Builder) Constant(u uint64) Expr {
	return b.ConstantElement(goldilocks.FromUint64(u))
}

// ConstantElement is a field element as an expression.
func (b *Builder) ConstantElement(e goldilocks.Element) Expr {
	return b.leaf(Node{Op: Constant, Value: e})
}

// First is nonzero in the first row and zero in all others.
func (b *Builder) First() Expr { return b.leaf(Node{Op: First}) }

// Last is nonzero in the last row and zero in all others.
func (b *Builder) Last() Expr { return b.leaf(Node{Op: Last}) }

// Transition is zero in the last row and nonzero in all others.
func (b *Builder) Transition() Expr { return b.leaf(Node{Op: Transition}) }

// leaf returns the expression of a node without operands.
func (b *Builder) leaf(n Node) Expr {
	n.Degree = leafDegree(n.Op)
	return b.intern(n)
}

// intern returns the node, appending it to the graph unless it is there.
func (b *Builder) intern(n Node) Expr {
	b.nodes = b.nodes.grown(b.table.Graph)
	place := b.nodes.find(b.table.Graph, n)
	if *place == 0 {
		b.table.Graph = append(b.table.Graph, n)
		*place = NodeID(len(b.table.Graph))
	}
	return Expr{builder: b, id: *place - 1}
}

// node is the node of an expression that belongs to this builder. Expressions
// of another table, and the zero Expr, are mistakes; 0 stands in for them.
func (b *Builder) node(e Expr) NodeID {
	if e.builder == b {
		return e.id
	}
	if e.builder == nil {
		b.fail("an expression is used that was never built (the zero Expr)")
	} else {
		b.fail("an expression of table %s is used", e.builder.table.Name)
	}
	return b.Constant(0).id
}

// Build checks the declaration and returns the table, or every mistake found.
// The builder must not be used afterwards.
func (b *Builder) Build() (*Table, error) {
	t := &b.table
	if len(t.Main) == 0 {
		b.fail("it has no main column")
	}
	if len(t.Preprocessed) > 0 {
		if !t.IsFixed() {
			b.fail("preprocessed columns need a fixed height, and log heights %d to %d are allowed", t.MinLogHeight, t.MaxLogHeight)
		}
		if t.FillPreprocessed == nil {
			b.fail("nothing fills its preprocessed columns")
		}
	}
	b.compact()
	b.findColumns()
	b.countTransitions()
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	t.makeBatches()
	return t, nil
}

package air

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Builder collects the declaration of one table. Build returns all mistakes found.
type Builder struct {
	table Table
	nodes nodeSet         // the graph's nodes, for sharing
	names map[string]bool // "kind name" of every declaration
	errs  []error
}

// NewTable starts the declaration of a table.
func NewTable(name string) *Builder {
	b := &Builder{
		table: Table{Name: name, MinLogHeight: 1, MaxLogHeight: MaxLogHeight, MinInstances: 1, MaxInstances: 1},
		names: map[string]bool{},
	}
	if name == "" {
		b.fail("a table needs a name")
	}
	return b
}

// fail records a mistake.
func (b *Builder) fail(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("table %s: "+format, append([]any{b.table.Name}, args...)...))
}

// declare records a name and reports a duplicate.
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

// Preprocessed declares a column whose values belong to the machine or a program.
func (b *Builder) Preprocessed(name string) Expr {
	b.declare("preprocessed column", name)
	b.table.Preprocessed = append(b.table.Preprocessed, name)
	return b.leaf(Node{Op: Preprocessed, Column: int32(len(b.table.Preprocessed) - 1)})
}

// FillPreprocessed makes the preprocessed columns part of the machine. fill writes them.
func (b *Builder) FillPreprocessed(fill func(columns [][]goldilocks.Element)) {
	b.table.Kind, b.table.FillPreprocessed = FixedPreprocessed, fill
}

// FillProgram makes the preprocessed columns part of a program, with 2^logHeight rows. fill writes them; it is nil if
// only the program's ID and logHeight are known.
func (b *Builder) FillProgram(logHeight int, fill func(columns [][]goldilocks.Element)) {
	b.table.Kind, b.table.PreprocessedLogHeight, b.table.FillPreprocessed = ProgramPreprocessed, logHeight, fill
}

// Instances allows low to high instances of the table in a proof. The default is exactly one.
func (b *Builder) Instances(low, high int) {
	if low < 0 || high < max(low, 1) || high > MaxInstances {
		b.fail("%d to %d instances are not within 0 to %d", low, high, MaxInstances)
		return
	}
	b.table.MinInstances, b.table.MaxInstances = low, high
}

// Heights limits the table to 2^minLog to 2^maxLog rows. The default is 2 to 2^[MaxLogHeight] rows.
func (b *Builder) Heights(minLog, maxLog int) {
	if minLog < 1 || maxLog < minLog || maxLog > MaxLogHeight {
		b.fail("log heights %d to %d are not within 1 to %d", minLog, maxLog, MaxLogHeight)
		return
	}
	b.table.MinLogHeight, b.table.MaxLogHeight = minLog, maxLog
}

// Public returns the public value with the given index.
func (b *Builder) Public(index int) Expr {
	if index < 0 {
		b.fail("public value %d: numbers start at 0", index)
		index = 0
	}
	return b.leaf(Node{Op: Public, Column: int32(index)})
}

// Constant returns the field element u mod p.
func (b *Builder) Constant(u uint64) Expr {
	return b.ConstantElement(goldilocks.FromUint64(u))
}

// ConstantElement returns a field element as an expression.
func (b *Builder) ConstantElement(e goldilocks.Element) Expr {
	return b.leaf(Node{Op: Constant, Value: e})
}

// First returns the first-row selector: nonzero in the first row and zero in all others.
func (b *Builder) First() Expr { return b.leaf(Node{Op: First}) }

// Last returns the last-row selector: nonzero in the last row and zero in all others.
func (b *Builder) Last() Expr { return b.leaf(Node{Op: Last}) }

// Transition returns the transition selector: zero in the last row and nonzero in all others.
func (b *Builder) Transition() Expr { return b.leaf(Node{Op: Transition}) }

// leaf returns the expression of a node without operands.
func (b *Builder) leaf(n Node) Expr {
	n.Degree = leafDegree(n.Op)
	return b.intern(n)
}

// intern returns the node's expression, adding the node to the graph if necessary.
func (b *Builder) intern(n Node) Expr {
	b.nodes = b.nodes.grown(b.table.Graph)
	id := b.nodes.find(b.table.Graph, n)
	if *id == 0 {
		b.table.Graph = append(b.table.Graph, n)
		*id = NodeID(len(b.table.Graph))
	}
	return Expr{builder: b, id: *id - 1}
}

// node returns the node of an expression of this builder. An expression of another table, or the zero Expr, is a
// mistake, and node returns 0.
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
	if len(t.Main)+len(t.Preprocessed) == 0 {
		b.fail("it has no column")
	}
	b.checkPreprocessed()
	b.compact()
	b.checkColumns()
	b.countTransitions()
	b.checkLookups()
	b.checkInstances()
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	t.makeBatches()
	return t, nil
}

// checkPreprocessed checks that preprocessed columns have an owner and a height.
func (b *Builder) checkPreprocessed() {
	t := &b.table
	switch {
	case len(t.Preprocessed) == 0:
		if t.Kind != NoPreprocessed {
			b.fail("it has no preprocessed columns to fill")
		}
	case t.Kind == NoPreprocessed:
		b.fail("nothing fills its preprocessed columns")
	case t.Kind == FixedPreprocessed:
		if !t.IsFixed() {
			b.fail("preprocessed columns need a fixed height, and log heights %d to %d are allowed",
				t.MinLogHeight, t.MaxLogHeight)
		}
		t.PreprocessedLogHeight = t.MinLogHeight
	default:
		if err := t.CheckLogHeight(t.PreprocessedLogHeight); err != nil {
			b.errs = append(b.errs, fmt.Errorf("its program: %w", err))
		}
	}
	for i := range t.Periodic {
		if p := &t.Periodic[i]; p.LogPeriod() > t.MinLogHeight {
			b.fail("periodic column %q repeats every 2^%d rows, and 2^%d rows are allowed", p.Name,
				p.LogPeriod(), t.MinLogHeight)
		}
	}
}

// checkInstances rejects a variable number of instances for a table that must occur exactly once: preprocessed columns
// have the key's height, a lookup table must be unique, and reading a public value makes a statement about the whole
// proof.
func (b *Builder) checkInstances() {
	t := &b.table
	if t.MinInstances == 1 && t.MaxInstances == 1 {
		return
	}
	if t.Kind != NoPreprocessed {
		b.fail("%d to %d instances of a table with preprocessed columns, want exactly one", t.MinInstances, t.MaxInstances)
	}
	if len(t.Lookups) > 0 {
		b.fail("%d to %d instances of a table that answers lookups, want exactly one", t.MinInstances, t.MaxInstances)
	}
	for _, n := range t.Graph {
		if n.Op == Public && t.MaxInstances > 1 {
			b.fail("up to %d instances of a table that reads public value %d, want at most one", t.MaxInstances, n.Column)
			return
		}
	}
}

// AssertZero declares that e vanishes on every row.
func (b *Builder) AssertZero(name string, e Expr) {
	b.declare("constraint", name)
	root := b.node(e)
	node := b.table.Graph[root]
	switch {
	case node.Op == Constant && node.Value == 0:
		b.fail("constraint %q is always zero: it constrains nothing", name)
	case node.Op == Constant:
		b.fail("constraint %q is the constant %d: it can never hold", name, node.Value)
	case node.Degree > MaxDegree:
		b.fail("constraint %q has degree %d, want at most %d", name, node.Degree, MaxDegree)
	}
	b.table.Constraints = append(b.table.Constraints, Constraint{Name: name, Root: root, Degree: int(node.Degree)})
}

// AssertEqual declares x = y on every row.
func (b *Builder) AssertEqual(name string, x, y Expr) { b.AssertZero(name, x.Sub(y)) }

// AssertBoolean declares that e is 0 or 1 on every row: e^2 - e = 0.
func (b *Builder) AssertBoolean(name string, e Expr) { b.AssertZero(name, e.Square().Sub(e)) }

// Condition declares constraints for the rows where an expression is not zero.
type Condition struct {
	builder *Builder
	when    Expr
}

// When restricts constraints to the rows where condition is not zero. The condition is a factor of each constraint and
// adds its degree.
func (b *Builder) When(condition Expr) Condition { return Condition{b, condition} }

// WhenFirst restricts constraints to the first row.
func (b *Builder) WhenFirst() Condition { return b.When(b.First()) }

// WhenLast restricts constraints to the last row.
func (b *Builder) WhenLast() Condition { return b.When(b.Last()) }

// WhenTransition restricts constraints to all rows but the last.
func (b *Builder) WhenTransition() Condition { return b.When(b.Transition()) }

// When adds a condition.
func (c Condition) When(condition Expr) Condition {
	return Condition{c.builder, c.when.Mul(condition)}
}

// AssertZero declares that e vanishes where the condition is not zero.
func (c Condition) AssertZero(name string, e Expr) {
	c.builder.AssertZero(name, c.when.Mul(e))
}

// AssertEqual declares x = y where the condition is not zero.
func (c Condition) AssertEqual(name string, x, y Expr) { c.AssertZero(name, x.Sub(y)) }

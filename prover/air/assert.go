package air

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
	b.table.Constraints = append(b.table.Constraints, Constraint{Name: name, Root: root, Degree: node.Degree})
}

// AssertEqual declares x = y on every row.
func (b *Builder) AssertEqual(name string, x, y Expr) { b.AssertZero(name, x.Sub(y)) }

// AssertBoolean declares that e is 0 or 1 on every row: e^2 - e = 0.
func (b *Builder) AssertBoolean(name string, e Expr) { b.AssertZero(name, e.Square().Sub(e)) }

// Condition asserts on the rows where an expression is not zero.
type Condition struct {
	builder *Builder
	when    Expr
}

// When limits what follows to the rows where condition is not zero. It is a
// factor of the constraint and adds its degree.
func (b *Builder) When(condition Expr) Condition { return Condition{b, condition} }

// WhenFirst limits what follows to the first row.
func (b *Builder) WhenFirst() Condition { return b.When(b.First()) }

// WhenLast limits what follows to the last row.
func (b *Builder) WhenLast() Condition { return b.When(b.Last()) }

// WhenTransition limits what follows to all rows but the last.
func (b *Builder) WhenTransition() Condition { return b.When(b.Transition()) }

// When limits further.
func (c Condition) When(condition Expr) Condition {
	return Condition{c.builder, c.when.Mul(condition)}
}

// AssertZero declares that e vanishes where the condition does not.
func (c Condition) AssertZero(name string, e Expr) {
	c.builder.AssertZero(name, c.when.Mul(e))
}

// AssertEqual declares x = y where the condition is not zero.
func (c Condition) AssertEqual(name string, x, y Expr) { c.AssertZero(name, x.Sub(y)) }

package air

// Expr is an expression over one row of a table and the next. Equal expressions of one table are equal values.
type Expr struct {
	builder *Builder
	id      NodeID
}

// Node returns the expression's node.
func (e Expr) Node() Node { return e.builder.table.Graph[e.id] }

// Next returns the column e in the next row. e must be a column of the current row.
func (e Expr) Next() Expr {
	n := e.builder.table.Graph[e.id]
	if (n.Op != Main && n.Op != Preprocessed) || n.Next {
		e.builder.fail("Next of a %s node: only a column of the current row has a next row", n.Op)
		return e
	}
	n.Next = true
	return e.builder.intern(n)
}

// Add returns e + other.
func (e Expr) Add(other Expr) Expr { return e.builder.binary(Add, e, other) }

// Sub returns e - other.
func (e Expr) Sub(other Expr) Expr { return e.builder.binary(Sub, e, other) }

// Mul returns e * other.
func (e Expr) Mul(other Expr) Expr { return e.builder.binary(Mul, e, other) }

// Neg returns -e.
func (e Expr) Neg() Expr { return e.builder.Constant(0).Sub(e) }

// Double returns e + e.
func (e Expr) Double() Expr { return e.Add(e) }

// Square returns e * e.
func (e Expr) Square() Expr { return e.Mul(e) }

// Scale returns factor * e.
func (e Expr) Scale(factor uint64) Expr { return e.Mul(e.builder.Constant(factor)) }

// AddConstant returns e + constant.
func (e Expr) AddConstant(constant uint64) Expr { return e.Add(e.builder.Constant(constant)) }

// SubConstant returns e - constant.
func (e Expr) SubConstant(constant uint64) Expr { return e.Sub(e.builder.Constant(constant)) }

// Not returns 1 - e, the negation of a boolean.
func (e Expr) Not() Expr { return e.builder.Constant(1).Sub(e) }

// Xor returns the exclusive or of two booleans, (e - other)^2. Its degree is twice the higher of the two degrees.
func (e Expr) Xor(other Expr) Expr { return e.Sub(other).Square() }

// Select returns a where e is 1 and b where e is 0.
func (e Expr) Select(a, b Expr) Expr { return a.Sub(b).Mul(e).Add(b) }

// Sum adds expressions, first to last. The empty sum is 0.
func (b *Builder) Sum(terms ...Expr) Expr {
	sum := b.Constant(0)
	for _, term := range terms {
		sum = sum.Add(term)
	}
	return sum
}

// Pack returns the number with the given digits, lowest first: sum terms[i] * 2^(i*bits), by Horner's rule with
// doublings only.
func (b *Builder) Pack(bits int, terms ...Expr) Expr {
	sum := b.Constant(0)
	for i := len(terms) - 1; i >= 0; i-- {
		for range bits {
			sum = sum.Double()
		}
		sum = sum.Add(terms[i])
	}
	return sum
}

// binary builds a node with two operands. It folds constants and orders the operands of commutative operations.
func (b *Builder) binary(op Op, left, right Expr) Expr {
	x, y := b.node(left), b.node(right)
	graph := b.table.Graph
	nx, ny := graph[x], graph[y]
	if op != Sub && x > y {
		x, y, nx, ny = y, x, ny, nx
	}
	if nx.Op == Constant && ny.Op == Constant {
		return b.ConstantElement(op.Apply(nx.Value, ny.Value))
	}
	if id, ok := simplify(op, x, y, nx, ny); ok {
		return Expr{b, id}
	}
	if op == Sub && x == y {
		return b.Constant(0)
	}
	return b.intern(Node{Op: op, A: x, B: y, Degree: binaryDegree(op, &nx, &ny)})
}

// binaryDegree returns the degree of x op y.
func binaryDegree(op Op, x, y *Node) uint16 {
	if op == Mul {
		return uint16(min(int(x.Degree)+int(y.Degree), mostDegree))
	}
	return max(x.Degree, y.Degree)
}

// simplify returns the operand that x op y equals if the other one is 0 or 1.
func simplify(op Op, x, y NodeID, nx, ny Node) (NodeID, bool) {
	isZero := func(n Node) bool { return n.Op == Constant && n.Value == 0 }
	isOne := func(n Node) bool { return n.Op == Constant && n.Value == 1 }
	switch op {
	case Add:
		if isZero(nx) {
			return y, true
		}
		return x, isZero(ny)
	case Sub:
		return x, isZero(ny)
	default:
		if isZero(nx) || isOne(ny) {
			return x, true
		}
		return y, isZero(ny) || isOne(nx)
	}
}

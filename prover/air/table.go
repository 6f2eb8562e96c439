package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Table is a finished declaration. It is read-only.
type Table struct {
	Name         string
	Main         []string // names of the main columns
	Preprocessed []string // names of the preprocessed columns
	Periodic     []PeriodicColumn

	Graph        []Node // topological order, every node reachable from a root
	Constraints  []Constraint
	Interactions []Interaction

	// Batches lists the interactions that share one auxiliary extension column. Each interaction is in exactly one batch.
	// The column of the last batch is the running sum, which includes that batch's fractions.
	Batches [][]int

	// NextMain and NextPreprocessed are the columns read at the next row, in ascending order. A proof opens them at a
	// second point.
	NextMain, NextPreprocessed []int

	// InteractionMain and InteractionPreprocessed are the columns that interactions read, in ascending order. They follow
	// from the canonical form and are not part of it.
	InteractionMain, InteractionPreprocessed []int

	// The table has 2^MinLogHeight to 2^MaxLogHeight rows. Equal limits fix the height.
	MinLogHeight, MaxLogHeight int

	// A proof has MinInstances to MaxInstances instances of the table, each with its own height. Only buses connect them.
	MinInstances, MaxInstances int

	// Lookups are the lookup entries of the table.
	Lookups []Entry

	// Kind is the owner of the preprocessed columns, which also determines their height.
	Kind PreprocessedKind

	// PreprocessedLogHeight is the log height of the preprocessed columns: the table's fixed
	// height, or the program's, which is not part of the canonical form.
	PreprocessedLogHeight int

	// FillPreprocessed writes the preprocessed columns, each with 2^PreprocessedLogHeight rows in natural order. It is nil
	// without such columns, and for a program known only by its ID.
	FillPreprocessed func(columns [][]goldilocks.Element)
}

// PreprocessedKind is the owner of a table's preprocessed columns.
type PreprocessedKind uint8

// The kinds. The values are part of the canonical serialisation.
const (
	NoPreprocessed      PreprocessedKind = iota
	FixedPreprocessed                    // part of the machine: fixed height, included in the machine's digest
	ProgramPreprocessed                  // part of a program: included in its ID
	preprocessedKindCount
)

// MaxInstances is the maximum number of instances of one table.
const MaxInstances = 16

// MaxLogHeight is the maximum log height of a table. With the largest blowup, 16, its extension still fits the field's
// two-adicity of 32.
const MaxLogHeight = 28

// Constraint is an expression that must vanish on every row.
type Constraint struct {
	Name   string
	Root   NodeID
	Degree int

	// Transitions is an upper bound for the number of factors of the transition selector. Each adds one to the degree of
	// the polynomial, which is at most Degree*(n-1) + Transitions on n rows.
	Transitions int
}

// Kind is the direction of an interaction.
type Kind uint8

// The directions. The values are part of the canonical serialisation.
const (
	Send Kind = iota
	Receive
)

func (k Kind) String() string {
	if k == Send {
		return "send"
	}
	return "receive"
}

// Interaction is one message per row, sent or received Multiplicity times.
type Interaction struct {
	Bus          *Bus
	Kind         Kind
	Multiplicity NodeID

	// Bound is the maximum multiplicity in a row that the constraints allow. For a receiver, 0 means that its multiplicity
	// is free. As long as the bounds of a bus's senders times their heights sum to less than the field's order, a sent
	// message cannot be balanced by wrapping around.
	Bound uint64

	Values []NodeID
}

// IsFixed reports whether the table has a fixed height.
func (t *Table) IsFixed() bool { return t.MinLogHeight == t.MaxLogHeight }

// CheckLogHeight reports a log height outside the limits.
func (t *Table) CheckLogHeight(logHeight int) error {
	if logHeight < t.MinLogHeight || logHeight > t.MaxLogHeight {
		return fmt.Errorf("table %s: log height is %d, want %d to %d", t.Name, logHeight, t.MinLogHeight, t.MaxLogHeight)
	}
	return nil
}

// AuxiliaryColumns returns the number of auxiliary base columns for LogUp: three per batch.
func (t *Table) AuxiliaryColumns() int { return 3 * len(t.Batches) }

// MaxConstraintDegree returns the maximum degree of the table's own constraints.
func (t *Table) MaxConstraintDegree() int {
	degree := 0
	for _, c := range t.Constraints {
		degree = max(degree, c.Degree)
	}
	return degree
}

// BatchDegree returns the degree of the constraint for batch b's auxiliary column: A * prod d_i = sum m_i * prod_{j !=
// i} d_j, where A is the column or, for the last batch, the increment of the running sum.
func (t *Table) BatchDegree(b int) int {
	var sum batchSum
	for _, i := range t.Batches[b] {
		sum = sum.with(t.batchMember(i))
	}
	return sum.degree()
}

// PreprocessedColumns allocates and fills the preprocessed columns.
func (t *Table) PreprocessedColumns() [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, len(t.Preprocessed))
	for i := range columns {
		columns[i] = make([]goldilocks.Element, 1<<t.PreprocessedLogHeight)
	}
	if t.FillPreprocessed != nil {
		t.FillPreprocessed(columns)
	}
	return columns
}

// IsLow reports whether a constraint's share of the quotient by Z = x^n - 1 has degree below n, so that n points
// determine it instead of 2n: its polynomial's degree must be at most 2n - 1.
//
// Columns, First and Last have degree n - 1 as polynomials and count as degree 1: degree d means d(n-1). Transition
// counts as degree 0 but adds one power of x per factor. With t factors, d(n-1) + t <= 2n - 1 holds for d = 2 and t <=
// 1 and, because tables have at least two rows, for d <= 1 and t <= 2.
func IsLow(degree, transitions int) bool {
	return degree == 2 && transitions <= 1 || degree <= 1 && transitions <= 2
}

// IsLow reports whether the constraint is low; see [IsLow].
func (c *Constraint) IsLow() bool { return IsLow(c.Degree, c.Transitions) }

// Column returns the index of the main column with the given name, for host fillers that look up their columns once. It
// panics if there is no such column, which is a bug in the program and not caused by input.
func (t *Table) Column(name string) int {
	for i, have := range t.Main {
		if have == name || have == name+"[0]" {
			return i
		}
	}
	panic(fmt.Sprintf("air: table %s has no column %q", t.Name, name))
}

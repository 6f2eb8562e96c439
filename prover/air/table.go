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

	// Batches lists the interactions that share one auxiliary extension
	// column. Each interaction is in exactly one batch. The column of the last
	// batch is the running sum, which takes that batch's fractions in itself.
	Batches [][]int

	// NextMain and NextPreprocessed are the columns read at the next row,
	// ascending: a proof opens them at a second point.
	NextMain, NextPreprocessed []int

	// InteractionMain and InteractionPreprocessed are the columns that interactions read, ascending. They are not part of
	// the canonical form, from which they follow.
	InteractionMain, InteractionPreprocessed []int

	// The table has 2^MinLogHeight to 2^MaxLogHeight rows. Equal limits fix
	// the height.
	MinLogHeight, MaxLogHeight int

	// A proof has MinInstances to MaxInstances instances of the table, each of
	// its own height. Only buses tie them.
	MinInstances, MaxInstances int

	// Lookups are the buses that the table answers.
	Lookups []Entry

	// Kind says whose the preprocessed columns are, and with them the height.
	Kind PreprocessedKind

	// PreprocessedLogHeight is the log height of the preprocessed columns: that of a table of fixed height, or the
	// one that a program takes, which is not part of the canonical form.
	PreprocessedLogHeight int

	// FillPreprocessed writes the preprocessed columns, each of 2^PreprocessedLogHeight rows in natural order. Nil
	// without such columns, and for a program's where only its id is known.
	FillPreprocessed func(columns [][]goldilocks.Element)
}

// PreprocessedKind says whose the preprocessed columns of a table are.
type PreprocessedKind uint8

// The kinds. The values are part of the canonical serialisation.
const (
	NoPreprocessed      PreprocessedKind = iota
	FixedPreprocessed                    // the machine's: one height, part of the machine's digest
	ProgramPreprocessed                  // a program's: part of its id
	preprocessedKindCount
)

// MaxInstances bounds the instances of one table.
const MaxInstances = 16

// MaxLogHeight is the largest log height of any table: with the largest
// blowup, 16, its extension still fits the field's two-adicity of 32.
const MaxLogHeight = 28

// Constraint is an expression that must vanish on every row.
type Constraint struct {
	Name   string
	Root   NodeID
	Degree int

	// Transitions is how often the transition selector is multiplied in, at most. Each time adds one to the degree
	// of the polynomial, which is at most Degree*(n-1) + Transitions on n rows.
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

	// Bound is the largest multiplicity that the constraints allow in a row.
	// For a receiver 0 means that its multiplicity is free. While all bounds
	// of a bus's senders times their heights sum to less than the field's
	// order, a message sent cannot be balanced by wrapping around.
	Bound uint64

	Values []NodeID
}

// IsFixed reports whether the table has one height only.
func (t *Table) IsFixed() bool { return t.MinLogHeight == t.MaxLogHeight }

// CheckLogHeight says what is wrong with a log height, if anything.
func (t *Table) CheckLogHeight(logHeight int) error {
	if logHeight < t.MinLogHeight || logHeight > t.MaxLogHeight {
		return fmt.Errorf("table %s: log height is %d, want %d to %d", t.Name, logHeight, t.MinLogHeight, t.MaxLogHeight)
	}
	return nil
}

// AuxiliaryColumns is the number of auxiliary base columns that LogUp adds:
// three for each batch.
func (t *Table) AuxiliaryColumns() int { return 3 * len(t.Batches) }

// MaxConstraintDegree is the highest degree of the table's own constraints.
func (t *Table) MaxConstraintDegree() int {
	degree := 0
	for _, c := range t.Constraints {
		degree = max(degree, c.Degree)
	}
	return degree
}

// BatchDegree is the degree of the constraint that ties batch b's auxiliary
// column to its fractions: A * prod d_i = sum m_i * prod_{j != i} d_j, where A
// is the column, or for the last batch what the running sum grows by.
func (t *Table) BatchDegree(b int) int {
	members := make([]batchMember, len(t.Batches[b]))
	for k, i := range t.Batches[b] {
		members[k] = t.batchMember(i)
	}
	return batchDegree(members)
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

// IsLow reports whether a constraint's share of the quotient by Z = x^n - 1 has
// degree below n, so that n points fix it and not 2n: its polynomial's degree
// must be at most 2n - 1.
//
// Columns have degree n - 1 and so have First and Last, which count one degree
// each: d degrees are d(n-1). Transition counts none but adds one power of x
// for each factor. With t of them d(n-1) + t <= 2n - 1 holds for d = 2 and
// t <= 1, and, as tables have two rows at least, for d <= 1 and t <= 2.
func IsLow(degree, transitions int) bool {
	return degree == 2 && transitions <= 1 || degree <= 1 && transitions <= 2
}

// IsLow reports whether the constraint is low; see [IsLow].
func (c *Constraint) IsLow() bool { return IsLow(c.Degree, c.Transitions) }

// Column is the number of the main column of a name, for host fillers that look their columns up once. A name that the
// table does not have is a mistake in the program that no input can cause.
func (t *Table) Column(name string) int {
	for i, have := range t.Main {
		if have == name || have == name+"[0]" {
			return i
		}
	}
	panic(fmt.Sprintf("air: table %s has no column %q", t.Name, name))
}

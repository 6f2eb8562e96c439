package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Table is a finished declaration. It is read-only.
type Table struct {
	Name         string
	Main         []string // names of the main columns
	Preprocessed []string // names of the preprocessed columns; fixed height only

	Graph        []Node // topological order, every node reachable from a root
	Constraints  []Constraint
	Interactions []Interaction

	// Batches lists the interactions that share one auxiliary extension
	// column. Each interaction is in exactly one batch.
	Batches [][]int

	// NextMain and NextPreprocessed are the columns read at the next row,
	// ascending: a proof opens them at a second point.
	NextMain, NextPreprocessed []int

	// The table has 2^MinLogHeight to 2^MaxLogHeight rows. Equal limits fix
	// the height.
	MinLogHeight, MaxLogHeight int

	// Lookup is set for a lookup table.
	Lookup *Lookup

	// FillPreprocessed writes the preprocessed columns, each of
	// 2^MinLogHeight rows in natural order. Nil without such columns.
	FillPreprocessed func(columns [][]goldilocks.Element)
}

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

// Bus is a named channel. A machine numbers its buses from 1, in order.
type Bus struct {
	Name  string
	Index int
	Arity int // values in a message
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
	Bus          Bus
	Kind         Kind
	Multiplicity NodeID

	// Bound is the largest multiplicity that the constraints allow in a row.
	// For a receiver 0 means that its multiplicity is free. While all bounds
	// of a bus's senders times their heights sum to less than the field's
	// order, a message sent cannot be balanced by wrapping around.
	Bound uint64

	Values []NodeID
}

// Lookup says how a message on a bus finds its row in a lookup table.
type Lookup struct {
	Bus         Bus
	CountColumn int // the main column that counts how often each row is sent

	// The row of a message is sum Weights[i] * values[i].
	Weights []goldilocks.Element
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
// three for each batch and three for the running sum.
func (t *Table) AuxiliaryColumns() int {
	if len(t.Batches) == 0 {
		return 0
	}
	return 3 * (len(t.Batches) + 1)
}

// MaxConstraintDegree is the highest degree of the table's own constraints.
func (t *Table) MaxConstraintDegree() int {
	degree := 0
	for _, c := range t.Constraints {
		degree = max(degree, c.Degree)
	}
	return degree
}

// BatchDegree is the degree of the constraint that ties batch b's auxiliary
// column to its fractions: h * prod d_i = sum m_i * prod_{j != i} d_j.
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
		columns[i] = make([]goldilocks.Element, 1<<t.MinLogHeight)
	}
	if t.FillPreprocessed != nil {
		t.FillPreprocessed(columns)
	}
	return columns
}

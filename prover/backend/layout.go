package backend

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

const (
	// ExtensionDegree is how many base columns an extension column takes.
	ExtensionDegree = 3

	// QuotientParts is into how many polynomials of degree below n a quotient
	// of constraints of degree 3 is cut.
	QuotientParts = 2
)

// Width is the number of base columns that a table has in a phase.
func Width(table *air.Table, phase Phase) int {
	switch phase {
	case Preprocessed:
		return len(table.Preprocessed)
	case Main:
		return len(table.Main)
	case Auxiliary:
		if len(table.Interactions) == 0 {
			return 0
		}
		return ExtensionDegree * (len(table.Batches) + 1)
	default:
		return ExtensionDegree * QuotientParts
	}
}

// NextColumns are the columns of a phase that are read at the next row, and so
// opened at g*z too, ascending. Of the auxiliary columns it is the running
// sum, the last.
func NextColumns(table *air.Table, phase Phase) []int {
	switch phase {
	case Preprocessed:
		return table.NextPreprocessed
	case Main:
		return table.NextMain
	case Auxiliary:
		if width := Width(table, Auxiliary); width > 0 {
			return []int{width - 3, width - 2, width - 1}
		}
	}
	return nil
}

// Present says whether any table has columns in a phase.
func Present(m *machine.Machine, phase Phase) bool {
	return slices.ContainsFunc(m.Tables, func(table *air.Table) bool { return Width(table, phase) > 0 })
}

// KeptColumns are the preprocessed or main columns of a table that its
// interactions read, ascending: LogUp reads their values over the trace
// domain after they have been committed.
func KeptColumns(table *air.Table, phase Phase) []int {
	var op air.Op
	switch phase {
	case Preprocessed:
		op = air.Preprocessed
	case Main:
		op = air.Main
	default:
		return nil
	}
	kept := make(map[int]bool)
	seen := make([]bool, len(table.Graph))
	var visit func(id air.NodeID)
	visit = func(id air.NodeID) {
		if seen[id] {
			return
		}
		seen[id] = true
		node := table.Graph[id]
		switch node.Op {
		case op:
			kept[int(node.Column)] = true
		case air.Add, air.Sub, air.Mul:
			visit(node.A)
			visit(node.B)
		}
	}
	for _, interaction := range table.Interactions {
		visit(interaction.Multiplicity)
		for _, value := range interaction.Values {
			visit(value)
		}
	}
	columns := make([]int, 0, len(kept))
	for column := range kept {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	return columns
}

// Matrices are the tables with columns in a phase: the matrices of its tree,
// in order.
func Matrices(m *machine.Machine, phase Phase) []int {
	var tables []int
	for i, table := range m.Tables {
		if Width(table, phase) > 0 {
			tables = append(tables, i)
		}
	}
	return tables
}

// TreeShape is the shape of the tree over the extensions of a phase.
func (s *Shape) TreeShape(phase Phase) merkle.Shape {
	shape := merkle.Shape{CapHeight: s.CapHeight}
	for _, i := range Matrices(s.Machine, phase) {
		shape.LogHeights = append(shape.LogHeights, s.LogHeights[i]+s.LogBlowup)
		shape.Widths = append(shape.Widths, Width(s.Machine.Tables[i], phase))
	}
	return shape
}

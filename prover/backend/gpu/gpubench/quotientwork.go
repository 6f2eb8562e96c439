package main

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// column names a column of a phase.
type column struct {
	op     air.Op
	number int32
}

// mark adds a node and all below it.
func mark(table *air.Table, marked map[air.NodeID]bool, id air.NodeID) {
	if marked[id] {
		return
	}
	marked[id] = true
	if n := table.Graph[id]; n.Op.IsBinary() {
		mark(table, marked, n.A)
		mark(table, marked, n.B)
	}
}

// columnsOf are the columns among nodes, this row's and the next's being one.
func columnsOf(table *air.Table, nodes map[air.NodeID]bool) map[column]bool {
	columns := map[column]bool{}
	for id := range nodes {
		if n := table.Graph[id]; n.Op == air.Main || n.Op == air.Preprocessed {
			columns[column{n.Op, n.Column}] = true
		}
	}
	return columns
}

// multiplicationsOf counts the products of two values that differ from row to row. Those by a constant or a public value may be folded into
// weights or be shifts, and a selector can be multiplied into a whole sum of constraints.
func multiplicationsOf(table *air.Table, nodes map[air.NodeID]bool) float64 {
	varies := variable(table)
	count := 0
	for id := range nodes {
		if n := table.Graph[id]; n.Op == air.Mul && varies[n.A] && varies[n.B] {
			count++
		}
	}
	return float64(count)
}

// variable says of each node whether columns decide its value.
func variable(table *air.Table) []bool {
	varies := make([]bool, len(table.Graph))
	for id, n := range table.Graph {
		switch {
		case n.Op == air.Main || n.Op == air.Preprocessed:
			varies[id] = true
		case n.Op.IsBinary():
			varies[id] = varies[n.A] || varies[n.B]
		}
	}
	return varies
}

// quotientWork evaluates all constraints. Those of degree 3 are evaluated on 2n points, low ones (see [air.IsLow]) on n. A column is read
// once where any of its constraints is evaluated, a product of the graph computed once there, and each constraint weighed with an element of
// Fp3. The sums, three columns of 2n and three of n, are interpolated, and six columns of n coefficients written.
func quotientWork(shape *backend.Shape) (w work) {
	for i := range shape.Machine.Tables {
		w.add(tableQuotient(shape.Machine.Tables[i], rows(shape, i), float64(shape.LogHeights[i])))
	}
	return w
}

func tableQuotient(table *air.Table, n, logHeight float64) (w work) {
	high, all := map[air.NodeID]bool{}, map[air.NodeID]bool{}
	auxiliary := 0.0 // words read of auxiliary columns
	for i := range table.Constraints {
		c := &table.Constraints[i]
		entries := n
		mark(table, all, c.Root)
		if !c.IsLow() {
			entries = 2 * n
			mark(table, high, c.Root)
		}
		w.Operations.Products += mixedProducts * entries
	}
	for b, members := range table.Batches {
		entries := n
		if table.BatchDegree(b) > 2 {
			entries = 2 * n
		}
		for _, m := range members {
			for _, id := range append([]air.NodeID{table.Interactions[m].Multiplicity}, table.Interactions[m].Values...) {
				mark(table, all, id)
				if entries > n {
					mark(table, high, id)
				}
			}
		}
		// h D - N, weighed: two multiplications in Fp3 beside those of N and D.
		w.Operations.Products += entries * (fractionProducts(table, b) + 2*extensionProducts)
		auxiliary += backend.ExtensionDegree * entries
	}
	if len(table.Interactions) > 0 {
		// The running sum and its three constraints: first, transition and last, all low.
		auxiliary += backend.ExtensionDegree * n
		w.Operations.Products += 3 * extensionProducts * n
	}
	// What constraints on 2n points read and compute is there for low ones on the first n.
	w.Operations.Multiplications += n * (multiplicationsOf(table, all) + multiplicationsOf(table, high))
	words := n*float64(len(columnsOf(table, all))+len(columnsOf(table, high))) + auxiliary
	width := float64(backend.Width(table, backend.Quotient))
	w.Bytes += wordBytes * (words + width*n)
	w.Operations.PointLevels += backend.ExtensionDegree * (2*n*(logHeight+1) + n*logHeight)
	return w
}

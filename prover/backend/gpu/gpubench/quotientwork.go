package main

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// column names a column of a phase.
type column struct {
	op     air.Op
	number int32
}

// columnsOf returns the columns among the cells that are read; a column's current and next row count once.
func columnsOf(r *air.Reads) map[column]bool {
	columns := map[column]bool{}
	for _, op := range []air.Op{air.Main, air.Preprocessed} {
		for _, number := range r.Columns(op) {
			columns[column{op, int32(number)}] = true
		}
	}
	return columns
}

// multiplicationsOf counts the products of two values that vary from row to row. Products with a constant or a public
// value do not count: they may be folded into weights or be shifts, and a selector can be multiplied into a whole sum
// of constraints.
func multiplicationsOf(table *air.Table, r *air.Reads) float64 {
	varies := variable(table)
	count := 0
	for _, id := range r.Nodes {
		if n := table.Graph[id]; n.Op == air.Mul && varies[n.A] && varies[n.B] {
			count++
		}
	}
	return float64(count)
}

// variable reports for each node whether columns decide its value.
func variable(table *air.Table) []bool {
	varies := make([]bool, len(table.Graph))
	for id, n := range table.Graph {
		switch {
		case n.Op == air.Main || n.Op == air.Preprocessed || n.Op == air.Periodic:
			varies[id] = true
		case n.Op.IsBinary():
			varies[id] = varies[n.A] || varies[n.B]
		}
	}
	return varies
}

// quotientWork counts the evaluation of all constraints: constraints of degree 3 on 2n points, low ones (see
// [air.IsLow]) on n. A column is read once per set of points on which one of its constraints is evaluated, each product
// of the graph is computed once per set, and each constraint is weighed with an element of Fp3. The sums, three columns
// of 2n and three of n, are interpolated, and six columns of n coefficients are written.
func quotientWork(shape *protocol.Shape) (w work) {
	for i := range shape.Instances {
		w.add(tableQuotient(shape.Table(i), rows(shape, i)))
	}
	for _, class := range shape.Classes {
		n, levels := float64(uint64(1)<<class.LogHeight), float64(class.LogHeight)
		w.Bytes += wordBytes * protocol.QuotientWidth * n
		w.Operations.PointLevels += protocol.ExtensionDegree * (2*n*(levels+1) + n*levels)
	}
	return w
}

// tableQuotient returns an instance's share, without the interpolation of its class's sums.
func tableQuotient(table *air.Table, n float64) (w work) {
	var high, all []air.NodeID
	highBatches := 0
	for i := range table.Constraints {
		c := &table.Constraints[i]
		entries := n
		all = append(all, c.Root)
		if !c.IsLow() {
			entries = 2 * n
			high = append(high, c.Root)
		}
		w.Operations.Products += mixedProducts * entries
	}
	for b, members := range table.Batches {
		entries := n
		if table.BatchDegree(b) > 2 {
			entries = 2 * n
		}
		for _, m := range members {
			nodes := append([]air.NodeID{table.Interactions[m].Multiplicity}, table.Interactions[m].Values...)
			all = append(all, nodes...)
			if entries > n {
				high = append(high, nodes...)
			}
		}
		// A D - N, weighed: two multiplications in Fp3 in addition to those of N and D.
		w.Operations.Products += entries * (fractionProducts(table, b) + 2*extensionProducts)
		if entries > n {
			highBatches++
		}
	}
	// Each batch has an auxiliary column. The last batch's is the running sum, and all others are read with it.
	if last := len(table.Batches) - 1; last >= 0 && table.BatchDegree(last) > 2 {
		highBatches = len(table.Batches)
	}
	auxiliary := protocol.ExtensionDegree * n * float64(len(table.Batches)+highBatches)
	// On the first n points, low constraints reuse what the constraints on 2n points read and compute.
	everything, twice := table.Reads(all...), table.Reads(high...)
	w.Operations.Multiplications += n * (multiplicationsOf(table, everything) + multiplicationsOf(table, twice))
	w.Bytes += wordBytes * (n*float64(len(columnsOf(everything))+len(columnsOf(twice))) + auxiliary)
	return w
}

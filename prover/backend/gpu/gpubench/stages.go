package main

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// The functions below count the work of each stage for a shape. n is a table's number of rows, N = n 2^LogBlowup that
// of its extension. Only matrices and trees are counted, not a stage's constants.

const (
	wordBytes   = 8
	digestBytes = 32
	rateWords   = 17 // Keccak-256 absorbs 136 bytes at a time

	// A multiplication in Fp3 = Fp[w]/(w^3 - 2) is 9 products of base elements, one by a base element 3.
	extensionProducts = protocol.ExtensionDegree * protocol.ExtensionDegree
	mixedProducts     = protocol.ExtensionDegree

	// Inverting many elements with one inversion (Montgomery) takes three multiplications per element.
	inversionProducts = 3 * extensionProducts
)

// stageWork counts the stages whose work the shape determines. The work of grinding depends on the number of hashes
// tried, the work of gathering on the openings.
func stageWork(shape *protocol.Shape) map[prove.Stage]work {
	return map[prove.Stage]work{
		prove.StageTrace:           traceWork(shape),
		prove.StageCount:           countWork(shape),
		prove.StageCommitMain:      commitWork(shape, protocol.Main),
		prove.StageLogUp:           logUpWork(shape),
		prove.StageCommitAuxiliary: commitWork(shape, protocol.Auxiliary),
		prove.StageQuotient:        quotientWork(shape),
		prove.StageCommitQuotient:  commitWork(shape, protocol.Quotient),
		prove.StageOpen:            openWork(shape),
		prove.StageDeep:            deepWork(shape),
		prove.StageFold:            foldWork(shape),
	}
}

// grindWork counts one permutation per nonce: the seed and the nonce are 40 bytes, one block.
func grindWork(hashes float64) work { return work{Operations: operations{Permutations: hashes}} }

// gatherWork counts the opened rows and nodes, each once: they end up in the proof.
func gatherWork(proofBytes float64) work { return work{Bytes: proofBytes} }

// traceWork writes every main column once.
func traceWork(shape *protocol.Shape) (w work) {
	for i := range shape.Instances {
		w.Bytes += wordBytes * rows(shape, i) * float64(len(shape.Table(i).Main))
	}
	return w
}

// countWork reads the columns of messages on lookup buses, and writes the counts.
func countWork(shape *protocol.Shape) (w work) {
	for i := range shape.Instances {
		table := shape.Table(i)
		var read []air.NodeID
		for _, interaction := range table.Interactions {
			if interaction.Kind == air.Send && interaction.Bus.Kind == air.Lookup {
				read = append(append(read, interaction.Multiplicity), interaction.Values...)
			}
		}
		columns := len(columnsOf(table.Reads(read...)))
		for k := range table.Lookups {
			columns += table.Lookups[k].Lanes
		}
		w.Bytes += wordBytes * rows(shape, i) * float64(columns)
	}
	return w
}

// commitWork extends and hashes the columns of a phase. Values are interpolated, n log n point-levels a column (the
// quotient's columns are coefficients already), and coefficients are evaluated on 2^LogBlowup cosets of size n, N log
// n. The n values are read, and the N values of the extension are written and then read again by rows, because a row
// exists only after all columns are complete.
func commitWork(shape *protocol.Shape, phase protocol.Phase) (w work) {
	if !shape.Present(phase) {
		return w
	}
	for _, matrix := range shape.Matrices(phase) {
		n, width, levels := float64(uint64(1)<<matrix.LogHeight), float64(matrix.Width), float64(matrix.LogHeight)
		extended := n * float64(uint64(1)<<shape.Params.LogBlowup)
		w.Bytes += wordBytes * width * (n + 2*extended)
		if phase != protocol.Quotient {
			w.Operations.PointLevels += width * n * levels
		}
		w.Operations.PointLevels += width * extended * levels
	}
	w.add(treeWork(shape.TreeShape(phase)))
	return w
}

// treeWork hashes rows and nodes and writes every digest once. The rows of all matrices of a height are one message. A
// node's message is two digests, or three where matrices join: one block either way. From 2^L leaves to a cap of 2^c
// digests there are 2^L - 2^c nodes.
func treeWork(shape merkle.Shape) (w work) {
	widths := map[int]int{}
	for m, logHeight := range shape.LogHeights {
		widths[logHeight] += shape.Widths[m]
	}
	leaves, capped := float64(uint64(1)<<shape.LogHeight()), float64(uint64(1)<<shape.LogCap())
	digests := leaves - capped
	w.Operations.Permutations = digests
	for logHeight, width := range widths {
		height := float64(uint64(1) << logHeight)
		w.Operations.Permutations += height * rowPermutations(width)
		digests += height
	}
	w.Bytes = digestBytes * digests
	return w
}

// rowPermutations returns the permutations of a row of 8 width bytes with at least one byte of padding: ceil((8 width +
// 1)/136) = floor(width/17) + 1.
func rowPermutations(width int) float64 { return float64(width/rateWords + 1) }

// logUpWork reads the columns of the interactions, computes each batch's sum of fractions, N/D, and writes the
// auxiliary columns.
func logUpWork(shape *protocol.Shape) (w work) {
	for i := range shape.Instances {
		table, n := shape.Table(i), rows(shape, i)
		kept := len(protocol.KeptColumns(table, protocol.Main)) +
			len(protocol.KeptColumns(table, protocol.PreprocessedPhase(table)))
		w.Bytes += wordBytes * n * float64(kept+protocol.Width(table, protocol.Auxiliary))
		for b := range table.Batches {
			w.Operations.Products += n * (fractionProducts(table, b) + inversionProducts + extensionProducts)
		}
	}
	return w
}

// fractionProducts counts the products of the sum N/D of a batch's fractions m_i/d_i with d_i = alpha + bus + sum of
// beta^j v_j: three per value, D = prod d_i, and N = sum m_i prod_{j != i} d_j.
func fractionProducts(table *air.Table, batch int) float64 {
	members := table.Batches[batch]
	products := 0
	for _, i := range members {
		for _, value := range table.Interactions[i].Values {
			if table.Graph[value].Op != air.Constant {
				products += mixedProducts
			}
		}
	}
	if k := len(members); k > 1 {
		products += (k - 1) * extensionProducts                         // D
		products += k * (max(0, k-2)*extensionProducts + mixedProducts) // N
	}
	return float64(products)
}

// openWork reads the first n entries of every column once and multiplies each by a weight in Fp3, or by two weights if
// the column is also opened at the next row.
func openWork(shape *protocol.Shape) (w work) {
	for _, class := range shape.Classes {
		n := float64(uint64(1) << class.LogHeight)
		columns, next := opened(shape, class.LogHeight)
		w.Bytes += wordBytes * n * columns
		w.Operations.Products += mixedProducts * n * (columns + next)
	}
	return w
}

// opened counts a class's columns, and the columns that are also read at the next row.
func opened(shape *protocol.Shape, logHeight int) (columns, next float64) {
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			if matrix.LogHeight == logHeight {
				atZ, atNext := shape.OpenedWidths(phase, matrix.Index)
				columns += float64(atZ)
				next += float64(atNext)
			}
		}
	}
	return columns, next
}

// deepWork sums the columns of a height on n entries, for one point or two, extends the sums (n log n + N log n
// point-levels a base column) and multiplies each by 1/(x - point). The codeword is written.
func deepWork(shape *protocol.Shape) (w work) {
	for _, class := range shape.Classes {
		l, n := class.LogHeight, float64(uint64(1)<<class.LogHeight)
		columns, next := opened(shape, l)
		w.Bytes += wordBytes * n * columns
		w.Operations.Products += mixedProducts * n * (columns + next)
		points := 1.0
		if next > 0 {
			points = 2
		}
		extended := n * float64(uint64(1)<<shape.Params.LogBlowup)
		w.Bytes += protocol.ExtensionDegree * wordBytes * extended
		w.Operations.PointLevels += points * protocol.ExtensionDegree * (n + extended) * float64(l)
		w.Operations.Products += points * extensionProducts * extended
	}
	return w
}

// foldWork commits to each layer in rows of a entries and folds it; both read the codeword. Of the a values from the
// interpolation of a row, all but the first are multiplied by a power of beta, and so are the values of a codeword that
// joins.
func foldWork(shape *protocol.Shape) (w work) {
	joins := map[int]bool{}
	for _, class := range shape.Classes {
		joins[class.LogHeight+shape.Params.LogBlowup] = true
	}
	logSize := shape.MaxLogSize()
	for _, logArity := range shape.Schedule {
		size, arity := float64(uint64(1)<<logSize), float64(uint64(1)<<logArity)
		folded := size / arity
		w.add(treeWork(merkle.Shape{LogHeights: []int{logSize - logArity},
			Widths:    []int{protocol.ExtensionDegree << logArity},
			CapHeight: shape.Params.CapHeight}))
		w.Bytes += protocol.ExtensionDegree * wordBytes * (2*size + folded)
		w.Operations.PointLevels += protocol.ExtensionDegree * size * float64(logArity)
		w.Operations.Products += extensionProducts * folded * (arity - 1)
		logSize -= logArity
		if joins[logSize] {
			w.Bytes += protocol.ExtensionDegree * wordBytes * folded
			w.Operations.Products += extensionProducts * folded
		}
	}
	final := float64(uint64(1) << logSize)
	w.Operations.PointLevels += protocol.ExtensionDegree * final * float64(logSize)
	w.Bytes += 2 * protocol.ExtensionDegree * wordBytes * final
	return w
}

func rows(shape *protocol.Shape, instance int) float64 { return float64(shape.Rows(instance)) }

package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// gathering copies a block's rows of many columns to an evaluator's vectors.
type gathering struct {
	rows             int
	listed           bool // copies are listed for the kernel, else made at once
	targets, sources []*uint64
}

// gatherAhead is how many addresses the kernel asks for behind those it reads.
const gatherAhead = 8

func (g *gathering) begin(rows int) {
	g.rows, g.listed = rows, kernelRegisters(rows) > 0
	g.targets, g.sources = g.targets[:0], g.sources[:0]
}

func (g *gathering) add(vector, column []goldilocks.Element) {
	column = column[:g.rows]
	if !g.listed {
		copy(vector, column)
		return
	}
	g.targets = append(g.targets, (*uint64)(&vector[0]))
	g.sources = append(g.sources, (*uint64)(&column[0]))
}

func (g *gathering) end() {
	if len(g.targets) == 0 {
		return
	}
	last := g.sources[len(g.sources)-1]
	for range gatherAhead {
		g.sources = append(g.sources, last)
	}
	gatherKernel(g.targets, g.sources, g.rows)
}

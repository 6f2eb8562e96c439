package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// gathering copies a block's rows of many columns to an evaluator's vectors.
type gathering struct {
	targets   []int32 // the vectors to fill, in the order of a block's columns
	addresses []*uint64
	sources   []*uint64
	selectors [3][]goldilocks.Element
}

// gatherAhead is how many addresses the kernel asks for behind those it reads.
const gatherAhead = 8

// newGathering lists the columns that an evaluator's tape reads.
func newGathering(e *Evaluator) gathering {
	var g gathering
	for v := e.tape.registers; v < e.tape.vectors; v++ {
		if e.tape.reads[v] {
			g.targets = append(g.targets, int32(v))
			g.addresses = append(g.addresses, e.addresses[v])
		}
	}
	g.sources = make([]*uint64, len(g.targets)+gatherAhead)
	return g
}

// run copies the columns' rows of the current run.
func (g *gathering) run(e *Evaluator, b *Block) {
	t, at := e.tape, 0
	kernel := kernelRegisters(e.rows) > 0
	g.selectors = [3][]goldilocks.Element{b.First, b.Last, b.Transition}
	for _, class := range [...]struct {
		first   int32 // vector
		columns [][]goldilocks.Element
		row     int // where the block begins in them
	}{
		{t.mainAt, b.Main, b.Row},
		{t.nextMainAt, b.NextMain, 0},
		{t.preprocessedAt, b.Preprocessed, b.Row},
		{t.nextPreprocessedAt, b.NextPreprocessed, 0},
		{t.selectorAt, g.selectors[:], 0},
	} {
		for ; at < len(g.targets) && int(g.targets[at]-class.first) < len(class.columns); at++ {
			column := class.columns[g.targets[at]-class.first][class.row : class.row+e.rows]
			if kernel {
				g.sources[at] = (*uint64)(&column[0])
			} else {
				copy(e.vectors[g.targets[at]], column)
			}
		}
	}
	if !kernel || at == 0 {
		return
	}
	for i := at; i < len(g.sources); i++ {
		g.sources[i] = g.sources[at-1]
	}
	gatherKernel(g.addresses, g.sources, e.rows)
}

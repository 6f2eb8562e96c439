package tape

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Evaluator runs a tape on blocks of rows. It holds the registers, so each goroutine needs its own. Running does not
// allocate.
//
// Columns are far apart in memory, and a block reads most of them several times. The evaluator first copies the block's
// part of each column that it reads, so that its working set is contiguous.
type Evaluator struct {
	tape         *Tape
	rows         int                  // in the last run
	maxRows      int                  // in any run
	memory       []goldilocks.Element // registers, then copies of columns
	vectors      [][]goldilocks.Element
	addresses    []*uint64 // of the vectors, for kernels
	copies       gathering
	uniform      []goldilocks.Element
	public       []goldilocks.Element // the values that uniform was computed from
	splatted     int                  // number of rows filled; 0 before the first run
	weights      foldWeights
	accumulators [groupCount]goldilocks.ExtensionVector
	sums         [groupCount]goldilocks.ExtensionVector // the accumulators of the last run
	scratch      []goldilocks.Element
}

// NewEvaluator returns an evaluator for blocks of up to maxRows rows.
func (t *Tape) NewEvaluator(maxRows int) *Evaluator {
	e := &Evaluator{
		tape:      t,
		maxRows:   maxRows,
		memory:    make([]goldilocks.Element, t.vectors*maxRows),
		vectors:   make([][]goldilocks.Element, t.vectors),
		addresses: make([]*uint64, t.vectors),
		uniform:   make([]goldilocks.Element, len(t.uniform)),
		scratch:   make([]goldilocks.Element, maxRows),
	}
	for i := range e.addresses {
		e.addresses[i] = (*uint64)(&e.memory[i*maxRows])
	}
	e.copies = newGathering(e)
	for g := range e.accumulators {
		if t.groups[g] || t.constraints && group(g)%selectorGroups == groupPlain {
			e.accumulators[g] = goldilocks.NewExtensionVector(maxRows)
		}
	}
	return e
}

// Run evaluates the first rows of a block. The results are valid until the next run.
func (e *Evaluator) Run(b *Block, rows int) {
	e.RunApart(b, rows, true)
	if e.tape.constraints {
		e.sums[groupPlain].Add(e.sums[groupPlain], e.sums[groupLow])
	}
}

// RunApart is Run with two sums of constraints: FoldedLow has the low constraints, see [air.IsLow], and Folded has the
// others. If low is false, RunApart skips the low constraints: the quotient needs them only on half of its domain.
func (e *Evaluator) RunApart(b *Block, rows int, low bool) {
	t := e.tape
	e.bind(b, rows)
	e.bindUniform(b.Public)
	e.weights.set(t, b.Weights, foldForm())
	for g := range e.sums {
		if e.accumulators[g].C[0] != nil {
			e.sums[g] = e.accumulators[g].Slice(0, rows)
			e.sums[g].Fill(goldilocks.Extension{})
		}
	}
	runs := t.runs
	if !low {
		runs = runs[:t.lowRuns]
	}
	for _, r := range runs {
		s := &t.steps[r.first]
		switch s.op {
		case packXor, packChi:
			e.pack(s)
		case foldTerms:
			e.fold(int(s.a))
		default:
			e.plain(t.steps[r.first : r.first+r.count])
		}
	}
	selectors := [selectorGroups][]goldilocks.Element{groupFirst: b.First, groupLast: b.Last,
		groupTransition: b.Transition}
	for g := range groupCount {
		if plain := g / selectorGroups * selectorGroups; g != plain && t.groups[g] {
			e.sums[plain].MulBaseAdd(e.sums[g], selectors[g-plain][:rows])
		}
	}
}

// bind copies the columns that the tape reads.
func (e *Evaluator) bind(b *Block, rows int) {
	if e.rows != rows {
		e.rows = rows
		for i := range e.vectors {
			e.vectors[i] = e.memory[i*e.maxRows : i*e.maxRows+rows]
		}
	}
	e.copies.run(e, b)
}

// bindUniform computes the uniform values, unless they are unchanged since the previous run. Steps never write to the
// registers of splats.
func (e *Evaluator) bindUniform(public []goldilocks.Element) {
	if e.rows <= e.splatted && slices.Equal(public, e.public) {
		return
	}
	e.public, e.splatted = append(e.public[:0], public...), e.rows
	e.tape.evaluateUniform(public, e.uniform)
	for _, s := range e.tape.splats {
		fill(e.vectors[s.register], e.uniform[s.slot])
	}
}

func fill(vector []goldilocks.Element, value goldilocks.Element) {
	for i := range vector {
		vector[i] = value
	}
}

// Folded returns the sum of weight i times constraint i, in each row of the last run.
func (e *Evaluator) Folded() goldilocks.ExtensionVector { return e.sums[groupPlain] }

// FoldedLow returns the same sum over the low constraints. It is valid after RunApart.
func (e *Evaluator) FoldedLow() goldilocks.ExtensionVector { return e.sums[groupLow] }

// Multiplicity returns the multiplicity of interaction i in each row of the last run. The caller must not modify it.
func (e *Evaluator) Multiplicity(i int) []goldilocks.Element {
	return e.vectors[e.tape.interactions[i].multiplicity]
}

// Value returns value k of interaction i's message in each row of the last run. The caller must not modify it.
func (e *Evaluator) Value(i, k int) []goldilocks.Element {
	return e.vectors[e.tape.interactions[i].values[k]]
}

// evaluateUniform computes the values that are equal on all rows.
func (t *Tape) evaluateUniform(public, values []goldilocks.Element) {
	for slot, u := range t.uniform {
		var v goldilocks.Element
		switch {
		case u.neg:
			v = values[u.node.A].Neg()
		case u.node.Op == air.Constant:
			v = u.node.Value
		case u.node.Op == air.Public:
			v = public[u.node.Column]
		default:
			v = u.node.Op.Apply(values[u.node.A], values[u.node.B])
		}
		values[slot] = v
	}
}

// gathering copies a block's rows of many columns to an evaluator's vectors.
type gathering struct {
	targets   []int32 // the vectors to fill, in the order of a block's columns
	addresses []*uint64
	sources   []*uint64
	selectors [3][]goldilocks.Element
}

// gatherAhead is the number of addresses after the current one that the kernel prefetches.
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
		row     int // index of the block's first row in the columns
	}{
		{t.mainAt, b.Main, b.Row},
		{t.nextMainAt, b.NextMain, 0},
		{t.preprocessedAt, b.Preprocessed, b.Row},
		{t.nextPreprocessedAt, b.NextPreprocessed, 0},
		{t.selectorAt, g.selectors[:], 0},
		{t.periodicAt, b.Periodic, 0},
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

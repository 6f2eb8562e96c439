package cpu

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// LogUp computes the auxiliary columns over the trace domain: for each batch h,
// the sum of its fractions, and the running sum S of all h. It can be asked once for a
// main commitment.
func (b *Backend) LogUp(ctx backend.Context, committed backend.Commitments, public []goldilocks.Element, challenges backend.LogUpChallenges) (backend.Columns, []goldilocks.Extension, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, nil, err
	}
	if own[backend.Main] == nil || own[backend.Main].kept.tables == nil {
		return nil, nil, errors.New("logup: no main columns are kept over the trace domain, or LogUp has read them before")
	}
	memory := c.take(backend.Auxiliary)
	result := &columns{state: state{c}, slab: memory}
	claimed := make([]goldilocks.Extension, len(c.tables))
	for i, program := range c.tables {
		if len(program.table.Interactions) == 0 {
			continue
		}
		if !c.fillBatches(i, memory, own, public, challenges) {
			c.release(&result.state, memory)
			return nil, nil, fmt.Errorf("table %s: %w", program.table.Name, backend.ErrZeroDenominator)
		}
		claimed[i] = c.fillRunningSum(memory.tables[i], c.height(i))
	}
	// Nothing else reads the main columns over the trace domain.
	c.workspace.give(&own[backend.Main].kept.loan)
	own[backend.Main].kept = keptColumns{}
	if c.backend.once {
		for _, program := range c.tables {
			program.logUpBlocks.drop()
		}
		c.discard(c.workspace.freeFrom(laterElements(&c.shape)))
	}
	return result, claimed, nil
}

// extensionColumn views three base columns as one extension column.
func extensionColumn(columns [][]goldilocks.Element, i, lo, hi int) goldilocks.ExtensionVector {
	return goldilocks.ExtensionVector{C: [3][]goldilocks.Element{columns[3*i][lo:hi], columns[3*i+1][lo:hi], columns[3*i+2][lo:hi]}}
}

// fillBatches fills the h columns, and the column of the running sum with the
// total of each row. It reports whether all denominators could be inverted.
func (c *proverContext) fillBatches(table int, memory *slab, own [backend.PhaseCount]*commitment, public []goldilocks.Element, challenges backend.LogUpChallenges) bool {
	program := c.tables[table]
	t := program.table
	prints := newFingerprinter(t, challenges)
	source := traceColumns{c.shape.LogHeights[table], own[backend.Main].kept.list(table, len(t.Main)),
		keptOf(own[backend.Preprocessed]).list(table, len(t.Preprocessed)), public}
	blocks := program.logUpBlocks
	var zero atomic.Bool
	c.blocks(c.height(table), program.rows, func(lo, hi int) {
		b := blocks.take()
		defer blocks.put(b)
		b.rows.traceColumns, b.prints = source, &prints
		b.run.Run(b.rows.at(lo, hi), hi-lo)
		for k, batch := range t.Batches {
			b.sum(b.fractions[k], batch, b.run)
		}
		for k := range b.target {
			b.target[k] = extensionColumn(memory.tables[table], k, lo, hi)
		}
		if !b.divide(hi - lo) {
			zero.Store(true)
		}
	})
	return !zero.Load()
}

// logUpBlock is what a worker needs for one block of rows after the other.
type logUpBlock struct {
	run  *air.Evaluator
	rows *traceBlock
	*summer
	*batchInversion
}

func newLogUpBlock(p *tableProgram) *logUpBlock {
	return &logUpBlock{
		run:            p.interactions.NewEvaluator(p.rows),
		rows:           newTraceBlock(p.table, p.rows),
		summer:         newSummer(p.table, p.rows),
		batchInversion: newBatchInversion(len(p.table.Batches), p.rows),
	}
}

// batchInversion divides the fractions of all batches of a block of rows with
// one inversion a row.
type batchInversion struct {
	fractions []fraction
	products  []goldilocks.ExtensionVector // of the denominators up to each batch
	inverse   goldilocks.ExtensionVector
	quotient  goldilocks.ExtensionVector
	elements  []goldilocks.Extension
	target    []goldilocks.ExtensionVector // a column a batch, and one for their sum
}

func newBatchInversion(batches, rows int) *batchInversion {
	w := &batchInversion{
		inverse:  goldilocks.NewExtensionVector(rows),
		quotient: goldilocks.NewExtensionVector(rows),
		elements: make([]goldilocks.Extension, rows),
		target:   make([]goldilocks.ExtensionVector, batches+1),
	}
	for range batches {
		w.fractions = append(w.fractions, newFraction(rows))
		w.products = append(w.products, goldilocks.NewExtensionVector(rows))
	}
	return w
}

// divide sets target k to fraction k and the last target to the sum of all.
func (w *batchInversion) divide(rows int) bool {
	target := w.target
	inverse, quotient := w.inverse.Slice(0, rows), w.quotient.Slice(0, rows)
	for k, f := range w.fractions {
		product := w.products[k].Slice(0, rows)
		if k == 0 {
			product.Copy(f.denominator.Slice(0, rows))
		} else {
			product.Mul(w.products[k-1].Slice(0, rows), f.denominator.Slice(0, rows))
		}
	}
	last := len(w.fractions) - 1
	for row := range rows {
		w.elements[row] = w.products[last].At(row)
	}
	ok := goldilocks.BatchInverseExtension(w.elements[:rows], w.elements[:rows])
	for row, e := range w.elements[:rows] {
		inverse.Set(row, e)
	}
	total := target[last+1]
	total.Fill(goldilocks.Extension{})
	for k := last; k >= 0; k-- {
		f := w.fractions[k]
		if k > 0 {
			quotient.Mul(inverse, w.products[k-1].Slice(0, rows))
			inverse.Mul(inverse, f.denominator.Slice(0, rows))
		} else {
			quotient.Copy(inverse)
		}
		target[k].Mul(quotient, f.numerator.Slice(0, rows))
		total.Add(total, target[k])
	}
	return ok
}

// fillRunningSum turns the totals in the last auxiliary column into the sums of
// the rows before each, and returns the sum of all.
func (c *proverContext) fillRunningSum(auxiliary [][]goldilocks.Element, n int) (claimed goldilocks.Extension) {
	column := extensionColumn(auxiliary, len(auxiliary)/3-1, 0, n)
	blocks := (n + traceRows - 1) / traceRows
	starts := make([]goldilocks.Extension, blocks)
	c.pool.Each(blocks, func(block int) {
		part := column.Slice(block*traceRows, min((block+1)*traceRows, n))
		for row := range part.Len() {
			starts[block] = starts[block].Add(part.At(row))
		}
	})
	for block, sum := range starts {
		starts[block] = claimed
		claimed = claimed.Add(sum)
	}
	c.pool.Each(blocks, func(block int) {
		part := column.Slice(block*traceRows, min((block+1)*traceRows, n))
		sum := starts[block]
		for row := range part.Len() {
			total := part.At(row)
			part.Set(row, sum)
			sum = sum.Add(total)
		}
	})
	return claimed
}

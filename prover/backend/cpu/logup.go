package cpu

import (
	"fmt"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/tape"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// LogUp computes the auxiliary columns over the trace domain: for each batch but the last the sum of its fractions, and
// the running sum S of all fractions less a row's share of the claimed sum, so that it comes back to 0.
func (p *proof) LogUp(challenges backend.LogUpChallenges) ([]goldilocks.Extension, error) {
	err := p.order.Run(backend.StepLogUp, func() error {
		p.challenges = challenges
		for _, i := range p.shape.Claiming() {
			if !p.fillFractions(i) {
				return fmt.Errorf("table %s: %w", p.shape.Table(i).Name, backend.ErrZeroDenominator)
			}
			p.claimed = append(p.claimed, p.fillRunningSum(i))
		}
		p.dropKept()
		return nil
	})
	return p.claimed, err
}

// extensionColumn views three base columns as one extension column.
func extensionColumn(columns [][]goldilocks.Element, i, lo, hi int) goldilocks.ExtensionVector {
	return goldilocks.ExtensionVector{C: [3][]goldilocks.Element{columns[3*i][lo:hi], columns[3*i+1][lo:hi],
		columns[3*i+2][lo:hi]}}
}

// fillFractions fills the columns of the batches, and the last with the
// total of each row. It reports whether all denominators could be inverted.
func (p *proof) fillFractions(instance int) bool {
	program := p.program(instance)
	prints := newFingerprinter(program.table, p.challenges)
	source := p.traceColumns(instance, p.kept.columns[instance])
	auxiliary := p.phases[backend.Auxiliary].columns[instance]
	var zero atomic.Bool
	n := p.shape.Rows(instance)
	inBlocks(p.pool, n, blockRows(p.pool, n, traceRows), func(lo, hi int) {
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns, b.prints = source, &prints
		b.run.Run(b.rows.at(lo, hi), hi-lo)
		for k, batch := range program.table.Batches {
			b.sum(b.fractions[k], batch, b.run)
		}
		for k := range b.target {
			b.target[k] = extensionColumn(auxiliary, k, lo, hi)
		}
		if !b.divide(hi - lo) {
			zero.Store(true)
		}
	})
	return !zero.Load()
}

// fillRunningSum turns the totals in the last auxiliary column into the sums over
// the rows before each, less the rows' share of the sum of all, which it returns.
func (p *proof) fillRunningSum(instance int) (claimed goldilocks.Extension) {
	auxiliary, n := p.phases[backend.Auxiliary].columns[instance], p.shape.Rows(instance)
	column := extensionColumn(auxiliary, len(auxiliary)/3-1, 0, n)
	blocks := (n + traceRows - 1) / traceRows
	part := func(block int) goldilocks.ExtensionVector {
		return column.Slice(block*traceRows, min((block+1)*traceRows, n))
	}
	starts := make([]goldilocks.Extension, blocks)
	p.pool.Each(blocks, func(block int) {
		totals := part(block)
		for row := range totals.Len() {
			starts[block] = starts[block].Add(totals.At(row))
		}
	})
	for block, sum := range starts {
		starts[block] = claimed
		claimed = claimed.Add(sum)
	}
	share := shareOf(claimed, n)
	p.pool.Each(blocks, func(block int) {
		cells := part(block)
		sum := starts[block].Sub(share.MulBase(goldilocks.Element(block * traceRows)))
		for row := range cells.Len() {
			total := cells.At(row)
			cells.Set(row, sum)
			sum = sum.Add(total).Sub(share)
		}
	})
	return claimed
}

// shareOf is a row's share of a claimed sum.
func shareOf(claimed goldilocks.Extension, rows int) goldilocks.Extension {
	return claimed.MulBase(goldilocks.Element(rows).Inverse())
}

// logUpBlock is what a worker needs for one block of rows after the other.
type logUpBlock struct {
	run  *tape.Evaluator
	rows *traceBlock
	*summer
	*batchInversion
}

func newLogUpBlock(p *tableProgram) *logUpBlock {
	return &logUpBlock{
		run:            p.interactions.NewEvaluator(traceRows),
		rows:           newTraceBlock(p.table),
		summer:         newSummer(p.table, traceRows),
		batchInversion: newBatchInversion(len(p.table.Batches), traceRows),
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
	target    []goldilocks.ExtensionVector // a column a batch, the last for the sum of all
}

func newBatchInversion(batches, rows int) *batchInversion {
	w := &batchInversion{
		inverse:  goldilocks.NewExtensionVector(rows),
		quotient: goldilocks.NewExtensionVector(rows),
		elements: make([]goldilocks.Extension, rows),
		target:   make([]goldilocks.ExtensionVector, batches),
	}
	for range batches {
		w.fractions = append(w.fractions, newFraction(rows))
		w.products = append(w.products, goldilocks.NewExtensionVector(rows))
	}
	return w
}

// divide sets target k to fraction k, but the last target to the sum of all.
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
	total := target[last]
	for k := last; k >= 0; k-- {
		f := w.fractions[k]
		if k > 0 {
			quotient.Mul(inverse, w.products[k-1].Slice(0, rows))
			inverse.Mul(inverse, f.denominator.Slice(0, rows))
		} else {
			quotient.Copy(inverse)
		}
		target[k].Mul(quotient, f.numerator.Slice(0, rows))
		if k < last {
			total.Add(total, target[k])
		}
	}
	return ok
}

// fingerprinter turns messages into LogUp denominators.
type fingerprinter struct {
	alpha  goldilocks.Extension
	powers []goldilocks.Extension // beta, beta^2, ...
}

func newFingerprinter(table *air.Table, challenges backend.LogUpChallenges) fingerprinter {
	arity := 0
	for _, interaction := range table.Interactions {
		arity = max(arity, interaction.Bus.Arity())
	}
	f := fingerprinter{alpha: challenges.Alpha, powers: make([]goldilocks.Extension, arity)}
	power := goldilocks.Extension{1}
	for j := range f.powers {
		power = power.Mul(challenges.Beta)
		f.powers[j] = power
	}
	return f
}

// denominators sets dst to alpha + b + the sum of beta^j v_j for interaction i
// of the evaluator's last run.
func (f *fingerprinter) denominators(dst goldilocks.ExtensionVector, run *tape.Evaluator,
	interaction *air.Interaction, i int) {
	dst.Fill(f.alpha.AddBase(goldilocks.Element(interaction.Bus.Index)))
	for j := range interaction.Values {
		dst.ScaleAdd(f.powers[j], run.Value(i, j))
	}
}

// fraction is a batch summed up: numerator / denominator in each row.
type fraction struct {
	numerator, denominator goldilocks.ExtensionVector
}

func newFraction(rows int) fraction {
	return fraction{goldilocks.NewExtensionVector(rows), goldilocks.NewExtensionVector(rows)}
}

// summer sums up batches of a block of rows.
type summer struct {
	table        *air.Table
	prints       *fingerprinter // the proof's
	member, term goldilocks.ExtensionVector
	multiplicity []goldilocks.Element
}

func newSummer(table *air.Table, rows int) *summer {
	return &summer{
		table:        table,
		member:       goldilocks.NewExtensionVector(rows),
		term:         goldilocks.NewExtensionVector(rows),
		multiplicity: make([]goldilocks.Element, rows),
	}
}

// sum sets a fraction to the sum over a batch of +-m/d in the evaluator's last
// run, as N/D + m/d = (N d + m D)/(D d).
func (s *summer) sum(f fraction, batch []int, run *tape.Evaluator) {
	rows := len(run.Multiplicity(batch[0]))
	numerator, denominator := f.numerator.Slice(0, rows), f.denominator.Slice(0, rows)
	for k, i := range batch {
		interaction := &s.table.Interactions[i]
		multiplicity := s.multiplicity[:rows]
		copy(multiplicity, run.Multiplicity(i))
		if interaction.Kind == air.Receive {
			goldilocks.NegVector(multiplicity, multiplicity)
		}
		if k == 0 {
			numerator.Fill(goldilocks.Extension{})
			copy(numerator.C[0], multiplicity)
			s.prints.denominators(denominator, run, interaction, i)
			continue
		}
		d, term := s.member.Slice(0, rows), s.term.Slice(0, rows)
		s.prints.denominators(d, run, interaction, i)
		term.MulBase(denominator, multiplicity)
		numerator.Mul(numerator, d)
		numerator.Add(numerator, term)
		denominator.Mul(denominator, d)
	}
}

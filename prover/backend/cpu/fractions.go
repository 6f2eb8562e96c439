package cpu

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
)

// fractions holds the fractions of all batches in a block of rows. A batch is the sum of its messages' ±m/d as one
// fraction.
type fractions struct {
	table *air.Table
	rows  int // of the block

	// Batch by batch, one value per row. The numerator of a single message is in the base field, coordinate 0.
	numerators, denominators goldilocks.ExtensionVector

	member  goldilocks.ExtensionVector // another message's denominator
	negated [2][]goldilocks.Element
}

// newFractions returns fractions for blocks of at most the given number of rows.
func newFractions(table *air.Table, most int) *fractions {
	all := most * len(table.Batches)
	return &fractions{
		table: table, numerators: goldilocks.NewExtensionVector(all), denominators: goldilocks.NewExtensionVector(all),
		member:  goldilocks.NewExtensionVector(most),
		negated: [2][]goldilocks.Element{make([]goldilocks.Element, most), make([]goldilocks.Element, most)},
	}
}

// take computes the fractions of an evaluator's last run over the given number of rows.
func (f *fractions) take(run *tape.Evaluator, prints *tape.Prints, rows int) {
	f.rows = rows
	for k, batch := range f.table.Batches {
		f.sum(f.of(f.numerators, k), f.of(f.denominators, k), batch, run, prints)
	}
}

// of returns batch k's part of the numerators or denominators.
func (f *fractions) of(all goldilocks.ExtensionVector, k int) goldilocks.ExtensionVector {
	return all.Slice(k*f.rows, (k+1)*f.rows)
}

// sum adds up a batch, by N/D + m/d = (N d + m D)/(D d).
func (f *fractions) sum(numerator, denominator goldilocks.ExtensionVector, batch []int, run *tape.Evaluator,
	prints *tape.Prints) {
	first := signed(f.negated[0], f.table, batch[0], run, air.Receive)
	run.Fingerprint(denominator, prints, batch[0])
	if len(batch) == 1 {
		copy(numerator.C[0], first)
		return
	}
	d := f.member.Slice(0, f.rows)
	for k, i := range batch[1:] {
		run.Fingerprint(d, prints, i)
		if k == 0 {
			numerator.MulBase(d, first)
		} else {
			numerator.Mul(numerator, d)
		}
		numerator.MulBaseAdd(denominator, signed(f.negated[1], f.table, i, run, air.Receive))
		denominator.Mul(denominator, d)
	}
}

// signed returns the multiplicity of interaction i in each row of the last run. If the interaction has the kind
// negative, the result is negated and stored in room.
func signed(room []goldilocks.Element, table *air.Table, i int, run *tape.Evaluator,
	negative air.Kind) []goldilocks.Element {
	multiplicity := run.Multiplicity(i)
	if table.Interactions[i].Kind != negative {
		return multiplicity
	}
	room = room[:len(multiplicity)]
	goldilocks.NegVector(room, multiplicity)
	return room
}

// divide sets column k to the values of batch k, except for the last column, which it sets to the sum of all batches.
// It reports whether all denominators were invertible, and overwrites them.
func (f *fractions) divide(columns []goldilocks.ExtensionVector) bool {
	all := f.denominators.Slice(0, len(columns)*f.rows)
	ok := all.Inverse(all)
	total := columns[len(columns)-1]
	for k := len(columns) - 1; k >= 0; k-- {
		numerator, inverse := f.of(f.numerators, k), f.of(f.denominators, k)
		if len(f.table.Batches[k]) == 1 {
			columns[k].MulBase(inverse, numerator.C[0])
		} else {
			columns[k].Mul(inverse, numerator)
		}
		if k < len(columns)-1 {
			total.Add(total, columns[k])
		}
	}
	return ok
}

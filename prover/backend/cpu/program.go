package cpu

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// tableProgram is a table with its graph compiled for the two domains.
type tableProgram struct {
	table        *air.Table
	interactions *air.Tape // over the trace domain
	all          *air.Tape // over the quotient's coset

	rows           int // of a block over the trace domain
	logUpBlocks    *freeList[*logUpBlock]
	quotientBlocks *freeList[*quotientBlock]
}

// newPrograms compiles both graphs of all tables side by side.
func (c *proverContext) newPrograms() []*tableProgram {
	tables := c.shape.Machine.Tables
	programs := make([]*tableProgram, len(tables))
	for i, table := range tables {
		p := &tableProgram{table: table, rows: c.blockRows(c.height(i), traceRows)}
		p.logUpBlocks = newFreeList(func() *logUpBlock { return newLogUpBlock(p) })
		p.quotientBlocks = newFreeList(func() *quotientBlock { return newQuotientBlock(p, c.quotientRows(i)) })
		programs[i] = p
	}
	c.pool.Each(2*len(tables), func(k int) {
		if program := programs[k/2]; k%2 == 0 {
			program.all = air.Compile(program.table, air.ConstraintPart|air.InteractionPart)
		} else {
			program.interactions = air.Compile(program.table, air.InteractionPart)
		}
	})
	return programs
}

// fingerprinter turns messages into LogUp denominators.
type fingerprinter struct {
	alpha  goldilocks.Extension
	powers []goldilocks.Extension // beta, beta^2, ...
}

func newFingerprinter(table *air.Table, challenges backend.LogUpChallenges) fingerprinter {
	arity := 0
	for _, interaction := range table.Interactions {
		arity = max(arity, interaction.Bus.Arity)
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
func (f *fingerprinter) denominators(dst goldilocks.ExtensionVector, run *air.Evaluator, interaction *air.Interaction, i int) {
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
func (s *summer) sum(f fraction, batch []int, run *air.Evaluator) {
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

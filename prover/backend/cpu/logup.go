package cpu

import (
	"fmt"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// LogUp computes the auxiliary columns over the trace domain. Each batch but the last has a column with the sum of its
// fractions. The last column is the running sum S of all fractions less a row's share of the claimed sum per row, so
// that S returns to 0.
func (p *mainStage) LogUp(challenges protocol.LogUpChallenges) ([]goldilocks.Extension,
	backend.Columns[backend.Witness], error) {
	next := &witness{traced: p.traced, challenges: challenges}
	for _, i := range p.shape.Claiming() {
		rows := blockRows(p.pool, p.shape.Rows(i), p.program(i).traceRows)
		sums, ok := p.fillFractions(i, rows, challenges)
		if !ok {
			return nil, nil, fmt.Errorf("table %s: %w", p.shape.Table(i).Name, backend.ErrZeroDenominator)
		}
		next.claimed = append(next.claimed, p.fillRunningSum(i, rows, sums))
	}
	p.dropKept()
	return next.claimed, &auxiliaryColumns{next}, nil
}

// extensionColumn views three base columns as one extension column.
func extensionColumn(columns [][]goldilocks.Element, i, lo, hi int) goldilocks.ExtensionVector {
	return goldilocks.ExtensionVector{C: [3][]goldilocks.Element{columns[3*i][lo:hi], columns[3*i+1][lo:hi],
		columns[3*i+2][lo:hi]}}
}

// fillFractions fills the columns of the batches, and the last column with the total of each row. It returns the sum of
// the totals in each block of rows, and whether all denominators were invertible.
func (p *mainStage) fillFractions(instance, rows int, challenges protocol.LogUpChallenges) (sums []goldilocks.Extension,
	ok bool) {
	program, n := p.program(instance), p.shape.Rows(instance)
	prints := newPrints(program.interactions, program.table, p.public, challenges, nil)
	source := p.traceColumns(instance, p.kept.columns[instance])
	auxiliary := p.phases[protocol.Auxiliary].columns[instance]
	sums = make([]goldilocks.Extension, (n+rows-1)/rows)
	var zero atomic.Bool
	inBlocks(p.pool, n, rows, func(lo, hi int) {
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		b.run.Run(b.rows.at(lo, hi), hi-lo)
		b.take(b.run, prints, hi-lo)
		for k := range b.target {
			b.target[k] = extensionColumn(auxiliary, k, lo, hi)
		}
		if !b.divide(b.target) {
			zero.Store(true)
		}
		sums[lo/rows] = b.target[len(b.target)-1].Sum()
	})
	return sums, !zero.Load()
}

// fillRunningSum replaces the totals in the last auxiliary column by the sum of the totals in all rows before, less
// those rows' share of the claimed sum. It takes the sum over each block of rows in starts, which it overwrites, and
// returns the claimed sum.
func (p *proof) fillRunningSum(instance, rows int, starts []goldilocks.Extension) (claimed goldilocks.Extension) {
	auxiliary, n := p.phases[protocol.Auxiliary].columns[instance], p.shape.Rows(instance)
	column := extensionColumn(auxiliary, len(auxiliary)/3-1, 0, n)
	for block, sum := range starts {
		starts[block] = claimed
		claimed = claimed.Add(sum)
	}
	share := shareOf(claimed, n)
	inBlocks(p.pool, n, rows, func(lo, hi int) {
		start := starts[lo/rows].Sub(share.MulBase(goldilocks.Element(lo)))
		column.Slice(lo, hi).SumBefore(start, share)
	})
	return claimed
}

// shareOf returns a row's share of a claimed sum.
func shareOf(claimed goldilocks.Extension, rows int) goldilocks.Extension {
	return claimed.MulBase(goldilocks.Element(rows).Inverse())
}

// newPrints returns the weights of the fingerprints of a table's messages. The fingerprint of values v_1, ... on bus b
// is alpha + b + the sum of beta^j v_j. If an interaction has a scale, its fingerprint is multiplied by the scale.
func newPrints(compiled *tape.Tape, table *air.Table, public []goldilocks.Element, challenges protocol.LogUpChallenges,
	scales map[int]goldilocks.Extension) *tape.Prints {
	powers := betaPowers(table, challenges)
	return compiled.NewPrints(public, func(i int) (goldilocks.Extension, []goldilocks.Extension) {
		start := challenges.Alpha.AddBase(goldilocks.Element(table.Interactions[i].Bus.Index))
		scale, scaled := scales[i]
		if !scaled {
			return start, powers
		}
		weights := make([]goldilocks.Extension, len(powers))
		for j, power := range powers {
			weights[j] = power.Mul(scale)
		}
		return start.Mul(scale), weights
	})
}

// betaPowers returns beta, beta^2, ..., one power for each value of the table's longest message.
func betaPowers(table *air.Table, challenges protocol.LogUpChallenges) []goldilocks.Extension {
	arity := 0
	for _, interaction := range table.Interactions {
		arity = max(arity, interaction.Bus.Arity())
	}
	powers, power := make([]goldilocks.Extension, arity), goldilocks.Extension{1}
	for j := range powers {
		power = power.Mul(challenges.Beta)
		powers[j] = power
	}
	return powers
}

// logUpBlock is the scratch memory of a worker for a block of rows.
type logUpBlock struct {
	run  *tape.Evaluator
	rows *traceBlock
	*fractions
	target []goldilocks.ExtensionVector // one column per batch; the last for the sum of all batches
}

func newLogUpBlock(p *tableProgram) *logUpBlock {
	return &logUpBlock{
		run:       p.interactions.NewEvaluator(p.traceRows),
		rows:      newTraceBlock(p.table, p.interactions, p.traceRows),
		fractions: newFractions(p.table, p.traceRows),
		target:    make([]goldilocks.ExtensionVector, len(p.table.Batches)),
	}
}

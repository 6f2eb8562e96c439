package stark

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/soundness"
)

// logUpConstraints are those of the running sum: first, transition, last.
const logUpConstraints = 3

// Security computes how many bits proofs with these heights prove. Public messages are counted
// for public values of zero; their number does not depend on the values.
func (k *Key) Security(logHeights []int) (*soundness.Report, error) {
	if err := k.CheckHeights(logHeights); err != nil {
		return nil, err
	}
	shape := k.Shape(logHeights)
	logSizes := make([]int, len(logHeights))
	tables := make([]soundness.Table, len(logHeights))
	for i, table := range k.Machine.Tables {
		logSizes[i] = logHeights[i] + k.Params.LogBlowup
		tables[i] = securityTable(table, logHeights[i])
	}
	folds, err := soundness.Chain(logSizes, shape.Schedule)
	if err != nil {
		return nil, err
	}
	return soundness.Analyze(soundness.Shape{
		LogBlowup:      k.Params.LogBlowup,
		Queries:        k.Params.Queries,
		GrindingBits:   k.Params.GrindingBits,
		Tables:         tables,
		PublicMessages: len(k.Machine.Messages(make([]goldilocks.Element, len(k.Machine.PublicNames)))),
		Folds:          folds,
	})
}

func securityTable(table *air.Table, logHeight int) soundness.Table {
	t := soundness.Table{
		Name:        table.Name,
		LogHeight:   logHeight,
		Constraints: len(table.Constraints),
		Degree:      table.MaxConstraintDegree(),
		Fractions:   len(table.Interactions),
	}
	for phase := range backend.Phase(backend.PhaseCount) {
		t.Openings += backend.Width(table, phase) + len(backend.NextColumns(table, phase))
	}
	for _, interaction := range table.Interactions {
		t.Arity = max(t.Arity, interaction.Bus.Arity)
	}
	if len(table.Batches) > 0 {
		t.Constraints += len(table.Batches) + logUpConstraints
	}
	for b := range table.Batches {
		t.Degree = max(t.Degree, table.BatchDegree(b))
	}
	return t
}

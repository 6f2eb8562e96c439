package protocol

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
)

// SecurityOf is [Key.Security] without a key: the bits depend only on the machine's declaration, not on committed
// values.
func SecurityOf(m *circuit.Machine, params Params, instances []circuit.Instance,
	public circuit.Public) (*soundness.Report, error) {
	if err := params.Validate(); err != nil {
		return nil, err
	}
	return (&Key{Machine: m, Params: params}).Security(instances, public)
}

// Security computes the proven bits of proofs with these instances. The number of public messages affects them.
func (k *Key) Security(instances []circuit.Instance, public circuit.Public) (*soundness.Report, error) {
	return k.SecurityOfShards([][]circuit.Instance{instances}, public)
}

// SecurityOfShards computes the proven bits of a run in shards with these instances: the report of the shard with the
// fewest bits.
func (k *Key) SecurityOfShards(shards [][]circuit.Instance,
	public circuit.Public) (least *soundness.Report, err error) {
	shapes, fractions := make([]soundness.Shape, len(shards)), 0
	for i, instances := range shards {
		if shapes[i], err = k.securityShape(instances, public); err != nil {
			if len(shards) > 1 {
				err = fmt.Errorf("shard %d: %w", i, err)
			}
			return nil, err
		}
		fractions += shapes[i].Fractions()
	}
	for _, shape := range shapes {
		shape.Proofs, shape.OtherFractions = len(shards), fractions-shape.Fractions()
		report, err := soundness.Analyze(shape)
		if err != nil {
			return nil, err
		}
		if least == nil || report.Best().Bits < least.Best().Bits {
			least = report
		}
	}
	return least, nil
}

func (k *Key) securityShape(instances []circuit.Instance, public circuit.Public) (soundness.Shape, error) {
	if err := k.CheckInstances(instances); err != nil {
		return soundness.Shape{}, err
	}
	shape := k.Shape(instances)
	logSizes := make([]int, len(instances))
	list := make([]soundness.Instance, len(instances))
	for i, instance := range instances {
		logSizes[i] = instance.LogHeight + k.Params.LogBlowup
		list[i] = securityInstance(shape.Table(i), instance.LogHeight)
	}
	folds, err := soundness.Chain(logSizes, shape.Schedule)
	if err != nil {
		return soundness.Shape{}, err
	}
	messages, arity := k.Machine.Messages(public), 0
	for _, message := range messages {
		arity = max(arity, len(message.Values))
	}
	return soundness.Shape{
		LogBlowup:      k.Params.LogBlowup,
		Queries:        k.Params.Queries,
		GrindingBits:   k.Params.GrindingBits,
		Instances:      list,
		PublicMessages: len(messages),
		PublicArity:    arity,
		Folds:          folds,
	}, nil
}

func securityInstance(table *air.Table, logHeight int) soundness.Instance {
	t := soundness.Instance{
		Name:        table.Name,
		LogHeight:   logHeight,
		Constraints: len(table.Constraints) + len(table.Batches),
		Degree:      table.MaxConstraintDegree(),
		Fractions:   len(table.Interactions),
	}
	for _, phase := range []Phase{Fixed, Program, Main, Auxiliary} {
		t.Openings += Width(table, phase) + len(NextColumns(table, phase))
	}
	for _, interaction := range table.Interactions {
		t.Arity = max(t.Arity, interaction.Bus.Arity())
	}
	for b := range table.Batches {
		t.Degree = max(t.Degree, table.BatchDegree(b))
	}
	return t
}

package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fractionStep is a range of rows of a group's instances, whose denominators are in memory at the same time.
type fractionStep struct {
	tables  []*fractionTable
	divided partList
	next    uint64 // number of denominators of the step: the stride of coordinates
}

// fractionTable is a table's part of a step.
type fractionTable struct {
	*air.Table
	rows partList
}

// logUpOf queues the work of a group: fractions, their division, and the running sums. The running sum is one sum over
// all rows of the group, from which each instance subtracts the total of the rows before it.
func (p *mainStage) logUpOf(memory *logUpMemory, words *constants, challenges uint64, group *logUpGroup) error {
	steps, whole := p.listGroup(memory, words, group)
	if err := p.sendConstants(words); err != nil {
		return err
	}
	for k := range steps {
		if err := p.divideFractions(memory, &steps[k], challenges, group.rows); err != nil {
			return err
		}
	}
	totals := kernels.Columns{Span: memory.totals, Stride: group.rows, Count: protocol.ExtensionDegree}
	if err := p.set.Scan(p.device.Stream, totals, totals, group.rows, memory.scan); err != nil {
		return err
	}
	return p.launchParts(p.device.Stream, "logup_shift", whole, 1, cuda.U64(group.rows))
}

// listGroup builds the lists of a group's launches: those of each step, and one for whole instances.
func (p *mainStage) listGroup(memory *logUpMemory, words *constants, group *logUpGroup) ([]fractionStep, *partList) {
	steps, whole := make([]fractionStep, group.steps(p.shape)), &partList{}
	before := uint64(0) // rows of the group's other instances
	for _, i := range group.instances {
		rows := p.traceRows(words, i, p.keptRows[i])
		own := p.dividedRows(memory, i, before)
		before += rows.N
		for k := range steps {
			rows.FirstRow = uint64(k) * group.step
			own.First, own.Count = rows.FirstRow, min(group.step, rows.N)
			p.addToStep(memory, &steps[k], i, rows, own)
		}
		own.First, own.Count, own.FirstBlock = 0, rows.N, whole.blocks
		addPart(whole, &own, rows.N)
	}
	for k := range steps {
		for _, table := range steps[k].tables {
			table.rows.place(words)
		}
		steps[k].divided.place(words)
	}
	whole.place(words)
	return steps, whole
}

// dividedRows describes an instance that has before rows of other instances of the group before it.
func (p *proof) dividedRows(memory *logUpMemory, i int, before uint64) generate.DividedRows {
	n, auxiliary := p.rows(i), p.phases[protocol.Auxiliary].list[i]
	return generate.DividedRows{
		Auxiliary: uint64(auxiliary.Span.Pointer()), Stride: auxiliary.Stride,
		Batches: uint64(len(p.shape.Table(i).Batches)),
		Totals:  uint64(memory.totals.Pointer()) + before*wordBytes, Behind: min(before, 1),
		N: n, InverseN: uint64(goldilocks.Element(n).Inverse()),
		Result: uint64(memory.results.Pointer()) + uint64(i)*resultWords*wordBytes,
	}
}

// addToStep adds rows of an instance to a step. Their denominators follow those of the rows added before.
func (p *proof) addToStep(memory *logUpMemory, step *fractionStep, i int, rows *generate.TraceRows,
	own generate.DividedRows) {
	t := p.shape.Table(i)
	var table *fractionTable
	for _, known := range step.tables {
		if known.Table == t {
			table = known
		}
	}
	if table == nil {
		table = &fractionTable{Table: t}
		step.tables = append(step.tables, table)
	}
	own.Inverses, own.FirstBlock = uint64(memory.denominators.Pointer())+step.next*wordBytes, step.divided.blocks
	part := generate.FractionRows{Rows: *rows, Count: own.Count, Numerators: own.Auxiliary, Stride: own.Stride,
		Denominators: own.Inverses, FirstBlock: table.rows.blocks}
	addPart(&table.rows, &part, own.Count)
	addPart(&step.divided, &own, own.Count)
	step.next += own.Batches * own.Count
}

// divideFractions computes the sums of all batches in the rows of a step, and the rows' totals. The fractions of
// different tables are computed concurrently.
func (p *proof) divideFractions(memory *logUpMemory, step *fractionStep, challenges, totals uint64) error {
	err := p.device.Lanes.Split(func() error {
		for _, table := range step.tables {
			err := p.launchParts(p.device.Lanes.Next(), generate.FractionKernel(p.machine, table.Table), &table.rows,
				generate.BatchParts(table.Table), cuda.U64(step.next), cuda.U64(challenges))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	denominators := kernels.Columns{Span: memory.denominators, Stride: step.next, Count: protocol.ExtensionDegree}
	if err := p.set.InvertExtension(p.device.Stream, denominators, denominators, step.next, memory.zeros); err != nil {
		return err
	}
	return p.launchParts(p.device.Stream, "logup_divide", &step.divided, 1, cuda.U64(step.next), cuda.U64(totals))
}

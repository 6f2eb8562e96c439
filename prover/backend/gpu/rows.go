package gpu

import (
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// traceRowWords is how many words [proof.traceRows] adds.
func traceRowWords(shape *backend.Shape, instance int) uint64 {
	t := shape.Table(instance)
	return uint64(len(t.Main)+len(t.Preprocessed)+len(shape.Machine.PublicNames)) + periodicWords(t.Table, 0)
}

// periodicWords is the memory of a table's periodic columns at a blowup: a word for its place and one for how often
// a value repeats, for each column, and the values.
func periodicWords(t *air.Table, logBlowup int) uint64 {
	words := uint64(0)
	for i := range t.Periodic {
		words += 2 + uint64(len(t.Periodic[i].Values))<<logBlowup
	}
	return words
}

// traceColumn gives the address of a column's values over the trace domain, 0 where it is not there.
type traceColumn func(column int) uint64

// keptColumns reads what a commitment keeps.
func keptColumns(from *commitment, instance int) traceColumn {
	return func(column int) uint64 {
		kept, ok := from.keptColumn(instance, column)
		if !ok {
			return 0
		}
		return uint64(kept.Span.Pointer())
	}
}

// valueColumns reads columns that are not committed yet.
func valueColumns(from kernels.Columns) traceColumn {
	return func(column int) uint64 {
		return uint64(from.Span.Pointer()) + uint64(column)*from.Stride*wordBytes
	}
}

// traceRows lists the addresses of an instance's columns, the public values and its periodic columns.
func (p *proof) traceRows(to *constants, instance int, main traceColumn) *generate.TraceRows {
	t := p.shape.Table(instance)
	words := make([]uint64, 0, traceRowWords(p.shape, instance))
	for i := range t.Main {
		words = append(words, main(i))
	}
	preprocessed := keptColumns(p.phases[backend.PreprocessedPhase(t.Table)], instance)
	for i := range t.Preprocessed {
		words = append(words, preprocessed(i))
	}
	public := len(words)
	for _, v := range p.public {
		words = append(words, uint64(v))
	}
	periodic := len(words)
	words = appendPeriodic(words, t.Table, func(column *air.PeriodicColumn) ([]goldilocks.Element, int) {
		return column.Values, column.LogPeriod()
	})
	at := to.add(words)
	generator := goldilocks.RootOfUnity(p.shape.Instances[instance].LogHeight)
	return &generate.TraceRows{
		MainColumns:         at,
		PreprocessedColumns: at + uint64(len(t.Main))*wordBytes,
		PublicValues:        at + uint64(public)*wordBytes,
		PeriodicColumns:     at + uint64(periodic)*wordBytes,
		N:                   p.rows(instance),
		Generator:           uint64(generator),
		GeneratorInverse:    uint64(generator.Inverse()),
	}
}

// appendPeriodic lays out periodic columns as rows.cuh reads them: for each column the place of its
// values behind the list, and a number that says how a row finds its value; then all values.
func appendPeriodic(words []uint64, t *air.Table,
	of func(column *air.PeriodicColumn) (values []goldilocks.Element, number int)) []uint64 {
	place := 2 * uint64(len(t.Periodic))
	var all []uint64
	for i := range t.Periodic {
		values, number := of(&t.Periodic[i])
		words = append(words, place, uint64(number))
		place += uint64(len(values))
		for _, v := range values {
			all = append(all, uint64(v))
		}
	}
	return append(words, all...)
}

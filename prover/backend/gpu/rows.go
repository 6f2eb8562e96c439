package gpu

import (
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// traceRowWords returns the number of words that [stated.listRows] lists.
func traceRowWords(shape *protocol.Shape, instance int) uint64 {
	t := shape.Table(instance)
	return uint64(len(t.Main)+len(t.Preprocessed)+len(shape.Machine.PublicNames)) + periodicWords(t, 0)
}

// periodicWords returns the memory of a table's periodic columns at a blowup, in words: for each column a word for its
// position, a word for how often a value repeats, and the values.
func periodicWords(t *air.Table, logBlowup int) uint64 {
	words := uint64(0)
	for i := range t.Periodic {
		words += 2 + uint64(len(t.Periodic[i].Values))<<logBlowup
	}
	return words
}

// traceColumn returns the address of a column's values over the trace domain, or 0 if they are not in memory.
type traceColumn func(column int) uint64

// keptColumns returns the addresses of the columns that a commitment keeps.
func keptColumns(from *commitment, instance int) traceColumn {
	return func(column int) uint64 {
		kept, ok := from.keptColumn(instance, column)
		if !ok {
			return 0
		}
		return uint64(kept.Span.Pointer())
	}
}

// valueColumns returns the addresses of columns that are not committed yet.
func valueColumns(from kernels.Columns) traceColumn {
	return func(column int) uint64 {
		return uint64(from.Span.Pointer()) + uint64(column)*from.Stride*wordBytes
	}
}

// rowList is the words with which kernels read rows of an instance: the addresses of its columns, the public values and
// its periodic columns.
type rowList struct {
	words            []uint64
	public, periodic int // first indices of public values and periodic columns
}

// listRows returns the rowList of an instance.
func (p *stated) listRows(instance int, main traceColumn) rowList {
	t := p.shape.Table(instance)
	words := make([]uint64, 0, traceRowWords(p.shape, instance))
	for i := range t.Main {
		words = append(words, main(i))
	}
	preprocessed := keptColumns(p.keys[protocol.PreprocessedPhase(t)], instance)
	for i := range t.Preprocessed {
		words = append(words, preprocessed(i))
	}
	public := len(words)
	for _, v := range p.public {
		words = append(words, uint64(v))
	}
	periodic := len(words)
	words = appendPeriodic(words, t, func(column *air.PeriodicColumn) ([]goldilocks.Element, int) {
		return column.Values, column.LogPeriod()
	})
	return rowList{words, public, periodic}
}

// listKeptRows groups the instances that LogUp reads, and lists their rows once the addresses of their columns are
// known. It runs while the device works; between the stages the device would wait for it.
func (p *mainStage) listKeptRows(main *commitment) {
	p.groups = logUpGroups(p.shape)
	p.keptRows = make([]rowList, len(p.shape.Instances))
	for _, i := range p.shape.Claiming() {
		p.keptRows[i] = p.listRows(i, keptColumns(main, i))
	}
}

// traceRows describes the rows of an instance to kernels, and adds list to a stage's constants.
func (p *proof) traceRows(to *constants, instance int, list rowList) *generate.TraceRows {
	at := to.add(list.words)
	generator := goldilocks.RootOfUnity(p.shape.Instances[instance].LogHeight)
	return &generate.TraceRows{
		MainColumns:         at,
		PreprocessedColumns: at + uint64(len(p.shape.Table(instance).Main))*wordBytes,
		PublicValues:        at + uint64(list.public)*wordBytes,
		PeriodicColumns:     at + uint64(list.periodic)*wordBytes,
		N:                   p.rows(instance),
		Generator:           uint64(generator),
		GeneratorInverse:    uint64(generator.Inverse()),
	}
}

// appendPeriodic lays out periodic columns as rows.cuh reads them: for each column the position of its values after the
// list, and a number that says how a row finds its value; then all values.
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

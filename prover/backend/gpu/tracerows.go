package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// traceRows is a table over the trace domain, as generated kernels read it.
type traceRows struct {
	tables    [2]uint64 // addresses of the lists of main and of preprocessed columns
	public    uint64
	n         uint64
	generator goldilocks.Element
}

// traceColumn gives the address of a column's values over the trace domain, 0 where it is not there.
type traceColumn func(column int) uint64

// keptColumn reads what a commitment keeps.
func keptColumn(from *commitment, table int) traceColumn {
	return func(column int) uint64 {
		if from == nil {
			return 0
		}
		return uint64(from.kept[table][column].Span.Pointer())
	}
}

// valueColumn reads columns that are not committed yet.
func valueColumn(from kernels.Columns) traceColumn {
	return func(column int) uint64 {
		return uint64(from.Span.Pointer()) + uint64(column)*from.Stride*wordBytes
	}
}

// traceRowWords is the device memory that [proverContext.traceRows] fills, in words.
func traceRowWords(shape *backend.Shape, table int) uint64 {
	t := shape.Machine.Tables[table]
	return uint64(len(t.Main) + len(t.Preprocessed) + len(shape.Machine.PublicNames))
}

// traceRows uploads the addresses of a table's columns and the public values.
func (c *proverContext) traceRows(to cuda.Span, table int, main, preprocessed traceColumn, public []goldilocks.Element) (*traceRows, error) {
	t := c.shape.Machine.Tables[table]
	words := make([]uint64, 0, to.Size()/wordBytes)
	for i := range t.Main {
		words = append(words, main(i))
	}
	for i := range t.Preprocessed {
		words = append(words, preprocessed(i))
	}
	for _, v := range public {
		words = append(words, uint64(v))
	}
	at := uint64(to.Pointer())
	rows := &traceRows{n: c.height(table), generator: goldilocks.RootOfUnity(c.shape.LogHeights[table])}
	rows.tables = [2]uint64{at, at + uint64(len(t.Main))*wordBytes}
	rows.public = at + uint64(len(t.Main)+len(t.Preprocessed))*wordBytes
	if len(words) == 0 {
		return rows, nil
	}
	span, err := to.Part(0, uint64(len(words))*wordBytes)
	if err != nil {
		return nil, err
	}
	return rows, c.upload(span, words)
}

// argument lays out struct TraceRows of rows.cuh.
func (r *traceRows) argument(firstRow uint64) cuda.Argument {
	return cuda.Words(r.tables[0], r.tables[1], r.public, r.n, uint64(r.generator), uint64(r.generator.Inverse()), firstRow)
}

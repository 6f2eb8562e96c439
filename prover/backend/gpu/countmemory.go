package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
)

// countMemory is the working memory of the stage.
type countMemory struct {
	constants cuda.Span // of instances addresses of columns, public values and periodic columns, and what launches do
	counts    cuda.Span // of all entries
	misses    cuda.Span
	entries   []entryMemory
}

// entryMemory is that of one lookup entry.
type entryMemory struct {
	instance int // of its table
	number   int // among the table's entries
	contents cuda.Span
	counts   cuda.Span // low halves, then high halves
	misses   cuda.Span // a word a sending instance, and one for public messages
	message  cuda.Span // one message, for errors
	staged   cuda.Span // public messages
}

func takeCount(scope *cuda.Scope, shape *backend.Shape) (*countMemory, error) {
	m := &countMemory{}
	t := device.Taker{}
	counts, missWords := uint64(0), uint64(len(shape.Instances)+1)
	for i := range shape.Instances {
		table, n := shape.Table(i), uint64(shape.Rows(i))
		for k := range table.Lookups {
			bus := table.Lookups[k].Bus
			arity, places := uint64(bus.Arity()), n*uint64(table.Lookups[k].Lanes)
			m.entries = append(m.entries, entryMemory{
				instance: i, number: k,
				contents: t.Take(scope, "contents of "+bus.Name, arity*places*wordBytes),
				message:  t.Take(scope, "message on "+bus.Name, arity*wordBytes),
				staged:   t.Take(scope, "public messages on "+bus.Name, publicMessages*(arity+1)*wordBytes),
			})
			counts += 2 * places
		}
	}
	if len(m.entries) == 0 {
		return m, t.Err
	}
	words := uint64(len(shape.Instances) * len(generate.Words(generate.CountedRows{})))
	for i := range shape.Instances {
		words += traceRowWords(shape, i)
	}
	m.constants = t.Take(scope, "places of columns to count", words*wordBytes)
	m.counts = t.Take(scope, "counts", counts*wordBytes)
	m.misses = t.Take(scope, "misses", uint64(len(m.entries))*missWords*wordBytes)
	if t.Err != nil {
		return m, t.Err
	}
	return m, m.cut(shape, missWords)
}

// cut gives the entries their counts and misses.
func (m *countMemory) cut(shape *backend.Shape, missWords uint64) (err error) {
	before := uint64(0)
	for k := range m.entries {
		own := &m.entries[k]
		words := 2 * uint64(shape.Rows(own.instance)) * uint64(shape.Table(own.instance).Lookups[own.number].Lanes)
		var errCounts, errMisses error
		own.counts, errCounts = m.counts.Part(before*wordBytes, words*wordBytes)
		own.misses, errMisses = m.misses.Part(uint64(k)*missWords*wordBytes, missWords*wordBytes)
		err = errors.Join(err, errCounts, errMisses)
		before += words
	}
	return err
}

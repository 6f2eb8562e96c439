package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// countMemory is the working memory of the stage.
type countMemory struct {
	counts  cuda.Span // of all entries
	misses  cuda.Span
	entries []entryMemory
}

// entryMemory is the working memory of one lookup entry.
type entryMemory struct {
	instance int // of the entry's table
	number   int // index among the table's entries
	contents cuda.Span
	counts   cuda.Span // low sums, high sums, and copies of the first low sums; see generate.Lookup
	copies   uint64
	copied   uint64
	misses   cuda.Span // one word for each sending instance, and one for public messages
	message  cuda.Span // one message, for errors
	staged   cuda.Span // public messages
}

// mostCopies is the largest number of copies in which the first mostCopied positions of a table are counted, so that
// additions to one position seldom wait for each other. In a range table these positions are the small numbers, which
// programs look up most.
const mostCopies = 16

// Tests lower these.
var (
	mostCopied = uint64(1 << 16)
	leastAsked = uint64(4) // least mean number of messages for each copy of a position
)

// countCopies returns the number of copies, and the number of positions that are copied, for a table with the given
// number of positions to which asked messages are sent.
func countCopies(positions, asked uint64) (copies, copied uint64) {
	copies, copied = mostCopies, min(positions, mostCopied)
	for copies > 1 && leastAsked*copied*copies > asked {
		copies /= 2
	}
	return copies, copied
}

// countWords returns the number of words that hold an entry's counts.
func countWords(positions, copies, copied uint64) uint64 { return 2*positions + (copies-1)*copied }

// askedOf returns the number of messages sent on each bus, excluding public messages.
func askedOf(shape *protocol.Shape) map[*air.Bus]uint64 {
	asked := map[*air.Bus]uint64{}
	for i := range shape.Instances {
		table := shape.Table(i)
		for k := range table.Interactions {
			if interaction := &table.Interactions[k]; interaction.Kind == air.Send {
				asked[interaction.Bus] += uint64(shape.Rows(i))
			}
		}
	}
	return asked
}

// takeCounted takes memory for [countedRows]: the instances' column addresses, public values and periodic columns, and
// the lists of the launches. The span is empty if nothing is counted.
func takeCounted(scope *cuda.Scope, shape *protocol.Shape) (cuda.Span, error) {
	lookups, words := 0, uint64(len(shape.Instances))*partWords[generate.CountedRows]()
	for i := range shape.Instances {
		lookups += len(shape.Table(i).Lookups)
		words += traceRowWords(shape, i)
	}
	if lookups == 0 {
		return cuda.Span{}, nil
	}
	var t device.Taker
	return t.Take(scope, "places of columns to count", words*wordBytes), t.Err
}

func takeCount(scope *cuda.Scope, shape *protocol.Shape) (*countMemory, error) {
	m := &countMemory{}
	t := device.Taker{}
	counts, missWords, asked := uint64(0), uint64(len(shape.Instances)+1), askedOf(shape)
	for i := range shape.Instances {
		table, n := shape.Table(i), uint64(shape.Rows(i))
		for k := range table.Lookups {
			bus := table.Lookups[k].Bus
			arity, positions := uint64(bus.Arity()), n*uint64(table.Lookups[k].Lanes)
			copies, copied := countCopies(positions, asked[bus])
			m.entries = append(m.entries, entryMemory{
				instance: i, number: k, copies: copies, copied: copied,
				contents: t.Take(scope, "contents of "+bus.Name, arity*positions*wordBytes),
				message:  t.Take(scope, "message on "+bus.Name, arity*wordBytes),
				staged:   t.Take(scope, "public messages on "+bus.Name, publicMessages*(arity+1)*wordBytes),
			})
			counts += countWords(positions, copies, copied)
		}
	}
	if len(m.entries) == 0 {
		return m, t.Err
	}
	m.counts = t.Take(scope, "counts", counts*wordBytes)
	m.misses = t.Take(scope, "misses", uint64(len(m.entries))*missWords*wordBytes)
	if t.Err != nil {
		return m, t.Err
	}
	return m, m.cut(shape, missWords)
}

// cut gives the entries their counts and misses.
func (m *countMemory) cut(shape *protocol.Shape, missWords uint64) (err error) {
	before := uint64(0)
	for k := range m.entries {
		own := &m.entries[k]
		positions := uint64(shape.Rows(own.instance)) * uint64(shape.Table(own.instance).Lookups[own.number].Lanes)
		words := countWords(positions, own.copies, own.copied)
		var errCounts, errMisses error
		own.counts, errCounts = m.counts.Part(before*wordBytes, words*wordBytes)
		own.misses, errMisses = m.misses.Part(uint64(k)*missWords*wordBytes, missWords*wordBytes)
		err = errors.Join(err, errCounts, errMisses)
		before += words
	}
	return err
}

package riscv

import (
	"context"
	"errors"
	"sort"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// A run that is known can be recorded in several parts at once, for it is known where the log of each begins. Each goes
// ahead to its begin several times as fast as it could be recorded. So the last part is there after the time that the
// whole run takes without a log, and a part of what it takes with one.

// Parts are one for two cores, four at least where there are so many cores, and eight at most: by then little is left
// to gain from the time to go ahead, and with more a device gets as much of the run later.
const (
	coresEach   = 2
	fewestParts = 4
	mostParts   = 8
)

// mostWords are no more words of a guest's memory than every part may have for itself: 64 MB, or 512 in eight parts.
const mostWords = 1 << 23

// partsFor are the parts of a run on a host with so many cores.
func partsFor(cores int) int {
	if cores < fewestParts {
		return 1
	}
	return min(max(cores/coresEach, fewestParts), mostParts)
}

// RecordIn sets how many parts of a run that is known are recorded at once, in place of what is worth it on this host.
func (p *Program) RecordIn(parts int) { p.parts = parts }

// goesInParts reports whether that is faster for a run, and does not take too much memory: each part has the guest's.
func (p *Program) goesInParts(o *outcome) bool {
	words := o.rows[table.Boundary] + len(o.private)/memorymap.WordBytes
	return p.parts > 1 && o.chunks >= p.leastParts && words <= mostWords && p.emulator.Translates()
}

// again runs the program once more, with an outcome that is known, and in shards that end at these places: in parts at
// once, where that is faster. The trace is handed over at its stops as it comes.
func (p *Program) again(ctx context.Context, o *outcome, shards []emulator.Cut) *coming {
	if p.goesInParts(o) {
		parts := o.partsOf(shards, p.parts)
		return &coming{flight: p.flyInParts(ctx, o, parts), stops: p.stopsOf(shards, parts)}
	}
	var stops []int
	first := 0
	for _, shard := range shards {
		stops = append(stops, p.stopsBetween(first, shard.Chunk)...)
		first = shard.Chunk
	}
	return &coming{flight: p.fly(ctx, o, stops), stops: stops}
}

// partsOf divides shards of the run into about so many parts in all, and a shard is one at least.
func (o *outcome) partsOf(shards []emulator.Cut, parts int) (list []emulator.Cut) {
	first, last := 0, 0
	for _, shard := range shards {
		chunks := shard.Chunk - first
		own := max((chunks*parts+o.chunks/2)/o.chunks, 1)
		for k := 1; k < own; k++ {
			want := first + chunks*k/own
			at := sort.Search(len(o.places), func(i int) bool { return o.places[i].Chunk >= want })
			if at < len(o.places) && o.places[at].Chunk > last && o.places[at].Chunk < shard.Chunk {
				list = append(list, o.places[at])
				last = o.places[at].Chunk
			}
		}
		list = append(list, shard)
		first, last = shard.Chunk, shard.Chunk
	}
	return list
}

// stopsOf are the ends of shards, and those of parts in between with as many chunks between two as a device replays in
// one go: it has threads for some 50,000, so that twice as many groups of half of 2^16 take it no longer. The first
// group is short, as the device has nothing to do before.
func (p *Program) stopsOf(shards, parts []emulator.Cut) (list []int) {
	last, least := 0, p.leastParts*5/8
	for _, part := range parts {
		ends := part.Chunk == shards[0].Chunk
		if ends {
			shards = shards[1:]
		}
		if ends || part.Chunk-last >= least {
			list = append(list, part.Chunk)
			last, least = part.Chunk, p.leastParts*5/4
		}
	}
	return list
}

// flyInParts runs the program once more, as fly does, in parts that are recorded at once, and stops behind each.
func (p *Program) flyInParts(ctx context.Context, o *outcome, parts []emulator.Cut) *flight {
	f := newFlight(chunksOf(parts))
	in := memory.Inputs{Private: o.private, Public: o.stated.Input}
	go func() {
		result, trace, err := f.record(ctx, p.emulator, in, parts, nil)
		if err == nil && !o.of(result) || errors.Is(err, emulator.ErrOtherRun) {
			err = errOtherRun
		}
		f.land(trace, o, err)
	}()
	return f
}

// record records a run in parts, and stops behind each of them but the last.
func (f *flight) record(ctx context.Context, e *emulator.Emulator, in memory.Inputs, parts []emulator.Cut,
	observe func(*emulator.Chunk) error) (*emulator.Result, *record.Trace, error) {
	return e.RecordParts(ctx, in, parts, observe, func(_ int, before *record.Trace) {
		if !f.behind() {
			f.pass(before, false)
		}
	})
}

// chunksOf are those at whose ends cuts lie.
func chunksOf(cuts []emulator.Cut) (list []int) {
	for _, cut := range cuts {
		list = append(list, cut.Chunk)
	}
	return list
}

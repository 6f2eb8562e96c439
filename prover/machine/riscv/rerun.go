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

// A known run can be recorded in several parts concurrently, because the offset of each part's log is known. Each part
// first runs to its beginning without recording, several times as fast. So the last part is complete after the time of
// the whole run without a log plus that of one part with a log.

// There is one part for two cores, at least four if there are four cores, and at most eight. More parts gain little:
// running ahead would dominate, and a device would get the parts later.
const (
	coresEach   = 2
	fewestParts = 4
	mostParts   = 8
)

// mostWords is the largest guest memory, in words, that parts may copy: 64 MB each, or 512 MB for eight parts.
const mostWords = 1 << 23

// partsFor returns the number of parts of a run on a host with this number of cores.
func partsFor(cores int) int {
	if cores < fewestParts {
		return 1
	}
	return min(max(cores/coresEach, fewestParts), mostParts)
}

// RecordIn overrides the number of parts of a known run that are recorded concurrently.
func (p *Program) RecordIn(parts int) { p.parts = parts }

// goesInParts reports whether recording in parts is faster for a run and does not take too much memory: each part has a
// copy of the guest's memory.
func (p *Program) goesInParts(o *outcome) bool {
	words := o.rows[table.Boundary] + len(o.private)/memorymap.WordBytes
	return p.parts > 1 && o.chunks >= p.leastParts && words <= mostWords && p.emulator.Translates()
}

// again runs the program again, with a known outcome and shards that end at these places, in concurrent parts if that
// is faster. It delivers the trace at its stops. A run in shards begins when a device requests its trace: the host
// needs none.
func (p *Program) again(ctx context.Context, o *outcome, shards []emulator.Cut) *streamedTrace {
	c := p.later(ctx, o, shards)
	if len(shards) == 1 {
		c.live, c.begin = c.begin(), nil
	}
	return c
}

// later returns the trace of a run that has not begun.
func (p *Program) later(ctx context.Context, o *outcome, shards []emulator.Cut) *streamedTrace {
	if p.goesInParts(o) {
		parts := o.partsOf(shards, p.parts)
		begin := func() *liveRun { return p.rerunInParts(ctx, o, parts) }
		return &streamedTrace{stops: p.stopsOf(shards, parts), begin: begin}
	}
	var stops []int
	first := 0
	for _, shard := range shards {
		stops = append(stops, p.stopsBetween(first, shard.Chunk)...)
		first = shard.Chunk
	}
	return &streamedTrace{stops: stops, begin: func() *liveRun { return p.rerun(ctx, o, stops) }}
}

// partsOf divides the shards of the run into about this number of parts in all, with at least one for each shard.
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

// stopsOf returns the ends of shards, and between them the ends of parts that make groups large enough for a device. A
// device has threads for about 50,000 chunks, so groups of 2^15 take no more time in total than groups of 2^16. The
// first group is short, because the device waits for it.
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

// rerunInParts is like rerun, but records the run in concurrent parts, with a stop after each.
func (p *Program) rerunInParts(ctx context.Context, o *outcome, parts []emulator.Cut) *liveRun {
	f := newLiveRun(chunksOf(parts))
	in := memory.Inputs{Private: o.private, Public: o.stated.Input}
	go func() {
		result, trace, err := f.record(ctx, p.emulator.RecordParts, in, parts, nil)
		if err == nil && !o.of(result) || errors.Is(err, emulator.ErrOtherRun) {
			err = errOtherRun
		}
		f.finish(trace, o, err)
	}()
	return f
}

// recorder records a run in parts, as [emulator.Emulator.RecordParts] does.
type recorder func(ctx context.Context, in memory.Inputs, cuts []emulator.Cut, observe func(*emulator.Chunk) error,
	passed func(part int, trace *record.Trace)) (*emulator.Result, *record.Trace, error)

// record records a run in parts, and passes a stop after each part but the last.
func (f *liveRun) record(ctx context.Context, by recorder, in memory.Inputs, parts []emulator.Cut,
	observe func(*emulator.Chunk) error) (*emulator.Result, *record.Trace, error) {
	return by(ctx, in, parts, observe, func(_ int, before *record.Trace) {
		if !f.onlyEndLeft() {
			f.pass(before, false)
		}
	})
}

// chunksOf returns the cuts' chunks.
func chunksOf(cuts []emulator.Cut) (list []int) {
	for _, cut := range cuts {
		list = append(list, cut.Chunk)
	}
	return list
}

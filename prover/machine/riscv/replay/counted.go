package replay

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Counted is a run whose rows are counted: what the plan and the statement of a proof take, and where the records of each
// chunk will be. [Counted.Build] makes them.
type Counted struct {
	Rows     [table.Count]int
	Accesses int      // to words
	Times    []uint32 // of the last access to each word of the public output, its length first

	builder *builder
}

// Count is the first pass over a trace, which must be of this program with these inputs and this public output.
func Count(ctx context.Context, pool *parallel.Pool, p *program.Program, in memory.Inputs, trace *record.Trace, output []byte) (*Counted, error) {
	if trace.Chunks() == 0 {
		return nil, fmt.Errorf("the trace has no chunk")
	}
	b := &builder{program: p, inputs: in, trace: trace, pool: pool}
	if err := b.checkTrace(); err != nil {
		return nil, err
	}
	b.counts = make([]counts, trace.Chunks())
	seen := &seen{tally: NewTally(p, in), times: make([]atomic.Uint32, len(memory.Words(memory.PublicOutput, output)))}
	if err := b.eachChunk(ctx, func(k int) error { return b.count(k, seen) }); err != nil {
		return nil, err
	}
	if err := b.placeChunks(); err != nil {
		return nil, err
	}
	end := &b.starts[len(b.counts)]
	for t, n := range end.rows {
		seen.tally.rows[t] = uint64(n)
	}
	seen.tally.rows[table.Refresh], seen.tally.private = uint64(end.refresh), seen.private.Load()
	c := &Counted{Rows: seen.tally.Rows(in, output), Accesses: int(end.accesses), builder: b}
	for i := range seen.times {
		c.Times = append(c.Times, seen.times[i].Load())
	}
	return c, nil
}

// seen is what chunks that are counted at the same time add to.
type seen struct {
	tally   *Tally // of which the set of words is shared
	private atomic.Uint32
	times   []atomic.Uint32
}

// access sees an access to a word at a time.
func (s *seen) access(word, time uint32) {
	s.tally.touched.add(word)
	if n := word - uint32(memory.PrivateInput/memory.WordBytes); n < uint32(memory.PrivateRegion/memory.WordBytes) {
		raise(&s.private, n+1)
	}
	if n := word - uint32(memory.PublicOutput/memory.WordBytes); n < uint32(len(s.times)) {
		raise(&s.times[n], time)
	}
}

// raise makes a number at least as large as another.
func raise(number *atomic.Uint32, least uint32) {
	for {
		now := number.Load()
		if now >= least || number.CompareAndSwap(now, least) {
			return
		}
	}
}

// count is the first pass over a chunk.
func (b *builder) count(k int, seen *seen) error {
	c := &b.counts[k]
	return b.walk(k, func(s *step, cycle uint32) {
		c.add(s, cycle)
		for _, w := range s.words[:s.wordCount] {
			seen.access(w.word, 4*s.cycle+uint32(w.slot))
		}
	})
}

// Build makes the records.
func (c *Counted) Build(ctx context.Context) (*record.Set, error) {
	b := c.builder
	b.set = new(record.Set)
	b.allocate()
	if err := b.eachChunk(ctx, b.emit); err != nil {
		return nil, err
	}
	if err := b.settle(ctx); err != nil {
		return nil, err
	}
	return b.set, nil
}

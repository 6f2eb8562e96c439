package replay

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// builder is one replay, of a run or of a part.
type builder struct {
	*State // before the first chunk
	trace  *record.Trace
	ends   bool    // whether the program ends with the last chunk
	ledger *Ledger // receives the times of accesses to words in the first pass; nil for none
	pool   *parallel.Pool

	counts []counts // by chunk
	starts []place  // by chunk, and one after the last
	set    *record.Set
}

// place has the index of a chunk's first records, and the clock before the chunk, after its refreshes.
type place struct {
	rows     [table.Count]uint32
	accesses uint32
	refresh  uint32
	clock    clock
}

// Build makes the records of a run. The trace must belong to this program with these inputs.
func Build(ctx context.Context, pool *parallel.Pool, p *program.Program, in memory.Inputs,
	trace *record.Trace) (*record.Set, error) {
	placed, err := Begin(p, in).Place(ctx, pool, trace, true)
	if err != nil {
		return nil, err
	}
	return placed.Build(ctx)
}

// Placed is a trace after the first pass, which has determined the indices of each chunk's records in every table.
type Placed struct{ builder *builder }

// Place makes the first pass over a trace that begins in the state. If ends, the program ends with the trace.
func (s *State) Place(ctx context.Context, pool *parallel.Pool, trace *record.Trace, ends bool) (*Placed, error) {
	return (&builder{State: s, trace: trace, ends: ends, pool: pool}).place(ctx)
}

// place makes the first pass.
func (b *builder) place(ctx context.Context) (*Placed, error) {
	trace := b.trace
	if trace.Chunks() == 0 {
		return nil, fmt.Errorf("the trace has no chunk")
	}
	if err := b.checkTrace(); err != nil {
		return nil, err
	}
	b.counts = make([]counts, trace.Chunks())
	if err := b.eachChunk(ctx, b.count); err != nil {
		return nil, err
	}
	if err := b.placeChunks(); err != nil {
		return nil, err
	}
	return &Placed{b}, nil
}

// Build makes the second pass, and returns the records.
func (p *Placed) Build(ctx context.Context) (*record.Set, error) {
	b := p.builder
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

// Trace returns the trace that was passed to Place.
func (p *Placed) Trace() *record.Trace { return p.builder.trace }

// State returns the state in which the trace begins.
func (p *Placed) State() *State { return p.builder.State }

// count makes the first pass over chunk k.
func (b *builder) count(k int) error {
	c, l := &b.counts[k], b.ledger
	if l == nil {
		return b.walk(k, c.add)
	}
	strange := false // an access to a word that the emulator did not access
	err := b.walk(k, func(s *step, cycle uint32) {
		c.add(s, cycle)
		for i := range s.wordCount {
			w := &s.words[i]
			strange = !l.note(w.word, 4*uint64(s.cycle)+uint64(w.slot)) || strange
		}
	})
	if err == nil && strange {
		err = fmt.Errorf("the chunk from cycle %d on accesses other words than the run did", b.trace.Checkpoints[k].Cycle)
	}
	return err
}

// checkTrace checks that the checkpoints are consistent.
func (b *builder) checkTrace() error {
	t := b.trace
	first := t.Checkpoints[0]
	if first != b.at {
		return fmt.Errorf("the first checkpoint is not the start of the program, or the end of the part before")
	}
	for k := range t.Checkpoints {
		c := &t.Checkpoints[k]
		want := first.Cycle + uint32(k)*record.ChunkCycles
		if k == t.Chunks() && b.ends {
			previous := t.Checkpoints[k-1].Cycle
			if c.Cycle <= previous || c.Cycle > previous+record.ChunkCycles {
				return fmt.Errorf("the last checkpoint is at cycle %d, %d after the previous one", c.Cycle, c.Cycle-previous)
			}
		} else if c.Cycle != want {
			return fmt.Errorf("checkpoint %d is at cycle %d, want %d", k, c.Cycle, want)
		}
		if c.Log < first.Log || c.Log-first.Log > uint64(len(t.Log)) || k > 0 && c.Log < t.Checkpoints[k-1].Log {
			return fmt.Errorf("checkpoint %d is at word %d of a load log of %d from word %d", k, c.Log,
				len(t.Log), first.Log)
		}
	}
	return nil
}

// eachChunk calls body for every chunk in parallel and returns the error of the first chunk that has one.
func (b *builder) eachChunk(ctx context.Context, body func(k int) error) error {
	var (
		mutex  sync.Mutex
		failed atomic.Int64 // the first chunk that failed
		result error
	)
	failed.Store(math.MaxInt64)
	b.pool.For(b.trace.Chunks(), 8, func(lo, hi int) {
		for k := lo; k < hi && int64(k) < failed.Load(); k++ {
			err := ctx.Err()
			if err != nil {
				err = context.Cause(ctx)
			} else {
				err = body(k)
			}
			if err != nil {
				mutex.Lock()
				if int64(k) < failed.Load() {
					failed.Store(int64(k))
					result = err
				}
				mutex.Unlock()
				return
			}
		}
	})
	return result
}

// walk runs chunk k and calls visit for every instruction; then it compares the state with the next checkpoint.
func (b *builder) walk(k int, visit func(s *step, cycle uint32)) error {
	from, to := &b.trace.Checkpoints[k], &b.trace.Checkpoints[k+1]
	g, err := start(b.program, from, b.trace.Loaded(k))
	if err != nil {
		return err
	}
	var s step
	cycles := to.Cycle - from.Cycle
	for n := range cycles {
		if err := g.step(&s); err != nil {
			return err
		}
		if s.halted != (b.ends && k == b.trace.Chunks()-1 && n == cycles-1) {
			return fmt.Errorf("cycle %d: the program ends, or does not end, where the trace does not (cycle %d)", s.cycle,
				b.trace.Cycles())
		}
		visit(&s, n)
	}
	return g.compare(to)
}

// compare returns an error if the guest differs from a checkpoint that it should have reached.
func (g *guest) compare(c *record.Checkpoint) error {
	if len(g.log) > 0 {
		return g.fail("the chunk leaves %d words of its load log unread", len(g.log))
	}
	if pc, _ := g.program.Address(g.index); pc != uint64(c.PC) {
		return g.fail("the replay is at %#x, the checkpoint at %#x", pc, c.PC)
	}
	for r := 1; r <= program.Sink; r++ {
		if want := c.X[r%program.Sink]; g.x[r] != want {
			return g.fail("the replay has %#x in register %d, the checkpoint %#x", g.x[r], r, want)
		}
	}
	return nil
}

// placeChunks computes every chunk's place.
func (b *builder) placeChunks() error {
	b.starts = make([]place, len(b.counts)+1)
	at := place{clock: b.clock}
	total := uint64(0)
	for k := range b.counts {
		c := &b.counts[k]
		next := at
		next.clock.pass(c, b.trace.Checkpoints[k].Cycle, func(r int, _ uint64, n uint32) {
			next.refresh += n
			at.clock[r] += uint64(n) * refreshGap
		})
		// The clock of the chunk's place is after its refreshes; the place's number of refreshes is before them.
		b.starts[k] = at
		for t, n := range c.rows {
			next.rows[t] += uint32(n)
		}
		total += uint64(c.accesses)
		next.accesses += uint32(c.accesses)
		at = next
	}
	b.starts[len(b.counts)] = at
	if total > math.MaxUint32 {
		return fmt.Errorf("%d accesses to memory, at most %d can be replayed", total, uint32(math.MaxUint32))
	}
	return nil
}

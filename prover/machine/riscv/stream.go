package riscv

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/run"
)

// stream is a run that is cut while it is running, after chunks that reach given numbers of cycles. The length of the
// run need not be known. A shard is yielded when the run has passed its end. Its rows are counted by then, so nothing
// is speculative, and its tables can be filled at once.
type stream struct {
	*guestRun
	end    func(shard int) int
	live   *liveRun
	passed chan passed // closed when the run has ended
	left   *users      // the users of its trace
	made   *roll

	// The following fields are written while the run is running.
	marks  *replay.Marks
	cuts   []replay.Mark // including the beginning and, after the run has ended, the end
	chunks int           // the number of chunks observed
	until  int           // the chunk of the next cut, 0 for none
	cut    *passed       // the last cut, until it is delivered
	handed int           // the number of cuts delivered
}

// passed is a cut that a run has passed.
type passed struct {
	cuts    []replay.Mark // up to this one
	trace   *record.Trace // before it
	touched int           // words of memory
}

func (p *Program) newStream(g *guestRun, end func(shard int) int) *stream {
	s := &stream{guestRun: g, end: end, live: newLiveRun([]int{math.MaxInt}), passed: make(chan passed), left: new(users)}
	s.left.count.Store(1)
	s.left.last = func() {
		s.made.release()
		(&streamedTrace{live: s.live}).recycle(p)
	}
	return s
}

// start returns the run, which begins when its first shard is requested, and stops when the iteration stops.
func (s *stream) start(ctx context.Context, limit uint64) *run.Run {
	s.made = &roll{guestRun: s.guestRun, ctx: ctx}
	return &run.Run{
		Public: (&Execution{pending: s.live}).Public,
		Report: func() run.Report { return s.made.report(s.live.report()) },
		Shards: func(yield func(*machine.Shard, error) bool) {
			defer s.left.leave()
			running, cancel := context.WithCancel(ctx)
			defer cancel()
			go s.execute(running, limit)
			for number := 0; ; number++ {
				shard, err := s.next(number)
				if !yield(shard, err) || err != nil || shard.Last {
					return
				}
			}
		},
	}
}

// execute runs the program, and delivers the trace before each cut when the run has passed the cut. If the places of
// parts can be predicted, it records the parts concurrently. If the prediction was wrong, it records the whole run
// again.
func (s *stream) execute(ctx context.Context, limit uint64) {
	defer close(s.passed)
	e := s.program.emulator
	if parts := s.parts(limit); parts != nil {
		s.begin()
		result, trace, err := e.RecordParts(ctx, s.in, parts, s.observe, func(part int, before *record.Trace) {
			if part < len(parts)-1 {
				s.hand(ctx, before)
			}
		})
		if err == nil {
			o, err := s.judge(result, trace)
			s.live.finish(trace, o, err)
			return
		}
		s.live.again++
	}
	s.begin()
	observe := func(c *emulator.Chunk) error {
		if s.cut != nil {
			s.hand(ctx, c.Before())
		}
		return s.observe(c)
	}
	s.live.execute(ctx, e, s.in, emulator.Options{Limit: limit, Observe: observe}, s.judge)
}

// begin starts observing the run.
func (s *stream) begin() {
	s.marks, s.cuts, s.chunks, s.cut = replay.NewCuts(s.program.guest), make([]replay.Mark, 1), 0, nil
	s.until = s.cutAfter(0, 0)
}

// observe observes a chunk, and notes a cut after it.
func (s *stream) observe(c *emulator.Chunk) error {
	if err := s.marks.Observe(c); err != nil {
		return err
	}
	if s.chunks++; s.chunks == s.until {
		s.cuts = append(s.cuts, s.marks.After(c))
		s.cut = &passed{cuts: slices.Clone(s.cuts), touched: c.Touched()}
		s.until = s.cutAfter(len(s.cuts)-1, s.chunks)
	}
	return nil
}

// hand delivers the noted cut, if there is a new one, with the trace up to it.
func (s *stream) hand(ctx context.Context, trace *record.Trace) {
	cut := s.cut
	s.cut = nil
	if cut == nil || len(cut.cuts)-1 <= s.handed {
		return
	}
	s.handed++
	cut.trace = trace
	select {
	case s.passed <- *cut:
	case <-ctx.Done(): // the run will stop soon
	}
}

// cutAfter returns the first chunk after a shard that begins at chunk first, or 0 if the shard ends with the run.
func (s *stream) cutAfter(shard, first int) int {
	size := s.end(shard)
	if size <= 0 {
		return 0
	}
	return max((size+record.ChunkCycles-1)/record.ChunkCycles, first+1)
}

// judge notes the outcome of the run.
func (s *stream) judge(result *emulator.Result, _ *record.Trace) (*outcome, error) {
	o := outcomeOf(s.in, result, &s.marks.Tally)
	if last := len(s.cuts) - 1; s.cuts[last].Chunk == o.chunks { // no chunk follows that cut
		s.cuts = s.cuts[:last]
	}
	marks := s.marks.List(result)
	s.cuts = append(s.cuts, marks[len(marks)-1])
	s.program.remember(o)
	return o, nil
}

// next waits for the shard with a number and returns it.
func (s *stream) next(number int) (*machine.Shard, error) {
	cut, goesOn := <-s.passed
	c := &cutter{guestRun: s.guestRun, ended: !goesOn}
	if goesOn {
		c.guestRun, c.cuts, c.trace = s.before(&cut), cut.cuts, &streamedTrace{trace: cut.trace}
	} else {
		o := s.live.end()
		if o == nil {
			return nil, s.live.err
		}
		ended := *s.guestRun
		ended.outcome = *o
		trace, _ := s.live.whole()
		c.guestRun, c.cuts, c.trace = &ended, s.cuts, &streamedTrace{trace: trace}
	}
	shard, e, err := c.shard(number, !goesOn, s.made, sync.OnceFunc(s.left.leave))
	if err != nil {
		return nil, err
	}
	s.left.count.Add(1)
	e.running, e.pending = s.live, s.live
	return shard, nil
}

// before returns the run with its outcome as known at a cut: all words of the inputs may be read, and there is no
// output.
func (s *stream) before(cut *passed) *guestRun {
	known, guest := *s.guestRun, s.program.guest
	known.outcome = outcome{private: s.in.Private, stated: statement.Stated{Times: make([]uint64, 1)}}
	rows := &known.rows
	rows[table.Private] = memorymap.Count(s.in.Private)
	rows[table.Boundary] = cut.touched + len(guest.Image) + memorymap.Count(s.in.Public) + 1
	rows[table.Register], rows[table.Image], rows[table.Program] = program.Registers, len(guest.Image), len(guest.Rows)
	return &known
}
